#include "sluice/lab/reproduce.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sluice/file/shell_word.hpp"
#include "sluice/lab/functions.hpp"
#include "sluice/version.hpp"

namespace sluice::lab {
namespace fs = std::filesystem;

std::string beside_page(const fs::path& path, const fs::path& page) {
  std::error_code none;
  // A page that is nowhere yet is looked at from here.
  const fs::path from = page.empty() ? fs::current_path() : fs::absolute(page).parent_path();
  return fs::relative(path, from, none).generic_string();
}

figure::ReportSection reproduce_section(const std::vector<const record::Recording*>& runs,
                                        const std::string& title, const fs::path& page) {
  const record::Recording& run = *runs.front();
  const bool several = runs.size() > 1;
  const bool one_seed =
      std::ranges::all_of(runs, [&](const record::Recording* each) { return each->seed == run.seed; });
  const std::string seed = one_seed ? fmt::format("{}", run.seed) : "of every run in its spec.toml";
  const std::string spec = run.folder.empty() ? "" : beside_page(run.folder / "spec.toml", page);
  figure::ReportSection section{
      .heading = "Reproduce and cite",
      .text = run.folder.empty() ? "With the spec above as spec.toml:"
              : several ? "Each run folder holds its spec.toml; the first run, from the folder of this page:"
                        : "From the folder of this page:",
      .facts = {
          {"command", fmt::format("sluice run {}", file::shell_word(spec.empty() ? "spec.toml" : spec))},
          {"version", std::string(version())},
          {"seed", seed}}};
  const auto unrepeatable =
      std::ranges::find_if(runs, [](const record::Recording* each) { return !each->functions.empty(); });
  if (unrepeatable != runs.end()) {
    section.text = missing_functions(**unrepeatable);
    section.facts.erase(section.facts.begin());  // a command that would be refused
  }
  const std::string which =
      several ? fmt::format("{} runs", runs.size())
              : fmt::format("run {}, seed {}, spec {}", run.name, run.seed, run.fingerprint);
  section.facts.push_back(
      {"cite", fmt::format("The sluice authors (2026). sluice {}: a laboratory for the learning dynamics of "
                           "gated neural networks. “{}”, {}.",
                           version(), title, which)});
  return section;
}

}  // namespace sluice::lab
