#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <stdexcept>

#include "sluice/figure/color.hpp"
#include "sluice/figure/plot.hpp"
#include "sluice/figure/populations.hpp"
#include "sluice/figure/sweep_view.hpp"

namespace sluice::figure {
namespace of_seeds {
namespace {

constexpr double width_mm = 180, left_mm = 15, top_mm = 6, plot_mm = 40, bottom_mm = 11, gap_mm = 15,
                 names_mm = 24;
constexpr std::size_t most_conditions = 7;  // the palette

struct Band {
  std::vector<double> steps, mean, low, high;
};

// Of a condition; views do not outlive the recipe.
struct Name {
  std::string label;
  Color color;
};

struct Panel {
  std::string label;
  Interval least_range{};
  std::vector<Band> bands{};  // by condition
};

using Curve = std::function<std::vector<double>(const RunView&)>;

Band spread_over(const SeedsView& condition, const Curve& curve) {
  Band band;
  band.steps.assign(condition.runs.front().step.begin(), condition.runs.front().step.end());
  std::vector<std::vector<double>> curves;
  for (const RunView& run : condition.runs) {
    curves.push_back(curve(run));
    if (curves.back().size() != band.steps.size())
      throw std::invalid_argument(fmt::format("{}: runs were probed at different steps", condition.label));
  }
  const auto count = static_cast<double>(curves.size());
  for (std::size_t t = 0; t < band.steps.size(); ++t) {
    double mean = 0, square = 0;
    for (const auto& values : curves) mean += values[t] / count;
    for (const auto& values : curves) square += (values[t] - mean) * (values[t] - mean);
    const double deviation = count > 1 ? std::sqrt(square / (count - 1)) : 0;
    band.mean.push_back(mean);
    band.low.push_back(mean - deviation);
    band.high.push_back(mean + deviation);
  }
  return band;
}

void draw_panel(Canvas& canvas, const Box& box, const Panel& panel, const std::vector<Name>& names,
                bool named) {
  Interval steps, range = panel.least_range;
  for (const Band& band : panel.bands) {
    for (const double step : band.steps) steps.include(step);
    for (const double value : band.low) range.include(value);
    for (const double value : band.high) range.include(value);
  }
  const Plot plot(canvas, box, step_axis(steps, box.width),
                  Axis::rounded(panel.label, range, intervals_in(box.height, y_label_mm)));
  std::vector<EndLabel> ends;
  for (std::size_t i = 0; i < panel.bands.size(); ++i)
    plot.band(canvas, panel.bands[i].steps, panel.bands[i].low, panel.bands[i].high,
              names[i].color.faded(0.22));
  for (std::size_t i = 0; i < panel.bands.size(); ++i) {
    plot.curve(canvas, panel.bands[i].steps, panel.bands[i].mean, {names[i].color, 1.1});
    ends.push_back({plot.at(0, panel.bands[i].mean.back()).y, names[i].label, names[i].color});
  }
  plot.draw_axes(canvas);
  if (named) draw_end_labels(canvas, {box.right() + 1.5, box.top, names_mm - 2, box.height}, ends);
}

}  // namespace
}  // namespace of_seeds

Figure seeds(const std::vector<SeedsView>& conditions) {
  using namespace of_seeds;
  if (conditions.empty() || conditions.size() > most_conditions)
    throw std::invalid_argument(
        fmt::format("{} conditions: expected one to {}", conditions.size(), most_conditions));
  std::vector<Panel> panels{{"mean IPR", {0, 0}}, {"loss  ½⟨(ŷ−y)²⟩"}, {"accuracy", {0.5, 0.5}}};
  const std::vector<Curve> curves{
      [](const RunView& run) {
        return spread_over(run.ipr, run.times(), populations(run.shown_units(), {}).front().units).mean;
      },
      [](const RunView& run) { return std::vector<double>(run.loss.begin(), run.loss.end()); },
      [](const RunView& run) { return std::vector<double>(run.accuracy.begin(), run.accuracy.end()); }};
  std::vector<Name> names;
  for (const SeedsView& condition : conditions) {
    for (std::size_t i = 0; i < panels.size(); ++i)
      panels[i].bands.push_back(spread_over(condition, curves[i]));
    names.push_back({condition.label, condition.color});
  }
  return {
      "seeds",
      fmt::format("Learning curves: mean over {} seeds (line) and one standard deviation to both sides "
                  "(band). a, Mean "
                  "over units of the inverse participation ratio. b, Loss. c, Accuracy; 0.5 is chance.",
                  conditions.front().runs.size()),
      width_mm, top_mm + plot_mm + bottom_mm, [=](Canvas& canvas) {
        const double panel = (width_mm - left_mm - names_mm - 2 * gap_mm) / 3;
        for (std::size_t i = 0; i < panels.size(); ++i) {
          const Box box{left_mm + static_cast<double>(i) * (panel + gap_mm), top_mm, panel, plot_mm};
          draw_panel_letter(canvas, {box.left - left_mm + 1, 1}, std::string(1, static_cast<char>('a' + i)));
          draw_panel(canvas, box, panels[i], names, i + 1 == panels.size());
        }
      }};
}

}  // namespace sluice::figure
