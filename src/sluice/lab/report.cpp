#include "sluice/lab/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>

#include "sluice/figure/figure.hpp"
#include "sluice/figure/recipes.hpp"
#include "sluice/figure/report.hpp"
#include "sluice/figure/table_view.hpp"
#include "sluice/file/atomic_file.hpp"
#include "sluice/lab/deep_report.hpp"
#include "sluice/lab/write_figure.hpp"
#include "sluice/probe/ipr.hpp"
#include "sluice/version.hpp"

namespace sluice::lab {
namespace fs = std::filesystem;
namespace {

/// The record as the recipes want it. IPR is recomputed from the weights: a record need not have watched it.
struct View {
  std::vector<float> ipr;
  figure::RunView run;
  std::span<const double> flow_distance;  // of a run that watched it

  View(const std::string& title, const file::NamedArrays& record, std::int64_t dimensions) {
    const file::Array& weights = *file::find(record, "weights");
    const auto fields = std::span(weights.as<float>());
    const auto n = static_cast<std::size_t>(weights.shape[2]);
    for (std::size_t at = 0; at < fields.size(); at += n) {
      ipr.push_back(static_cast<float>(probe::ipr(fields.subspan(at, n))));
    }
    run = {.title = title,
           .units = weights.shape[1],
           .sites = weights.shape[2],
           .step = file::find(record, "step")->as<std::int64_t>(),
           .weights = fields,
           .ipr = ipr,
           .loss = file::find(record, "loss")->as<double>(),
           .accuracy = file::find(record, "accuracy")->as<double>()};
    if (const file::Array* loss = file::find(record, "train_loss")) run.train_loss = loss->as<double>();
    if (const file::Array* accuracy = file::find(record, "train_accuracy"))
      run.train_accuracy = accuracy->as<double>();
    if (const file::Array* flow = file::find(record, "flow_weights")) run.flow = flow->as<float>();
    if (const file::Array* distance = file::find(record, "flow_distance"))
      flow_distance = distance->as<double>();
    if (dimensions == 2) run.side = std::lround(std::sqrt(static_cast<double>(n)));
  }
  View(const View&) = delete;
  View& operator=(const View&) = delete;
  View(View&&) = default;
  View& operator=(View&&) = default;
  ~View() = default;
};

/// Four decimals, as losses are usually below 1; a diverged one does not get forty digits.
std::string number(double value) {
  return value < 1e4 ? fmt::format("{:.4f}", value) : fmt::format("{:.3g}", value);
}

std::vector<figure::Fact> key_numbers(const Summary& summary, const View& view) {
  std::vector<figure::Fact> facts{
      {"steps", fmt::format("{}", summary.steps)},
      {"loss", number(summary.loss)},
      {"accuracy", fmt::format("{:.1f} %", 100 * summary.accuracy)},
      {"median IPR", fmt::format("{:.3f} → {:.3f}", summary.ipr_start, summary.ipr_end)},
      {fmt::format("localized (IPR ≥ {:.2g})", probe::localized_threshold(view.run.sites)),
       fmt::format("{:.0f} %", 100 * summary.localized)},
      {"excess kurtosis, exact", fmt::format("{:.3f}", summary.excess_kurtosis)},
      {"excess kurtosis, measured", fmt::format("{:.3f}", summary.excess_kurtosis_measured)},
  };
  if (!view.flow_distance.empty()) {
    const double largest = *std::max_element(view.flow_distance.begin(), view.flow_distance.end());
    facts.push_back({"distance to the flow", fmt::format("largest {:.2f} %, last {:.2f} %", 100 * largest,
                                                         100 * view.flow_distance.back())});
  }
  return facts;
}

std::vector<figure::Figure> figures_of(const figure::RunView& run) {
  std::vector<figure::Figure> figures{figure::receptive_fields(run), figure::evolution(run),
                                      figure::learning(run)};
  if (!run.flow.empty()) figures.push_back(figure::flow_comparison(run));
  return figures;
}

std::string footer() {
  return fmt::format("sluice {}. Loss is ½⟨(ŷ−y)²⟩ over a fixed evaluation set; IPR is Σw⁴/(Σw²)².",
                     version());
}

}  // namespace

void write_run_report(const record::RunFolder& folder, const std::string& name, Experiment& experiment,
                      const file::NamedArrays& record, const Summary& summary) {
  const View view(name, record, experiment.task.dimensions());
  const std::vector<figure::Figure> figures = figures_of(view.run);
  for (const figure::Figure& figure : figures) write_figure(figure, folder.figures());
  const figure::Report report{
      .title = experiment.title.empty() ? name : experiment.title,
      .question = experiment.question,
      .key_numbers = key_numbers(summary, view),
      .table = {},
      .sections =
          {{.heading = "Receptive fields", .text = "", .figures = figures, .facts = {}, .preformatted = ""},
           {.heading = "Spec",
            .text = "The resolved spec: running it again gives the same bits.",
            .figures = {},
            .facts = {},
            .preformatted = to_toml(experiment)}},
      .footer = footer(),
  };
  file::write_atomically(folder.report(), figure::report_html(report));
}

std::string label_of(const std::vector<Setting>& settings) {
  std::string label;
  for (const Setting& setting : settings) {
    label += fmt::format("{}{} = {}", label.empty() ? "" : ", ", setting.name, setting.value);
  }
  return label;
}

namespace {

/// What a table says of runs of deep networks.
SummaryTable deep_table(const std::vector<SweepPoint>& points) {
  SummaryTable table;
  for (const Setting& setting : points.front().settings) table.header.push_back(setting.name);
  for (const char* name : {"train loss", "train accuracy", "test loss", "test accuracy", "error"})
    table.header.emplace_back(name);
  for (const SweepPoint& point : points) {
    const Summary& s = point.summary;
    std::vector<std::string>& row = table.rows.emplace_back();
    for (const Setting& setting : point.settings) row.push_back(setting.value);
    row.insert(row.end(), {number(s.train_loss), fmt::format("{:.4f}", s.train_accuracy), number(s.loss),
                           fmt::format("{:.4f}", s.accuracy), fmt::format("{:.3g}", s.error)});
  }
  return table;
}

}  // namespace

SummaryTable summary_table(const std::vector<SweepPoint>& points) {
  if (points.front().summary.deep) return deep_table(points);
  SummaryTable table;
  for (const Setting& setting : points.front().settings) table.header.push_back(setting.name);
  for (const char* name : {"excess kurtosis", "IPR start", "IPR end", "localized", "loss", "accuracy"}) {
    table.header.emplace_back(name);
  }
  for (const SweepPoint& point : points) {
    const Summary& s = point.summary;
    std::vector<std::string>& row = table.rows.emplace_back();
    for (const Setting& setting : point.settings) row.push_back(setting.value);
    row.insert(row.end(), {fmt::format("{:.3f}", s.excess_kurtosis), fmt::format("{:.3f}", s.ipr_start),
                           fmt::format("{:.3f}", s.ipr_end), fmt::format("{:.0f} %", 100 * s.localized),
                           number(s.loss), fmt::format("{:.3f}", s.accuracy)});
  }
  return table;
}

namespace {

/// RFC 4180: a cell with commas or quotes is quoted, quotes inside are doubled.
std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string summary_csv(const std::vector<SweepPoint>& points) {
  std::string csv;
  for (const Setting& setting : points.front().settings) csv += setting.name + ",";
  const bool deep = points.front().summary.deep;
  if (deep) csv += "train_loss,train_accuracy,loss,accuracy,error\n";
  if (!deep)
    csv +=
        "excess_kurtosis,excess_kurtosis_measured,ipr_median_start,ipr_median_end,localized_share,loss,"
        "accuracy\n";
  for (const SweepPoint& point : points) {
    const Summary& s = point.summary;
    for (const Setting& setting : point.settings) {
      csv += csv_cell(setting.value) + ",";
    }
    if (deep)
      csv += fmt::format("{},{},{},{},{}\n", s.train_loss, s.train_accuracy, s.loss, s.accuracy, s.error);
    else
      csv += fmt::format("{},{},{},{},{},{},{}\n", s.excess_kurtosis, s.excess_kurtosis_measured, s.ipr_start,
                         s.ipr_end, s.localized, s.loss, s.accuracy);
  }
  return csv;
}

std::optional<double> number_in(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Distance to the flow against the first axis of a sweep, where every run watched it and the axis is a number: root mean
/// square over time and over the other axes. Over the batch also the law of independent noise, 1/√batch.
std::optional<figure::Figure> flow_distances(const std::vector<SweepPoint>& points,
                                             const std::vector<View>& views) {
  std::map<double, std::vector<double>> squares;  // of each run, by x
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::optional<double> x = number_in(points[i].settings.front().value);
    const std::span<const double> distance = views[i].flow_distance;
    if (!x || distance.empty()) return std::nullopt;
    squares[*x].push_back(std::inner_product(distance.begin(), distance.end(), distance.begin(), 0.0) /
                          static_cast<double>(distance.size()));
  }
  if (squares.size() < 2) return std::nullopt;
  const std::string& axis = points.front().settings.front().name;
  figure::LinesView view{.name = "flow_distance",
                         .title = "Distance of training from its flow",
                         .x_label = axis,
                         .y_label = "relative distance (%)",
                         .x = {},
                         .curves = {{"training", {}, {}}}};
  double level = 0;  // mean of log(distance·√x)
  for (const auto& [x, of_runs] : squares) {
    const auto runs = static_cast<double>(of_runs.size());
    const double mean = std::accumulate(of_runs.begin(), of_runs.end(), 0.0) / runs;
    double spread = 0;
    for (const double square : of_runs) spread += (square - mean) * (square - mean);
    const double rms = 100 * std::sqrt(mean);
    view.x.push_back(x);
    view.curves[0].y.push_back(rms);
    view.curves[0].error.push_back(runs > 1 ? rms / 2 * std::sqrt(spread / (runs - 1) / runs) / mean : 0);
    level += std::log(rms * std::sqrt(x)) / static_cast<double>(squares.size());
  }
  if (axis == "batch") {
    view.curves.push_back({"1/√batch", {}, {}});
    for (const double x : view.x) view.curves[1].y.push_back(std::exp(level) / std::sqrt(x));
  }
  return figure::table_lines(view);
}

}  // namespace

namespace {

/// The settings of a point but the seed: what its curve is called when several seeds make one.
std::string label_without_seed(const SweepPoint& point) {
  std::vector<Setting> others;
  std::ranges::copy_if(point.settings, std::back_inserter(others),
                       [](const Setting& s) { return s.name != "seed"; });
  return label_of(others);
}

/// "0.9712 ± 0.0013 (5)": mean, standard deviation and number of values.
std::string spread(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return values.size() < 2 ? number(mean)
                           : fmt::format("{} ± {} ({})", number(mean),
                                         number(std::sqrt(squares / (count - 1))), values.size());
}

/// Curves of deep runs over common axes, several seeds of a point as one with its spread.
std::vector<figure::ReportSection> deep_sections(const fs::path& folder,
                                                 const std::vector<SweepPoint>& points) {
  std::vector<LabelledRecord> runs;
  std::vector<std::string> order;
  std::map<std::string, std::vector<const Summary*>> by_label;
  for (const SweepPoint& point : points) {
    runs.push_back({label_without_seed(point), &point.record});
    if (!by_label.contains(runs.back().label)) order.push_back(runs.back().label);
    by_label[runs.back().label].push_back(&point.summary);
  }
  std::vector<figure::ReportSection> sections{
      {.heading = "Side by side",
       .text = order.size() < points.size() ? "Means over seeds with standard errors." : "",
       .figures = deep_comparison(runs),
       .facts = {},
       .preformatted = ""}};
  for (const figure::Figure& figure : sections[0].figures) write_figure(figure, folder / "figures");
  for (const std::string& label : order) {
    const auto values = [&](double Summary::*member) {
      std::vector<double> all;
      for (const Summary* summary : by_label[label]) all.push_back(summary->*member);
      return all;
    };
    std::vector<figure::Fact> facts;
    const auto add = [&](const char* name, double Summary::*member) {
      const std::vector<double> all = values(member);
      if (std::isfinite(all.front())) facts.push_back({name, spread(all)});
    };
    add("test accuracy", &Summary::accuracy);
    add("training accuracy", &Summary::train_accuracy);
    add("test loss", &Summary::loss);
    add("training loss", &Summary::train_loss);
    add("‖e(t)‖/‖e(0)‖", &Summary::error);
    sections.push_back({.heading = label.empty() ? "All seeds" : label,
                        .text = "",
                        .figures = {},
                        .facts = facts,
                        .preformatted = ""});
  }
  return sections;
}

/// Receptive fields of the runs side by side, then each run by itself.
std::vector<figure::ReportSection> field_sections(const fs::path& folder,
                                                  const std::vector<SweepPoint>& points) {
  std::vector<View> views;
  std::vector<figure::ComparedRun> compared;
  views.reserve(points.size());
  for (const SweepPoint& point : points) {
    views.emplace_back(label_of(point.settings), point.record, point.dimensions);
    compared.push_back({.label = label_of(point.settings),
                        .view = views.back().run,
                        .localized_share = point.summary.localized,
                        .kurtosis = point.summary.excess_kurtosis});
  }
  std::vector<figure::ReportSection> sections;
  constexpr std::size_t kMostColumns = 6;  // what still reads on a page
  const std::size_t columns = std::min(kMostColumns, compared.size());
  const figure::Figure comparison = figure::comparison(std::span(compared).first(columns));
  write_figure(comparison, folder / "figures");
  sections.push_back(
      {.heading = "Side by side",
       .text = columns < compared.size() ? fmt::format("The first {} runs of the sweep.", columns) : "",
       .figures = {comparison},
       .facts = {},
       .preformatted = ""});
  if (const std::optional<figure::Figure> distances = flow_distances(points, views)) {
    write_figure(*distances, folder / "figures");
    sections.push_back({.heading = "Distance to the flow",
                        .text = "Root mean square over time and, where there are several, over runs.",
                        .figures = {*distances},
                        .facts = {},
                        .preformatted = ""});
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    sections.push_back({.heading = label_of(points[i].settings),
                        .text = "",
                        .figures = figures_of(views[i].run),
                        .facts = key_numbers(points[i].summary, views[i]),
                        .preformatted = ""});
  }
  return sections;
}

}  // namespace

void write_sweep_report(const fs::path& folder, const std::string& name, Experiment& experiment,
                        const std::vector<SweepPoint>& points) {
  const SummaryTable table = summary_table(points);
  std::vector<figure::ReportSection> sections =
      points.front().summary.deep ? deep_sections(folder, points) : field_sections(folder, points);
  sections.push_back(
      {.heading = "Spec",
       .text = "The resolved spec of the first run; the others differ only in what the table's first "
               "columns name, and each run folder holds its own.",
       .figures = {},
       .facts = {},
       .preformatted = to_toml(experiment)});
  const figure::Report report{.title = experiment.title.empty() ? name : experiment.title,
                              .question = experiment.question,
                              .key_numbers = {},
                              .table = {table.header, table.rows},
                              .sections = sections,
                              .footer = footer()};
  file::write_atomically(folder / "report.html", figure::report_html(report));
  file::write_atomically(folder / "summary.csv", summary_csv(points));
}

}  // namespace sluice::lab
