#include "sluice/figure/ipr_panel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "sluice/figure/plot.hpp"
#include "sluice/figure/select.hpp"

namespace sluice::figure {
namespace {

constexpr std::size_t most_unit_lines = 100, most_unit_times = 200;

double last_finite(const std::vector<double>& values) {
  const auto last = std::find_if(values.rbegin(), values.rend(), [](double v) { return std::isfinite(v); });
  return last == values.rend() ? std::nan("") : *last;
}

Interval shown_range(std::span<const IprHistory> runs) {
  Interval range;
  for (const IprHistory& run : runs) {
    for (const IprHistory::Group& group : run.groups)
      for (const std::vector<double>* values : {&group.spread.mean, &group.spread.upper})
        for (const double value : *values) range.include(value);
    for (const auto& unit : run.units)
      for (const double value : unit) range.include(value);
  }
  return range;
}

struct Reference {
  double ipr;
  const char* name;
};

// What the IPR of a receptive field can be compared with, when all runs have the same number of sites n. On
// two sites or fewer 3/n exceeds the largest possible IPR: it holds for large n only.
std::vector<Reference> references(std::span<const IprHistory> runs) {
  const std::int64_t sites = runs.front().sites;
  if (sites < 1 || std::ranges::any_of(runs, [&](const IprHistory& run) { return run.sites != sites; }))
    return {};
  const auto n = static_cast<double>(sites);
  if (sites < 3) return {{1 / n, "extended 1/n"}};
  return {{1 / n, "extended 1/n"}, {3 / n, "random 3/n"}};
}

void draw_spread(Canvas& canvas, const Plot& plot, const IprHistory& run) {
  for (const auto& unit : run.units) plot.curve(canvas, run.unit_steps, unit, {run.color.faded(0.14), 0.4});
  for (const IprHistory::Group& group : run.groups)
    plot.band(canvas, run.steps, group.spread.lower, group.spread.upper, run.color.faded(0.2));
}

/// "gain = 3" of the run's first line; "localized 82 %" and "others 18 %" where the run needs no name.
std::string end_label(const std::string& run, const Population& population, bool one_of_two) {
  const bool others = one_of_two && population.name != "localized";
  if (!run.empty()) return others ? "" : run;  // dashed in the same colour: the caption says what it is
  if (population.name.empty()) return "mean";
  return fmt::format("{} {:.0f} %", others ? "others" : population.name, 100 * population.share);
}

}  // namespace

IprHistory ipr_population(const RunView& run, std::string label, const Color& color) {
  IprHistory history;
  history.label = std::move(label);
  history.color = color;
  history.sites = run.sites;
  history.steps.assign(run.step.begin(), run.step.end());
  const std::vector<Population> both = populations(run.shown_units(), run.localized);
  for (const Population& each : both)
    history.groups.push_back({end_label(history.label, each, both.size() > 1), each.name != "not localized",
                              spread_over(run.ipr, run.times(), each.units)});
  return history;
}

IprHistory ipr_history(const RunView& run) {
  IprHistory history = ipr_population(run, "", category(0));
  if (run.ipr.empty()) return history;
  const std::vector<std::size_t> times = evenly_chosen(run.times(), most_unit_times);
  for (const std::size_t t : times) history.unit_steps.push_back(history.steps[t]);
  for (const std::size_t k : evenly_chosen(run.shown_units(), most_unit_lines)) {
    std::vector<double>& unit = history.units.emplace_back();
    for (const std::size_t t : times) unit.push_back(run.ipr_at(t)[k]);
  }
  return history;
}

void draw_ipr_panel(Canvas& canvas, const Box& box, std::span<const IprHistory> runs, double end_labels_mm) {
  Interval step_range;
  for (const IprHistory& run : runs)
    for (const double step : run.steps) step_range.include(step);
  Interval range = shown_range(runs);
  const bool has_data = !range.empty();
  range.include(0);
  for (const Reference& reference : references(runs)) range.include(reference.ipr);
  const Plot plot(canvas, box, step_axis(step_range, box.width),
                  Axis::rounded("IPR  Σw⁴/(Σw²)²", range, intervals_in(box.height, y_label_mm)));

  std::vector<EndLabel> labels;
  for (const auto& [ipr, name] : references(runs)) {
    plot.reference(canvas, ipr);
    labels.push_back({plot.at(0, ipr).y, name, grey});
  }
  for (const IprHistory& run : runs) draw_spread(canvas, plot, run);
  for (const IprHistory& run : runs) {  // means over all bands, so that no band tints another run's line
    const bool two = run.groups.size() > 1;
    for (const IprHistory::Group& group : run.groups) {
      plot.curve(canvas, run.steps, group.spread.mean, {run.color, 1.2, two && !group.localized});
      if (!group.name.empty())
        labels.push_back({plot.at(0, last_finite(group.spread.mean)).y, group.name, run.color});
    }
  }
  if (!has_data) say_no_finite_data(canvas, box);
  plot.draw_axes(canvas);
  draw_end_labels(canvas, {box.right() + 1.5, box.top, end_labels_mm - 1.5, box.height}, std::move(labels));
}

}  // namespace sluice::figure
