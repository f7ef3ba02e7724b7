#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sluice/figure/branches_view.hpp"
#include "sluice/lab/branches.hpp"
#include "sluice/version.hpp"

namespace sluice::lab {
namespace {

/// "0.1712 ± 0.0008": two digits of the error.
std::string with_error(const Measured& measured) {
  if (!measured.error || !(*measured.error > 0)) return fmt::format("{:.5g}", measured.value);
  const int digits = std::clamp(1 - static_cast<int>(std::floor(std::log10(*measured.error))), 0, 12);
  if (std::abs(measured.value) < 1e-3) return fmt::format("{:.3g} ± {:.1g}", measured.value, *measured.error);
  return fmt::format("{:.{}f} ± {:.{}f}", measured.value, digits, *measured.error, digits);
}

file::Json json_of(const Measured& measured) {
  file::Json error, dilution;  // null where there is none
  if (measured.error) error = *measured.error;
  if (measured.dilution) dilution = *measured.dilution;
  return {{"value", measured.value}, {"error", error}, {"dilution", dilution}};
}

std::string_view word_for(flow::Branch::Ending ending) {
  return ending == flow::Branch::Ending::range    ? "range"
         : ending == flow::Branch::Ending::points ? "points"
                                                  : "lost";
}

}  // namespace

figure::ReportTable critical_table(const BranchStudy& study) {
  figure::ReportTable table{{"branch", "what happens", std::string(study.parameter->choice.name), "h → 0",
                             "followed at", "half step", "loss", "d rate", "directions", "curvature"},
                            {}};
  for (const CriticalValue& critical : study.critical) {
    table.rows.push_back(
        {critical.branch, critical.kind, with_error(critical.parameter),
         critical.parameter.dilution ? fmt::format("{:+.2g}", *critical.parameter.dilution) : "",
         fmt::format("{:.5g}", critical.followed),
         std::isfinite(critical.halved) ? fmt::format("{:.1g}", critical.halved) : "not found",
         fmt::format("{:.6f}", critical.loss), fmt::format("{:+.3g}", critical.slope),
         fmt::format("{}", critical.directions), critical.curvature ? with_error(*critical.curvature) : ""});
  }
  return table;
}

figure::ReportTable branch_table(const BranchStudy& study) {
  figure::ReportTable table{{std::string(study.parameter->choice.name), "branch", "loss", "fastest rate",
                             "growing", "IPR", "R₁", "barrier", "rate at the pass"},
                            {}};
  for (const BranchRow& row : study.rows) {
    const auto barrier = std::ranges::find(study.barriers, row.parameter, &BarrierRow::parameter);
    const bool told = row.branch == "site" && barrier != study.barriers.end();
    table.rows.push_back(
        {fmt::format("{:g}", row.parameter), row.branch, with_error(row.loss),
         fmt::format("{:+.3g}", row.fastest), fmt::format("{}", row.growing),
         fmt::format("{:.4f}", row.arrangement.ipr), fmt::format("{:.4f}", row.arrangement.concentration),
         told ? with_error(barrier->height) : "", told ? fmt::format("{:.3g}", barrier->rate) : ""});
  }
  return table;
}

figure::ReportTable basin_table(const BranchStudy& study) {
  figure::ReportTable table{
      {std::string(study.parameter->choice.name), "starts", "loss", "fastest rate", "growing", "IPR", "R₁"},
      {}};
  if (study.units == 2) table.header.insert(table.header.end(), {"signs", "apart"});
  for (const Basin& basin : study.basins) {
    const Arrangement& arrangement = basin.arrangement;
    std::vector<std::string> row{fmt::format("{:g}", basin.parameter),
                                 fmt::format("{} of {}", basin.starts, basin.of),
                                 fmt::format("{:.6f}{}", basin.loss, basin.at_rest ? "" : " (moving)"),
                                 fmt::format("{:+.3g}", basin.fastest),
                                 fmt::format("{}", basin.growing),
                                 fmt::format("{:.4f}", arrangement.ipr),
                                 fmt::format("{:.4f}", arrangement.concentration)};
    if (study.units == 2) {
      row.emplace_back(arrangement.opposite ? "opposite" : "same");
      row.push_back(arrangement.apart ? fmt::format("{:.1f}", *arrangement.apart) : "");
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::vector<std::string> branch_remarks(const BranchStudy& study) {
  const std::string name(study.parameter->choice.name);
  std::vector<std::string> remarks;
  for (const ExchangeValue& exchange : study.exchanges)
    remarks.push_back(fmt::format("{} and {} have one loss at {} = {}: the lowest minimum changes hands",
                                  exchange.first, exchange.second, name, with_error(exchange.parameter)));
  if (study.exchanges.empty())
    remarks.emplace_back("no two stable branches have one loss: the lowest minimum changes hands nowhere");
  if (study.concentrated_from)
    remarks.push_back(
        fmt::format("R₁ of the site branch passes ½ at {} = {}", name, with_error(*study.concentrated_from)));
  if (std::isfinite(study.modulation) && study.modulation > 0)
    remarks.push_back(fmt::format("to leading order in the gain the flat field is modulated from {:.4g} on",
                                  study.modulation));
  for (const auto& [onset, what] : {std::pair{&study.trained_concentrated, "concentrated, R₁ ≥ ½,"},
                                    std::pair{&study.trained_localized, "localized"}}) {
    if (!*onset) continue;
    remarks.push_back(
        (*onset)->half
            ? fmt::format("half of the trained units are {} at {} = {:.4g} ± {:.2g} (values {:.2g} apart)",
                          what, name, *(*onset)->half, (*onset)->error, (*onset)->spacing)
            : fmt::format("the shares of trained units that are {} do not go from 0 to 1", what));
  }
  for (const NamedBranch& named : study.branches) {
    if (named.branch.ending != flow::Branch::Ending::range)
      remarks.push_back(
          fmt::format("{}: {} at {} = {:.4g}, after {} points", named.name,
                      named.branch.ending == flow::Branch::Ending::lost ? "was lost" : "stopped", name,
                      named.parameter.back(), named.parameter.size()));
  }
  return remarks;
}

figure::Figure branch_figure(const BranchStudy& study) {
  figure::BranchesView view{.units = study.units == 1 ? "one ReLU unit" : "two ReLU units",
                            .parameter = std::string(study.parameter->symbol),
                            .logarithmic = study.parameter->logarithmic};
  for (const NamedBranch& named : study.branches) {
    figure::BranchCurve curve{named.name, named.parameter, named.concentration, {}, {}, {}};
    for (const flow::FixedPoint& point : named.branch.points) {
      curve.loss.push_back(point.loss);
      curve.fastest.push_back(point.fastest());
      curve.stable.push_back(point.growing(still_rate(study.options.response)) == 0);
    }
    view.curves.push_back(std::move(curve));
  }
  for (const CriticalValue& critical : study.critical)
    if (!critical.offshoots.empty() || critical.kind == "fold")
      view.marks.push_back({critical.kind == "fold" ? "fold" : "pitchfork", critical.parameter.value});
  for (const ExchangeValue& exchange : study.exchanges)
    view.marks.push_back({"exchange", exchange.parameter.value});
  if (study.concentrated_from) view.marks.push_back({"R₁ = ½", study.concentrated_from->value});
  constexpr std::size_t kMostFields = 6;
  const bool has_site = std::ranges::find(study.rows, "site", &BranchRow::branch) != study.rows.end();
  for (const BranchRow& row : study.rows) {
    const bool shown = row.branch == "site" || (row.growing == 0 && !has_site);
    if (shown && view.fields.size() < kMostFields)
      view.fields.push_back({row.parameter, study.units, row.field});
  }
  if (study.trained_localized) {
    for (const OnsetShare& share : study.trained_localized->shares) {
      const auto units = static_cast<double>(share.units);
      const double p = static_cast<double>(share.having) / units;
      view.trained.push_back({share.parameter, p, std::sqrt(p * (1 - p) / units)});
    }
  }
  return figure::branches(view);
}

file::Json to_json(const BranchStudy& study) {
  file::Json branches = file::Json::array();
  for (const NamedBranch& named : study.branches) {
    file::Json points = file::Json::array();
    for (std::size_t p = 0; p < named.parameter.size(); ++p) {
      const flow::FixedPoint& point = named.branch.points[p];
      points.push_back({{"parameter", named.parameter[p]},
                        {"loss", point.loss},
                        {"fastest", point.fastest()},
                        {"growing", point.growing(still_rate(study.options.response))},
                        {"concentration", named.concentration[p]},
                        {"rates_inside", point.rates[0]},
                        {"rates_outside", point.rates[1]},
                        {"field", point.field}});
    }
    branches.push_back(
        {{"name", named.name}, {"ending", std::string(word_for(named.branch.ending))}, {"points", points}});
  }
  file::Json critical = file::Json::array();
  for (const CriticalValue& value : study.critical) {
    file::Json offshoots = file::Json::array();
    for (const flow::Offshoot& offshoot : value.offshoots)
      offshoots.push_back(
          {{"name", offshoot.name}, {"curvature", offshoot.curvature}, {"coarser", offshoot.coarser}});
    critical.push_back({{"branch", value.branch},
                        {"kind", value.kind},
                        {"parameter", json_of(value.parameter)},
                        {"followed", value.followed},
                        {"half_step", value.halved},
                        {"loss", value.loss},
                        {"rate_slope", value.slope},
                        {"directions", value.directions},
                        {"offshoots", offshoots},
                        {"curvature", value.curvature ? json_of(*value.curvature) : file::Json()}});
  }
  file::Json exchanges = file::Json::array();
  for (const ExchangeValue& value : study.exchanges)
    exchanges.push_back(
        {{"first", value.first}, {"second", value.second}, {"parameter", json_of(value.parameter)}});
  file::Json rows = file::Json::array();
  for (const BranchRow& row : study.rows)
    rows.push_back({{"parameter", row.parameter},
                    {"branch", row.branch},
                    {"loss", json_of(row.loss)},
                    {"fastest", row.fastest},
                    {"growing", row.growing},
                    {"ipr", row.arrangement.ipr},
                    {"concentration", row.arrangement.concentration},
                    {"field", row.field}});
  file::Json barriers = file::Json::array();
  for (const BarrierRow& row : study.barriers)
    barriers.push_back({{"parameter", row.parameter}, {"height", json_of(row.height)}, {"rate", row.rate}});
  file::Json basins = file::Json::array();
  for (const Basin& basin : study.basins) {
    const Arrangement& arrangement = basin.arrangement;
    basins.push_back({{"parameter", basin.parameter},
                      {"starts", basin.starts},
                      {"of", basin.of},
                      {"loss", basin.loss},
                      {"fastest", basin.fastest},
                      {"growing", basin.growing},
                      {"at_rest", basin.at_rest},
                      {"ipr", arrangement.ipr},
                      {"concentration", arrangement.concentration},
                      {"opposite", study.units == 2 ? file::Json(arrangement.opposite) : file::Json()},
                      {"apart", arrangement.apart ? file::Json(*arrangement.apart) : file::Json()},
                      {"field", basin.fields}});
  }
  file::Json json{{"parameter", std::string(study.parameter->choice.name)},
                  {"units", study.units},
                  {"branches", branches},
                  {"critical", critical},
                  {"exchanges", exchanges},
                  {"rows", rows},
                  {"barriers", barriers},
                  {"basins", basins}};
  if (study.concentrated_from) json["concentrated_from"] = json_of(*study.concentrated_from);
  if (study.modulation > 0) json["modulation"] = study.modulation;
  for (const auto& [onset, what] : {std::pair{&study.trained_concentrated, "trained_concentrated"},
                                    std::pair{&study.trained_localized, "trained_localized"}}) {
    if (!*onset) continue;
    file::Json shares = file::Json::array(), half;
    for (const OnsetShare& share : (*onset)->shares)
      shares.push_back({{"parameter", share.parameter}, {"units", share.units}, {"having", share.having}});
    if ((*onset)->half) half = *(*onset)->half;
    json[what] = file::Json{{"shares", shares}, {"half", half}, {"error", (*onset)->error}};
  }
  return json;
}

std::string branch_csv(const BranchStudy& study) {
  std::string csv = "branch,parameter,loss,fastest,growing,concentration\n";
  for (const NamedBranch& named : study.branches) {
    for (std::size_t p = 0; p < named.parameter.size(); ++p) {
      const flow::FixedPoint& point = named.branch.points[p];
      csv +=
          fmt::format("\"{}\",{},{},{},{},{}\n", named.name, named.parameter[p], point.loss, point.fastest(),
                      point.growing(still_rate(study.options.response)), named.concentration[p]);
    }
  }
  return csv;
}

std::string branch_page(const BranchStudy& study, const std::string& title) {
  std::string text =
      "Fixed points of the flow, followed by pseudo-arclength within their symmetry; stable where no "
      "eigenvalue of the Jacobian is "
      "above zero, in any symmetry. Places and losses with an error were found anew on independent sets of "
      "draws and "
      "extrapolated to no dilution (h → 0: by how much); rates, IPR and R₁ are those of the set that was "
      "followed.";
  for (const std::string& remark : branch_remarks(study)) text += "\n\n" + remark + ".";
  std::vector<figure::ReportSection> sections{
      {.heading = "Branches", .text = text, .figures = {branch_figure(study)}}};
  if (!study.rows.empty()) sections.push_back({.heading = "At some values", .table = branch_table(study)});
  if (!study.basins.empty()) sections.push_back({.heading = "Where starts end", .table = basin_table(study)});
  sections.push_back({.heading = "Spec", .preformatted = study.spec});
  return figure::report_html(
      {.title = title,
       .question = "Where does a field begin to be localized, and how?",
       .key_numbers = {},
       .table = critical_table(study),
       .sections = std::move(sections),
       .footer = fmt::format("sluice {}. L = ½E(ŷ − Y)²; rates per unit of time, rate × step.", version()),
       .data = ""});
}

}  // namespace sluice::lab
