#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "sluice/figure/plot.hpp"
#include "sluice/figure/recipes.hpp"
#include "sluice/figure/text.hpp"
#include "sluice/math/statistics.hpp"

namespace sluice::figure {
namespace of_biases {
namespace {

constexpr double width_mm = 180, left_mm = 13, top_mm = 8, plot_mm = 40, height_mm = 38, gap_mm = 17,
                 bottom_mm = 11;
constexpr std::size_t panels = 3;

/// The units on one side of zero, at the end.
struct Side {
  std::vector<std::size_t> units;
  Color color;
};

std::string described(const Side& side, std::span<const float> bias, const char* sign) {
  if (side.units.empty()) return fmt::format("none with b {} 0", sign);
  std::vector<double> values;
  for (const std::size_t k : side.units) values.push_back(bias[k]);
  const math::Statistics statistics(values);
  const std::string spread =
      values.size() > 1 ? fmt::format(" ± {}", fixed(statistics.deviation(), 2)) : std::string();
  return fmt::format("{} units with b {} 0 ({}{})", values.size(), sign, fixed(statistics.mean(), 2), spread);
}

Interval with_margin(Interval range, double share) {
  if (range.empty()) return range;
  const double margin = share * std::max(range.high - range.low, 1e-6);
  return {range.low - margin, range.high + margin};
}

}  // namespace
}  // namespace of_biases

Figure biases(const RunView& run, const BiasesView& view) {
  using namespace of_biases;
  require_consistent(run);
  const std::size_t units = run.shown_units(), times = run.times();
  const std::span<const float> at_end = view.bias.last(units);
  std::array<Side, 2> sides{Side{{}, category(0)}, Side{{}, category(1)}};
  for (std::size_t k = 0; k < units; ++k)
    if (std::isfinite(at_end[k])) sides[at_end[k] < 0 ? 0 : 1].units.push_back(k);
  Interval bias_range, ipr_range, frequency_range;
  for (const float b : view.bias) bias_range.include(b);
  for (std::size_t k = 0; k < units; ++k) {
    ipr_range.include(view.ipr[k]);
    frequency_range.include(view.frequency[k]);
  }
  return {
      "biases",
      fmt::format("Units of {} by the sign of their bias: {}, {}. (a) Biases over training. (b) IPR and "
                  "(c) mean frequency Σ f P_f of every unit at the end, over its bias.",
                  run.title, described(sides[0], at_end, "<"), described(sides[1], at_end, "≥")),
      width_mm, top_mm + height_mm + bottom_mm,
      [=, steps = std::vector<double>(run.step.begin(), run.step.end()),
       bias = std::vector<double>(view.bias.begin(), view.bias.end()),
       ipr = std::vector<double>(view.ipr.begin(), view.ipr.end()),
       frequency = std::vector<double>(view.frequency.begin(), view.frequency.end())](Canvas& canvas) {
        const auto box_of = [](std::size_t panel) {
          return Box{left_mm + static_cast<double>(panel) * (plot_mm + gap_mm), top_mm, plot_mm, height_mm};
        };
        for (std::size_t panel = 0; panel < panels; ++panel)
          draw_panel_letter(canvas, {box_of(panel).left - left_mm + 2, 4},
                            std::string(1, static_cast<char>('a' + panel)));
        if (bias_range.empty() || ipr_range.empty() || frequency_range.empty())
          return say_no_finite_data(canvas, box_of(1));
        const Axis over_bias =
            Axis::snug("bias  b", with_margin(bias_range, 0.05), intervals_in(plot_mm, x_label_mm));
        const Plot over_time(
            box_of(0), step_axis(finite_range(steps), plot_mm),
            Axis::snug("bias  b", with_margin(bias_range, 0.05), intervals_in(height_mm, y_label_mm)));
        over_time.reference(canvas, 0);
        const std::array scatters{
            Plot(canvas, box_of(1), over_bias,
                 Axis::snug("IPR", {0, 1.05 * ipr_range.high}, intervals_in(height_mm, y_label_mm))),
            Plot(canvas, box_of(2), over_bias,
                 Axis::snug("mean frequency", {0, 1.05 * frequency_range.high},
                            intervals_in(height_mm, y_label_mm)))};
        std::vector<double> curve(times);
        for (const Side& side : sides) {
          for (const std::size_t k : side.units) {
            for (std::size_t t = 0; t < times; ++t) curve[t] = bias[t * units + k];
            over_time.curve(canvas, steps, curve, {side.color, 0.5});
            for (std::size_t panel = 0; panel < scatters.size(); ++panel) {
              const double y = panel == 0 ? ipr[k] : frequency[k];
              if (std::isfinite(y)) canvas.disc(scatters.at(panel).at(curve.back(), y), 0.7, side.color);
            }
          }
        }
        over_time.draw_axes(canvas);
        for (const Plot& scatter : scatters) scatter.draw_axes(canvas);
      }};
}

}  // namespace sluice::figure
