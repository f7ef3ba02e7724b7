/// sluice check: the equations of the notes, each checked by what it claims; and claims of the user's own, from files.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sluice/cli/check_files.hpp"
#include "sluice/cli/check_number.hpp"
#include "sluice/cli/columns.hpp"
#include "sluice/cli/print.hpp"
#include "sluice/cli/shared_options.hpp"
#include "sluice/cli/verbs.hpp"
#include "sluice/cli/verdict_text.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/json.hpp"
#include "sluice/lab/checking.hpp"
#include "sluice/math/expression_reference.hpp"
#include "sluice/math/quantile.hpp"
#include "sluice/math/workers.hpp"
#include "sluice/theory/claim.hpp"

namespace sluice::cli {
namespace of_check {
namespace {

using lab::CheckedClaim;
using lab::ClaimValues;
using theory::Claim;
using theory::Verdict;

struct Arguments {
  std::vector<std::string> ids;
  std::string document;
  std::int64_t samples = 1'000'000;
  std::uint64_t seed = 1;
  int threads = math::hardware_threads();
  bool list = false;
  bool json = false;
  bool markdown = false;
  bool functions = false;
};

std::string measured_text(const CheckedClaim& checked) {
  const std::optional<double> measured = checked.values().measured;
  return measured ? with_error(*measured, checked.finding.standard_error) : "–";
}

std::string mark(const CheckedClaim& checked) {
  if (checked.claim.check == nullptr)
    return coloured(checked.claim.verdict == Verdict::definition ? "def "
                    : checked.claim.verdict == Verdict::measured ? "seen"
                                                                 : "open",
                    2);
  return checked.finding.passed ? coloured("ok  ", 32) : coloured("FAIL", 31);
}
std::string verdict_column(Verdict verdict) {
  std::string text = left(std::string(theory::to_string(verdict)), 22);
  switch (verdict) {
    case Verdict::holds:
    case Verdict::definition:
    case Verdict::measured:
      return text;
    case Verdict::holds_up_to_a_constant:
    case Verdict::open:
      return coloured(text, 33);
    case Verdict::corrected:
    case Verdict::refuted:
      return coloured(text, 35);
  }
  return text;
}

/// The column of the ids.
std::size_t id_width(const std::vector<Claim>& claims) {
  std::size_t width = 6;
  for (const Claim& claim : claims) width = std::max(width, claim.id.size());
  return width;
}

void print_heading(std::size_t width) {
  print(fmt::format("{}  {}  {}  {}  {}  {}  {}  {}\n", left("", 4), left("id", width), left("verdict", 22),
                    right("notes", 12), right("corrected", 12), left("measured", 22), right("resolution", 10),
                    "statement [source]"));
}
void print_row(const CheckedClaim& checked, std::size_t width) {
  const ClaimValues values = checked.values();
  print_coloured(fmt::format(
      "{}  {}  {}  {}  {}  {}  {}  {} [{}]\n", mark(checked), left(std::string(checked.claim.id), width),
      verdict_column(checked.claim.verdict), right(number_text(values.notes), 12),
      right(number_text(values.corrected), 12), left(measured_text(checked), 22),
      right(resolution_text(checked.finding), 10), checked.claim.statement, checked.claim.source));
  if (!checked.finding.passed) print(fmt::format("      {}\n", checked.finding.evidence));
  flush();
}

void print_markdown(const std::vector<CheckedClaim>& all, const Arguments& arguments) {
  print(fmt::format(
      "# Ledger: the equations of the notes, checked\n\n"
      "Printed by `sluice check --markdown` ({} samples, seed {}); `make docs` renews it. Verdicts: *holds*, "
      "*holds up\n"
      "to a constant* (one overall factor), *corrected* (wrong or unfinished as printed; what is true is "
      "stated), *refuted*,\n"
      "*definition*, *measured* (by experiments of the catalog), *open*. Of a vector the worst component is "
      "shown, or the one that refutes the printed "
      "form best.\n"
      "Documents 000 to 004 are the notes; `sheet` collects the corrected formulas, `sluice` what we add. "
      "Resolution: the\n"
      "smallest relative error of a stated form that the check would catch with probability 0.99; none where "
      "a claim is an\n"
      "observation, which has an effect and its standard error. How they are judged: "
      "[theory/claims.md](theory/claims.md).\n\n"
      "| id | statement | source | verdict | notes | corrected | measured | evidence | resolution |\n"
      "|---|---|---|---|---|---|---|---|---|\n",
      arguments.samples, arguments.seed));
  for (const CheckedClaim& checked : all) {
    const ClaimValues values = checked.values();
    std::string statement;
    for (const char c : checked.claim.statement)
      statement += c == '|' ? std::string("\\|") : std::string(1, c);
    print(fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", checked.claim.id, statement,
                      checked.claim.source, theory::to_string(checked.claim.verdict),
                      number_text(values.notes), number_text(values.corrected), measured_text(checked),
                      checked.finding.evidence, resolution_text(checked.finding)));
  }
}

/// How fine the checks are, and how many claims are observations, without a formula.
void print_resolutions(const std::vector<CheckedClaim>& all) {
  std::vector<double> resolutions;
  std::size_t observed = 0;
  for (const CheckedClaim& checked : all) {
    if (checked.finding.resolution)
      resolutions.push_back(100 * *checked.finding.resolution);
    else if (checked.claim.check != nullptr)
      ++observed;
  }
  if (resolutions.empty()) return;
  const auto coarse = std::ranges::count_if(resolutions, [](double percent) { return percent > 1; });
  print(fmt::format(
      "{} have a formula: a relative error of {:.2g} % of it is caught in the median, {:.2g} % at worst, {} "
      "of them above 1 %; {} are observations\n",
      resolutions.size(), math::median(resolutions), *std::ranges::max_element(resolutions), coarse,
      observed));
}

int list(const std::vector<Claim>& claims) {
  for (const Claim& claim : claims) {
    print_coloured(fmt::format("{}  {}  {} [{}]\n", left(std::string(claim.id), id_width(claims)),
                               verdict_column(claim.verdict), claim.statement, claim.source));
  }
  return kSuccess;
}

int print_functions() {
  print(fmt::format(
      "# Formulas\n\n"
      "Printed by `sluice check --functions` from the code that reads them; `make docs` renews it. Claims of "
      "your own are\n"
      "written in them: [theory/claims.md](../theory/claims.md#your-own-claims).\n\n{}",
      math::expression_reference()));
  return kSuccess;
}

/// Claims of the user's own: files alone, and no choice among them.
int check_own(const Arguments& arguments) {
  for (const std::string& argument : arguments.ids) {
    if (!lab::names_claim_file(argument))
      throw InputError(fmt::format("{}: expected a file beside {}, or ids of claims alone", argument,
                                   *std::ranges::find_if(arguments.ids, lab::names_claim_file)));
  }
  const std::string& file = arguments.ids.front();
  if (!arguments.document.empty())
    throw InputError("--document: expected ids of claims; " + file + " is a file");
  if (arguments.list) throw InputError("--list: expected ids of claims; " + file + " is a file");
  if (arguments.markdown) throw InputError("--markdown: expected ids of claims; " + file + " is a file");
  return check_files({.files = arguments.ids,
                      .samples = arguments.samples,
                      .seed = arguments.seed,
                      .threads = arguments.threads,
                      .json = arguments.json});
}

std::vector<Claim> chosen(const Arguments& arguments) {
  try {
    return lab::choose_claims(arguments.ids, arguments.document);
  } catch (const lab::UnknownClaim& unknown) {
    throw InputError(fmt::format("{}; `sluice check --list` has all ids", unknown.what()));
  }
}

int check(const Arguments& arguments) {
  if (arguments.functions) return print_functions();
  if (std::ranges::any_of(arguments.ids, lab::names_claim_file)) return check_own(arguments);
  const std::vector<Claim> claims = chosen(arguments);
  if (arguments.list) return list(claims);
  const auto began = std::chrono::steady_clock::now();
  const bool as_table = !arguments.json && !arguments.markdown;
  math::Workers workers(arguments.threads);
  const theory::Sampler sampler(arguments.samples, arguments.seed, workers);
  const std::size_t width = id_width(claims);
  if (as_table) print_heading(width);
  const std::vector<CheckedClaim> all = lab::check_claims(claims, sampler, [&](const CheckedClaim& checked) {
    if (as_table) print_row(checked, width);
    return true;
  });
  const auto definitions = std::ranges::count_if(
      all, [](const CheckedClaim& checked) { return checked.claim.verdict == Verdict::definition; });
  const auto failed =
      std::ranges::count_if(all, [](const CheckedClaim& checked) { return !checked.finding.passed; });
  if (arguments.json) {
    file::Json document{{"samples", arguments.samples}, {"seed", arguments.seed}, {"failed", failed}};
    for (const CheckedClaim& checked : all) document["claims"].push_back(lab::to_json(checked));
    print(fmt::format("{}\n", document.dump(2)));
  } else if (arguments.markdown) {
    print_markdown(all, arguments);
  } else {
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - began;
    const theory::ClaimCount count = theory::count(claims);
    print(fmt::format(
        "\n{} claims: {} checked, by {} different checks; {} definitions, {} failed; {} samples, seed {}, "
        "{:.1f} s\n",
        count.claims, count.checked, count.checks, definitions, failed, arguments.samples, arguments.seed,
        seconds.count()));
    print_resolutions(all);
  }
  return failed == 0 ? kSuccess : kFailure;
}

}  // namespace
}  // namespace of_check

void add_check(App& app, Action& action) {
  using namespace of_check;
  App* verb = app.add_subcommand(
      "check", "Check the equations of the notes, or your own: closed form against measurement");
  auto arguments = std::make_shared<Arguments>();
  verb->add_option("ID", arguments->ids,
                   "Claims to check (default: all), for example N0.12 C.4; or files with claims of your own");
  verb->add_option("--document", arguments->document,
                   "Only claims of one document: 000, 001, 002, 003, 004, sheet or sluice")
      ->check([](const std::string& text) {
        return std::ranges::count(theory::documents(), text) > 0
                   ? ""
                   : fmt::format("{}: expected 000, 001, 002, 003, 004, sheet or sluice", text);
      })
      ->type_name("NAME");
  verb->add_option("--samples", arguments->samples, "Samples of each class per measurement")
      ->check([](const std::string& text) {
        return check_number<std::int64_t>(text, 10'000, 1'000'000'000, "an integer from 10000 to 1000000000");
      })
      ->type_name("N")
      ->capture_default_str();
  verb->add_option("--seed", arguments->seed, "Fixes every random number")
      ->check([](const std::string& text) {
        return check_number<std::uint64_t>(text, 0, 1ULL << 62, "an integer, 0 or more");
      })
      ->type_name("N")
      ->capture_default_str();
  add_threads(*verb, arguments->threads);
  verb->add_flag("--list", arguments->list, "Ids, verdicts and statements; nothing is run");
  verb->add_flag("--json", arguments->json, "As JSON on standard output");
  verb->add_flag("--markdown", arguments->markdown, "As the Markdown table of docs/ledger.md");
  verb->add_flag("--functions", arguments->functions,
                 "What formulas of a file may be, as docs/reference/expressions.md; nothing is run");
  verb->footer(
      "Examples:\n  sluice check\n  sluice check N0.16 N0.17\n  sluice check --document 001 --samples "
      "4000000\n  sluice check mine.toml\n\n"
      "A file has a task, symbols, what to measure and the formula that it should equal: see "
      "docs/theory/claims.md.\n"
      "Exit code 1 when a claim that we state as true does not hold.");
  verb->callback([&action, arguments] { action = [arguments] { return check(*arguments); }; });
}

}  // namespace sluice::cli
