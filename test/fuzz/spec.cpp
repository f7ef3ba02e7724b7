#include "sluice/lab/experiment.hpp"
#include "test/fuzz/target.hpp"

/// A spec; behind a byte 0, assignments as --set has them. Only with those is an unknown key looked for among the keys of all kinds, which takes long.
SLUICE_FUZZ_TARGET(spec) {
  using namespace sluice;
  std::string_view given = fuzz::text(bytes);
  lab::Source source{.name_or_file = "input.toml", .text = std::string(given.substr(0, given.find('\0')))};
  while (given.find('\0') != std::string_view::npos) {
    given.remove_prefix(given.find('\0') + 1);
    source.assignments.emplace_back(given.substr(0, given.find('\0')));
  }
  const std::string written = lab::to_toml(
      source.assignments.empty() ? lab::parse_spec(*source.text, "input.toml") : lab::load(source));
  fuzz::require(lab::to_toml(lab::parse_spec(written, "written.toml")) == written,
                "what is written reads back the same");
}
