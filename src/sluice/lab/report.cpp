#include "sluice/lab/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <sstream>
#include <utility>

#include "sluice/figure/figure.hpp"
#include "sluice/figure/page_data.hpp"
#include "sluice/figure/recipes.hpp"
#include "sluice/figure/report.hpp"
#include "sluice/figure/table_view.hpp"
#include "sluice/figure/text.hpp"
#include "sluice/file/atomic_file.hpp"
#include "sluice/lab/deep_report.hpp"
#include "sluice/probe/ipr.hpp"
#include "sluice/version.hpp"

namespace sluice::lab {
namespace fs = std::filesystem;
namespace {

/// An array of doubles over time, where the record has it.
std::span<const double> curve(const file::NamedArrays& record, const char* name) {
  const file::Array* array = file::find(record, name);
  if (array == nullptr) return {};
  return array->as<double>();
}

/// The record as the recipes want it. IPR is recomputed from the weights: a record need not have watched it.
/// Without weights there are no units and no sites.
struct View {
  std::vector<float> ipr;
  figure::RunView run;
  std::span<const double> flow_distance;  // of a run that watched it

  View(const std::string& title, const file::NamedArrays& record, std::int64_t dimensions) {
    run = {.title = title,
           .step = file::find(record, "step")->as<std::int64_t>(),
           .loss = curve(record, "loss"),
           .accuracy = curve(record, "accuracy"),
           .train_loss = curve(record, "train_loss"),
           .train_accuracy = curve(record, "train_accuracy")};
    flow_distance = curve(record, "flow_distance");
    const file::Array* weights = file::find(record, "weights");
    if (weights != nullptr && weights->shape.size() == 3) take(*weights, dimensions);
    if (const file::Array* flow = file::find(record, "flow_weights")) run.flow = flow->as<float>();
  }
  View(const View&) = delete;
  View& operator=(const View&) = delete;
  View(View&&) = default;
  View& operator=(View&&) = default;
  ~View() = default;

 private:
  void take(const file::Array& weights, std::int64_t dimensions) {
    run.units = weights.shape[1];
    run.sites = weights.shape[2];
    run.weights = weights.as<float>();
    const auto n = static_cast<std::size_t>(run.sites);
    for (std::size_t at = 0; at < run.weights.size(); at += n)
      ipr.push_back(static_cast<float>(probe::ipr(run.weights.subspan(at, n))));
    run.ipr = ipr;
    if (dimensions == 2) run.side = std::lround(std::sqrt(static_cast<double>(n)));
  }
};

/// Four decimals, as losses are usually below 1; a diverged one does not get forty digits.
std::string number(double value) {
  if (std::isnan(value)) return "–";
  return value < 1e4 ? fmt::format("{:.4f}", value) : fmt::format("{:.3g}", value);
}

std::vector<figure::Fact> key_numbers(const Summary& summary, const View& view) {
  std::vector<figure::Fact> facts{{"steps", fmt::format("{}", summary.steps)},
                                  {"loss", number(summary.loss)},
                                  {"accuracy", fmt::format("{:.1f} %", 100 * summary.accuracy)}};
  if (view.run.units > 0) {
    facts.push_back({"median IPR", fmt::format("{} → {}", figure::fixed(summary.ipr_start, 3),
                                               figure::fixed(summary.ipr_end, 3))});
    facts.push_back({fmt::format("localized (IPR ≥ {:.2g})", probe::localized_threshold(view.run.sites)),
                     fmt::format("{:.0f} %", 100 * summary.localized)});
  }
  facts.push_back({"excess kurtosis, exact", figure::fixed(summary.excess_kurtosis, 3)});
  facts.push_back({"excess kurtosis, measured", figure::fixed(summary.excess_kurtosis_measured, 3)});
  if (!view.flow_distance.empty()) {
    const double largest = *std::max_element(view.flow_distance.begin(), view.flow_distance.end());
    facts.push_back({"distance to the flow", fmt::format("{:.2f} %", 100 * view.flow_distance.back())});
    facts.push_back({"largest distance", fmt::format("{:.2f} %", 100 * largest)});
  }
  return facts;
}

std::vector<figure::Figure> figures_of(const figure::RunView& run) {
  if (run.units == 0) return {figure::learning(run)};
  std::vector<figure::Figure> figures{figure::receptive_fields(run), figure::evolution(run),
                                      figure::learning(run)};
  if (!run.flow.empty()) figures.push_back(figure::flow_comparison(run));
  return figures;
}

/// A run as the page is given it; a record below `most_embedded` bytes travels inside, for pages that are mailed.
figure::PageRun page_run(const std::string& label, const fs::path& folder, const fs::path& page,
                         const View& view, const file::NamedArrays& record, const Summary& summary,
                         std::uintmax_t most_embedded) {
  figure::PageRun run{.label = label,
                      .facts = summary.deep ? deep_key_numbers(summary) : key_numbers(summary, view),
                      .spec = file::read_text(folder / "spec.toml"),
                      .record = &record,
                      .side = view.run.side};
  const fs::path arrays = folder / "record.npz";
  std::error_code none;  // on two file systems without a common root there is no relative path, and no link
  run.record_link = fs::relative(arrays, fs::absolute(page).parent_path(), none).generic_string();
  if (fs::file_size(arrays) <= most_embedded) run.record_bytes = file::read_text(arrays);
  return run;
}

constexpr std::uintmax_t kMostEmbedded =
    1 << 20;  // bytes of record.npz that a page may carry, over all its runs

std::string footer() {
  return fmt::format("sluice {}. Loss is ½⟨(ŷ−y)²⟩ over a fixed evaluation set; IPR is Σw⁴/(Σw²)².",
                     version());
}

}  // namespace

namespace {

/// The page of one run, and what is drawn on it.
void write_page(const fs::path& page, const fs::path& folder, const std::string& name, Experiment& experiment,
                const file::NamedArrays& record, const Summary& summary, const View& view,
                const std::vector<figure::Figure>& figures) {
  const figure::PageRun run = page_run(name, folder, page, view, record, summary, kMostEmbedded);
  const figure::Report report{
      .title = experiment.title.empty() ? name : experiment.title,
      .question = experiment.question,
      .key_numbers = run.facts,
      .table = {},
      .sections = {{.heading = view.run.units > 0 ? "Receptive fields" : "Learning",
                    .text = "",
                    .figures = figures,
                    .facts = {},
                    .preformatted = "",
                    .also_in_viewer = true},
                   {.heading = "Spec",
                    .text = "The resolved spec: running it again gives the same bits.",
                    .figures = {},
                    .facts = {},
                    .preformatted = to_toml(experiment)}},
      .footer = footer(),
      .data = figure::page_data(std::span(&run, 1)),
  };
  file::write_atomically(page, figure::report_html(report));
}

}  // namespace

void write_run_report(record::RunFolder& folder, const std::string& name, Experiment& experiment,
                      const file::NamedArrays& record, const Summary& summary) {
  const View view(name, record, experiment.task.dimensions());
  const std::vector<figure::Figure> figures = figures_of(view.run);
  write_page(folder.report(), folder.path(), name, experiment, record, summary, view, figures);
  write_figures(figures, folder.path(), [&](const std::vector<std::string>& names) { folder.claim(names); });
}

void write_run_page(const fs::path& page, RecordedRun& run) {
  const View view(run.name, run.record, run.experiment.task.dimensions());
  write_page(page, run.folder, run.name, run.experiment, run.record, run.summary, view,
             run.summary.deep ? deep_figures(run.name, run.record) : figures_of(view.run));
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

/// What stands above and below the runs of a comparison.
struct Heading {
  std::string title, question, spec_text, spec;
};

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

figure::ReportSection section(std::string heading, std::string text, std::vector<figure::Figure> figures,
                              std::vector<figure::Fact> facts = {}) {
  return {.heading = std::move(heading),
          .text = std::move(text),
          .figures = std::move(figures),
          .facts = std::move(facts),
          .preformatted = ""};
}

/// Curves of deep runs over common axes, several seeds of a point as one with its spread, and below them the numbers they
/// come down to.
std::vector<figure::ReportSection> deep_sections(const std::vector<SweepPoint>& points) {
  std::vector<LabelledRecord> runs;
  std::vector<std::string> order;
  std::map<std::string, std::vector<const Summary*>> by_label;
  for (const SweepPoint& point : points) {
    runs.push_back({label_without_seed(point), &point.record});
    if (!by_label.contains(runs.back().label)) order.push_back(runs.back().label);
    by_label[runs.back().label].push_back(&point.summary);
  }
  std::vector<figure::ReportSection> sections{
      section("Side by side", order.size() < points.size() ? "Means over seeds with standard errors." : "",
              deep_comparison(runs))};
  if (order.size() == points.size()) return sections;
  for (const std::string& label : order) {
    std::vector<figure::Fact> facts;
    const auto add = [&](const char* name, double Summary::*member) {
      std::vector<double> all;
      for (const Summary* summary : by_label[label]) all.push_back(summary->*member);
      if (std::isfinite(all.front())) facts.push_back({name, spread(all)});
    };
    add("test accuracy", &Summary::accuracy);
    add("training accuracy", &Summary::train_accuracy);
    add("test loss", &Summary::loss);
    add("training loss", &Summary::train_loss);
    add("‖e(t)‖/‖e(0)‖", &Summary::error);
    sections.push_back(section(label.empty() ? "All seeds" : label, "", {}, facts));
  }
  return sections;
}

/// The page of several runs; returns the figures that belong to all of them.
std::vector<figure::Figure> write_runs_page(const fs::path& page, const Heading& heading,
                                            const std::vector<SweepPoint>& points) {
  std::vector<View> views;
  std::vector<figure::ComparedRun> compared;
  std::vector<figure::PageRun> runs;
  views.reserve(points.size());
  for (const SweepPoint& point : points) {
    const std::string label = label_of(point.settings);
    const View& view = views.emplace_back(label, point.record, point.dimensions);
    runs.push_back(page_run(label, point.folder, page, view, point.record, point.summary,
                            kMostEmbedded / points.size()));
    if (view.run.units > 0)
      compared.push_back({.label = label,
                          .view = view.run,
                          .localized_share = point.summary.localized,
                          .kurtosis = point.summary.excess_kurtosis});
  }
  std::vector<figure::Figure> shared;
  std::vector<figure::ReportSection> sections;
  constexpr std::size_t kMostColumns = 6;  // what still reads on a page
  const bool deep = points.front().summary.deep;
  if (deep) {
    sections = deep_sections(points);
    shared = sections.front().figures;
  }
  if (!compared.empty()) {
    const std::size_t columns = std::min(kMostColumns, compared.size());
    shared.push_back(figure::comparison(std::span(compared).first(columns)));
    sections.push_back(section(
        "Side by side",
        columns < compared.size() ? fmt::format("The first {} runs of {}.", columns, compared.size()) : "",
        {shared.back()}));
    sections.back().also_in_viewer = true;
  }
  if (const std::optional<figure::Figure> distances = flow_distances(points, views)) {
    shared.push_back(*distances);
    sections.push_back(section("Distance to the flow",
                               "Root mean square over time and, where there are several, over runs.",
                               {*distances}));
  }
  for (std::size_t i = 0; i < std::min(kMostColumns, points.size()); ++i) {
    sections.push_back(section(
        label_of(points[i].settings), "",
        deep ? deep_figures(runs[i].label, points[i].record) : figures_of(views[i].run), runs[i].facts));
    sections.back().also_in_viewer = true;
  }
  sections.push_back({.heading = "Spec",
                      .text = heading.spec_text,
                      .figures = {},
                      .facts = {},
                      .preformatted = heading.spec});
  const SummaryTable table = summary_table(points);
  const figure::Report report{.title = heading.title,
                              .question = heading.question,
                              .key_numbers = {},
                              .table = {table.header, table.rows},
                              .sections = sections,
                              .footer = footer(),
                              .data = figure::page_data(runs)};
  file::write_atomically(page, figure::report_html(report));
  return shared;
}

/// "task.gain" and its value, for every key of a resolved spec but those that describe it to people.
std::vector<Setting> settings_of(const std::string& spec) {
  std::vector<Setting> settings;
  std::string section;
  std::istringstream stream(spec);
  for (std::string line; std::getline(stream, line);) {
    line.resize(std::min(line.find("  #"), line.size()));
    line.resize(line.find_last_not_of(' ') + 1);
    const std::size_t equals = line.find(" = ");
    if (line.starts_with("[")) {
      section = line.substr(1, line.find(']') - 1) + ".";
    } else if (equals != std::string::npos) {
      const std::string key = line.substr(0, equals);
      if (section.empty() && key != "seed") continue;
      std::string value = line.substr(equals + 3);
      if (value.ends_with(".0")) value.resize(value.size() - 2);
      settings.push_back({section + key, value});
    }
  }
  return settings;
}

std::string value_of(const std::vector<Setting>& settings, const std::string& name) {
  const auto at = std::ranges::find(settings, name, &Setting::name);
  return at == settings.end() ? "–" : at->value;
}

/// What sets the runs apart, by run: the keys that differ, in the order of the specs.
std::vector<std::vector<Setting>> distinctions(const std::vector<std::vector<Setting>>& specs) {
  std::vector<std::string> names;
  for (const auto& spec : specs)
    for (const Setting& setting : spec) {
      const bool differs = std::ranges::any_of(
          specs, [&](const auto& other) { return value_of(other, setting.name) != setting.value; });
      if (differs && std::ranges::find(names, setting.name) == names.end()) names.push_back(setting.name);
    }
  std::vector<std::vector<Setting>> by_run(specs.size());
  for (std::size_t i = 0; i < specs.size(); ++i)
    for (const std::string& name : names)
      by_run[i].push_back({name.substr(name.find('.') + 1), value_of(specs[i], name)});
  return by_run;
}

}  // namespace

void write_sweep_report(const fs::path& folder, const std::string& name, Experiment& experiment,
                        const std::vector<SweepPoint>& points, const Claim& claim) {
  const Heading heading{.title = experiment.title.empty() ? name : experiment.title,
                        .question = experiment.question,
                        .spec_text =
                            "The resolved spec of the first run; the others differ only in what the table's "
                            "first columns name, and each run folder holds its own.",
                        .spec = to_toml(experiment)};
  claim({"report.html", "summary.csv"});
  write_figures(write_runs_page(folder / "report.html", heading, points), folder, claim);
  file::write_atomically(folder / "summary.csv", summary_csv(points));
}

void write_comparison_page(const fs::path& page, std::vector<RecordedRun>& runs) {
  constexpr std::size_t kMostSettings = 4;  // a longer label names nothing
  std::vector<std::vector<Setting>> specs;
  for (RecordedRun& run : runs) specs.push_back(settings_of(to_toml(run.experiment)));
  std::vector<std::vector<Setting>> apart = distinctions(specs);
  std::vector<SweepPoint> points;
  bool one_title = true;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    RecordedRun& run = runs[i];
    if (apart[i].empty() || apart[i].size() > kMostSettings)
      apart[i] = {{"run", fs::absolute(run.folder).filename().string()}};
    one_title = one_title && run.experiment.title == runs.front().experiment.title;
    points.push_back(
        {apart[i], std::move(run.record), run.summary, run.experiment.task.dimensions(), run.folder});
  }
  Experiment& first = runs.front().experiment;
  write_runs_page(page,
                  {.title = one_title && !first.title.empty() ? first.title
                                                              : fmt::format("{} runs compared", runs.size()),
                   .question = one_title ? first.question : "",
                   .spec_text = "The resolved spec of the first run; each run folder holds its own.",
                   .spec = to_toml(first)},
                  points);
}

}  // namespace sluice::lab
