#include "sluice/cli/check_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "sluice/cli/columns.hpp"
#include "sluice/cli/print.hpp"
#include "sluice/cli/verbs.hpp"
#include "sluice/cli/verdict_text.hpp"
#include "sluice/file/json.hpp"
#include "sluice/file/printable.hpp"
#include "sluice/lab/checking.hpp"
#include "sluice/math/workers.hpp"
#include "sluice/theory/own_claim.hpp"

namespace sluice::cli {
namespace of_check_files {
namespace {

using theory::Finding;
using theory::Measured;
using theory::Outcome;
using theory::OwnClaim;

constexpr std::size_t kMostRows = 32;  // of a vector that is measured and not judged

std::string name_of(const OwnClaim& claim) {
  const theory::ClaimFile& file = claim.file();
  return file::printable(file.path + (file.statement.empty() ? "" : ": " + file.statement) +
                         (file.source.empty() ? "" : fmt::format(" [{}]", file.source)));
}

std::string what_of(const Measured& measured) {
  return file::printable(fmt::format("{}: mean of {}{}", measured.of, measured.mean,
                                     measured.equals ? " = " + *measured.equals : ""));
}

/// The difference in standard errors, where there are any.
std::string in_errors(double difference, double standard_error) {
  return standard_error > 0 ? fmt::format("{:.1f}", difference / standard_error) : "–";
}

std::string mark(Outcome outcome) {
  if (outcome == Outcome::measured) return "    ";
  return theory::is_good(outcome) ? coloured("ok  ", 32) : coloured("FAIL", 31);
}

void print_heading() {
  print(fmt::format("{}  {}  {}  {}  {}  {}  {}  {}  {}\n", left("", 4), left("verdict", 20),
                    right("formula", 12), right("printed", 12), left("measured", 22), right("off by", 7),
                    right("allowed", 7), right("resolution", 10), "expectation"));
}
void print_row(Outcome outcome, const std::string& formula, const std::string& printed,
               const std::string& measured, const std::string& off, const std::string& allowed,
               const std::string& resolution, const std::string& what) {
  print_coloured(fmt::format("{}  {}  {}  {}  {}  {}  {}  {}  {}\n", mark(outcome),
                             left(std::string(to_string(outcome)), 20), right(formula, 12),
                             right(printed, 12), left(measured, 22), right(off, 7), right(allowed, 7),
                             right(resolution, 10), what));
}

/// One row of the component that decides.
void print_judged(const Measured& measured) {
  const Finding& finding = *measured.finding;
  const double error = finding.standard_error;
  const std::string where = measured.component.empty() ? "" : fmt::format("; shown: {}", measured.component);
  print_row(measured.outcome, number_text(finding.stated), number_text(finding.notes),
            with_error(finding.measured, error), in_errors(finding.measured - *finding.stated, error),
            in_errors(finding.allowed, error), resolution_text(finding), what_of(measured) + where);
  if (measured.outcome == Outcome::fails && measured.factor) {
    print(fmt::format("      the mean is {} times the formula{}\n",
                      with_error(measured.factor->value, measured.factor->standard_error),
                      measured.shape.is_number() ? "" : ", along it"));
  } else if (!finding.passed) {
    print(fmt::format("      {}\n", finding.evidence));
  }
}

/// A row for every component.
void print_measured(const Measured& measured) {
  const std::size_t count = measured.shape.size();
  for (std::size_t c = 0; c < std::min(count, kMostRows); ++c) {
    print_row(measured.outcome, "–", "–",
              with_error(measured.means.mean[c], measured.means.standard_error[c]), "–", "–", "–",
              what_of(measured) + (count == 1 ? "" : "; " + theory::component_name(measured.shape, c)));
  }
  if (count > kMostRows) print(fmt::format("      … {} components in all; --json has them\n", count));
}

void print_rows(const Measured& measured) {
  if (measured.finding) {
    print_judged(measured);
  } else {
    print_measured(measured);
  }
  flush();
}

}  // namespace
}  // namespace of_check_files

int check_files(const FileCheck& check) {
  using namespace of_check_files;
  const auto began = std::chrono::steady_clock::now();
  std::vector<OwnClaim> claims;  // all are read and understood before the first is measured
  for (const std::string& file : check.files) claims.emplace_back(theory::read_claim_file(file));
  math::Workers workers(check.threads);
  const theory::Sampler sampler(check.samples, check.seed, workers);
  std::size_t expectations = 0;
  std::size_t failed = 0;
  file::Json document{{"samples", check.samples}, {"seed", check.seed}};
  file::Json files = file::Json::array();
  for (const OwnClaim& claim : claims) {
    file::Json found = file::Json::array();
    if (!check.json) print(fmt::format("{}\n", name_of(claim)));
    if (!check.json) print_heading();
    for (std::size_t i = 0; i < claim.size(); ++i) {
      const Measured measured = claim.measure(i, sampler);
      ++expectations;
      failed += theory::is_good(measured.outcome) ? 0 : 1;
      if (check.json) found.push_back(lab::to_json(measured));
      if (!check.json) print_rows(measured);
    }
    files.push_back({{"file", claim.file().path},
                     {"statement", claim.file().statement},
                     {"source", claim.file().source},
                     {"expectations", std::move(found)}});
  }
  if (check.json) {
    document["failed"] = failed;
    document["files"] = std::move(files);
    print(fmt::format("{}\n", document.dump(2)));
  } else {
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - began;
    print(fmt::format("\n{} expectation{}, {} failed; {} samples of each class, seed {}, {:.1f} s\n",
                      expectations, expectations == 1 ? "" : "s", failed, check.samples, check.seed,
                      seconds.count()));
  }
  return failed == 0 ? kSuccess : kFailure;
}

}  // namespace sluice::cli
