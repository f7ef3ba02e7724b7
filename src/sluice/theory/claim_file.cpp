#include "sluice/theory/claim_file.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "sluice/file/errors.hpp"
#include "sluice/spec/document.hpp"

namespace sluice::theory {
namespace {

constexpr std::int64_t kMostSitesOfClaims = 1024;  // C1, C0 and I are dense: 8 MiB each

/// Before the task is made, which of many sites takes a second. All kinds whose labels are those of the classes have sites.
std::int64_t sites_of(const task::Section& task) {
  return dynamic_cast<const task::SiteOptions&>(task.options()).sites();
}

/// Whether x may be replaced by its shifts and by −x.
bool is_symmetric(const task::Task& task) {
  return task.even() && task.stationary() && task.layout().on_ring();
}

}  // namespace

net::InitOptions OwnSymbol::unit_normals() {
  net::InitOptions init;
  init.law = "normal";
  init.std = 1;
  init.norm = 1;
  return init;
}

void OwnSymbol::describe_law(spec::Keys& keys) {
  init.describe(keys);
  keys.require(init.law != "file", "law", "another law; a file is named alone, \"w.npy\"");
  keys.integer("seed", seed, spec::integers(0, std::numeric_limits<std::int64_t>::max()), "of the draw");
}

void Expectation::describe(spec::OpenKeys& keys, const task::Section& task) {
  static constexpr std::array<spec::Choice, 1> kBoth{{{"both", "each with its share"}}};
  which_class = std::numeric_limits<double>::quiet_NaN();
  keys.word_or_number("class", which_class, kBoth,
                      {.low = 0, .high = 1, .whole = true, .expected = "1 (the first ξ) or 0 (the second)"},
                      "whose samples");
  const double* number = std::get_if<double>(&which_class);
  keys.require(number == nullptr || !std::isnan(*number), "class",
               "1 (the first ξ), 0 (the second) or \"both\"");
  keys.value("mean", mean);
  keys.require(std::holds_alternative<std::string>(mean.content), "mean",
               "a formula in quotes, for example \"step(dot(w, x)) * x\"");
  keys.value("equals", equals);
  keys.value("printed", printed);
  keys.require(equals.is_there() || !printed.is_there(), "printed", "equals beside it: what is true instead");
  keys.flag("symmetries", symmetries, "average over the shifts of x and −x");
  keys.require(!symmetries || is_symmetric(*task.make()), "symmetries",
               "false: the law of this task is not the same for −x and after a shift along a ring");
}

void ClaimFile::describe(spec::OpenKeys& keys) {
  keys.section("claim", "for the reader", [this](spec::Keys& inner) {
    inner.text("statement", statement, "what is claimed");
    inner.text("source", source, "where it comes from");
  });
  keys.section("task", "where samples come from", [this](spec::Keys& inner) {
    task.describe(inner, task::kinds_with_class_labels());
    inner.require(sites_of(task) <= kMostSitesOfClaims, "n",
                  fmt::format("at most {} sites in a claim", kMostSitesOfClaims));
  });
  keys.own_names("symbols", [this](spec::OpenKeys& inner, const std::string& name) {
    symbols.push_back({.name = name});
    inner.value_or_table(name, symbols.back().value,
                         [this](spec::Keys& law) { symbols.back().describe_law(law); });
  });
  keys.tables("expect", [this](spec::OpenKeys& inner) { expectations.emplace_back().describe(inner, task); });
  keys.require(!expectations.empty(), "expect", "something to measure, under a line [[expect]]");
}

ClaimFile read_claim_file(const std::filesystem::path& path) {
  ClaimFile claim;
  claim.path = path.string();
  spec::Document::from_file(path).read_open([&](spec::OpenKeys& keys) { claim.describe(keys); });
  return claim;
}

}  // namespace sluice::theory
