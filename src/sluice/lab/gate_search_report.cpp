#include "sluice/lab/gate_search_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <utility>

#include "sluice/figure/gate_search_view.hpp"
#include "sluice/figure/report.hpp"
#include "sluice/figure/text.hpp"
#include "sluice/version.hpp"

namespace sluice::lab {
namespace {

constexpr double kNoticed = 1e-6;  // smaller differences of losses are rounding (flow::open_product)

std::string plus_minus(const flow::Estimate& value) {
  const double mean = std::abs(value.mean) < kNoticed ? 0 : value.mean;
  return fmt::format("{:.5f} ± {:.5f}", mean, value.error);
}

}  // namespace

std::string verdict(const flow::Estimate& behind) {
  const double margin = 2 * behind.error + kNoticed;
  return behind.mean > margin ? "beats" : behind.mean < -margin ? "loses to" : "does not beat";
}

std::vector<std::string> conclusions(const GateSearch& search) {
  const Structure &refined = search.refined(), &greedy = search.greedy(), &tiling = search.best_tiling();
  const std::string where = search.exact ? "On all points of the task" : "On held-out samples";
  const auto sentence = [&](const Structure& whom, const std::string& called) {
    return fmt::format("{} the refined set {} {}: its loss is lower by {}.", where, verdict(whom.behind),
                       called, plus_minus(whom.behind));
  };
  std::vector<std::string> all{
      sentence(tiling, fmt::format("the best tiling by one law ({})", tiling.detail)),
      sentence(greedy, "the greedy choice from the library"),
      fmt::format("{} of the {} refined gates count as localized; their mean IPR is {:.3f}.",
                  refined.localized, search.units, refined.ipr)};
  if (!search.agreements.empty()) {
    const AgreementRow &found = search.agreements.front(), &phases = search.agreements[3],
                       &normals = search.agreements[4];
    all.push_back(fmt::format(
        "On the mean a refined gate agrees with its best ReLU unit on {:.1f} % of the samples, and on {:.1f} "
        "% when it may be shifted; with "
        "its phases drawn at random on {:.1f} and {:.1f} %, a random normal on {:.1f} and {:.1f} %.",
        100 * found.mean.best, 100 * found.mean.shifted, 100 * phases.mean.best, 100 * phases.mean.shifted,
        100 * normals.mean.best, 100 * normals.mean.shifted));
  }
  return all;
}

figure::ReportTable structure_table(const GateSearch& search) {
  figure::ReportTable table{
      {"gates", "which", "L fitted", "L held out", "L − L refined", "refined", "IPR", "localized"}, {}};
  for (const Structure& one : search.structures)
    table.rows.push_back({one.name, one.detail, fmt::format("{:.5f}", one.fitted), plus_minus(one.held_out),
                          &one == &search.refined() ? "" : plus_minus(one.behind),
                          &one == &search.refined() ? "" : verdict(one.behind) + " this",
                          fmt::format("{:.3f}", one.ipr),
                          fmt::format("{} of {}", one.localized, search.units)});
  return table;
}

figure::ReportTable agreement_table(const GateSearch& search) {
  figure::ReportTable table{{"gates", "best unit", "one to one", "best unit, shifted"}, {}};
  for (const AgreementRow& row : search.agreements) {
    std::vector<std::string> cells{row.name};
    for (const auto number : {&flow::Agreement::best, &flow::Agreement::matched, &flow::Agreement::shifted})
      cells.push_back(
          row.spread ? fmt::format("{:.1f} ± {:.1f} %", 100 * row.mean.*number, 100 * (*row.spread).*number)
                     : fmt::format("{:.1f} %", 100 * row.mean.*number));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

figure::Figure search_figure(const GateSearch& search) {
  figure::GateSearchView view{.sites = static_cast<std::size_t>(search.inputs),
                              .gates = {},
                              .initial_loss = search.initial_loss,
                              .rounds = search.rounds,
                              .refined = search.refined().fitted,
                              .structures = {}};
  const auto n = static_cast<std::size_t>(search.inputs);
  for (std::size_t k = 0; k < static_cast<std::size_t>(search.units); ++k) {
    const auto v = std::span(search.refined().gates).subspan(k * n, n);
    view.gates.emplace_back(v.begin(), v.end());
  }
  for (const Structure& one : search.structures)
    view.structures.push_back({one.name, one.held_out.mean, one.held_out.error});
  return figure::gate_search(view);
}

file::Json to_json(const GateSearch& search) {
  const auto estimate = [](const flow::Estimate& value) {
    return file::Json{{"mean", value.mean}, {"error", value.error}};
  };
  const auto agreement = [](const flow::Agreement& value) {
    return file::Json{{"best", value.best}, {"matched", value.matched}, {"shifted", value.shifted}};
  };
  file::Json structures = file::Json::array(), rows = file::Json::array();
  for (const Structure& one : search.structures) {
    const std::vector<double> gates(one.gates.begin(), one.gates.end());
    structures.push_back({{"name", one.name},
                          {"detail", one.detail},
                          {"fitted", one.fitted},
                          {"held_out", estimate(one.held_out)},
                          {"behind_refined", estimate(one.behind)},
                          {"ipr", one.ipr},
                          {"localized", one.localized},
                          {"gates", gates}});
  }
  for (const AgreementRow& row : search.agreements) {
    file::Json one{{"name", row.name}, {"mean", agreement(row.mean)}};
    if (row.spread) one["spread"] = agreement(*row.spread);
    rows.push_back(one);
  }
  const GateSearch::Budget& budget = search.budget;
  return {{"units", search.units},
          {"inputs", search.inputs},
          {"initial_loss", search.initial_loss},
          {"structures", structures},
          {"chosen", search.chosen},
          {"rounds", search.rounds},
          {"run", search.run},
          {"run_units", search.run_units},
          {"agreements", rows},
          {"conclusions", conclusions(search)},
          {"budget",
           {{"candidates", budget.candidates},
            {"gains", budget.gains},
            {"fits", budget.fits},
            {"points", budget.points},
            {"held_out", budget.held_out},
            {"seconds", budget.seconds}}}};
}

std::string search_csv(const GateSearch& search) {
  std::string csv =
      "gates,which,fitted,held_out,held_out_error,behind_refined,behind_refined_error,ipr,localized\n";
  for (const Structure& one : search.structures)
    csv +=
        fmt::format("{},\"{}\",{},{},{},{},{},{},{}\n", one.name, one.detail, one.fitted, one.held_out.mean,
                    one.held_out.error, one.behind.mean, one.behind.error, one.ipr, one.localized);
  return csv;
}

std::string search_page(const GateSearch& search, const std::string& title) {
  const GateSearch::Budget& budget = search.budget;
  std::vector<figure::ReportSection> sections{
      {.heading = "What was found",
       .text = fmt::format("{}", fmt::join(conclusions(search), "\n\n")),
       .figures = {search_figure(search)}},
      {.heading = "How it was found",
       .text = fmt::format("Gates were added one by one, each time the one of {} half-spaces that lowers the "
                           "limiting loss most, then turned along the derivative of the loss, from these "
                           "gates and from the tiling that fitted best. Weights were fitted on the same "
                           "sample; the held-out loss is that of these weights on another. "
                           "Differences to the refined gates are taken draw by draw. ± is one standard error "
                           "of the held-out sample, and “beats” means by more than two; another "
                           "seed is another search. In the order of the rounds: {}.",
                           figure::grouped(budget.candidates), fmt::join(search.chosen, "; ")),
       .facts = {{"half-spaces tried", figure::grouped(budget.candidates)},
                 {"gains computed", figure::grouped(budget.gains)},
                 {"sets of gates fitted", figure::grouped(budget.fits)},
                 {"points to find them on", figure::grouped(budget.points)},
                 {"points to judge them on", figure::grouped(budget.held_out)},
                 {"seconds", fmt::format("{:.1f}", budget.seconds)}}}};
  if (!search.agreements.empty()) {
    std::string lines;
    const figure::ReportTable agreement = agreement_table(search);
    for (const auto& row : agreement.rows)
      lines += fmt::format("{:<26}{:>16}{:>16}{:>20}\n", row[0], row[1], row[2], row[3]);
    sections.push_back(
        {.heading = "Beside a trained ReLU network",
         .text = fmt::format("The agreement of a gate and one of the {} ReLU units of {}: the share of "
                             "samples on which both are open or both closed. "
                             "First column: every gate with the unit it agrees with most; second: a unit "
                             "goes to one gate only; third: every gate "
                             "moved along the ring to where it agrees most. Of gates drawn at random: mean "
                             "and standard deviation of {} sets.",
                             search.run_units, search.run, GateSearch::kChances),
         .preformatted = fmt::format("{:<26}{:>16}{:>16}{:>20}\n", agreement.header[0], agreement.header[1],
                                     agreement.header[2], agreement.header[3]) +
                         lines});
  }
  sections.push_back({.heading = "Spec", .preformatted = search.spec});
  return figure::report_html(
      {.title = title,
       .question = "Which half-spaces would a network of gated linear units want, and are they those that "
                   "ReLU units learn?",
       .key_numbers = {{"K", fmt::format("{}", search.units)},
                       {"L held out, refined", fmt::format("{:.4f}", search.refined().held_out.mean)},
                       {"L held out, best tiling", fmt::format("{:.4f}", search.best_tiling().held_out.mean)},
                       {"refined against tiling", verdict(search.best_tiling().behind)}},
       .table = structure_table(search),
       .sections = std::move(sections),
       .footer = fmt::format("sluice {}. L = ½E(ŷ − Y)².", version()),
       .data = ""});
}

}  // namespace sluice::lab
