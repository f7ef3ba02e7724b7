#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "sluice/figure/freeze_view.hpp"
#include "sluice/figure/plot.hpp"

namespace sluice::figure {
namespace of_freezing {
namespace {

constexpr double freeze_width_mm = 180, freeze_left_mm = 15, freeze_top_mm = 7, freeze_plot_mm = 42,
                 freeze_gap_mm = 17, freeze_foot_mm = 11, freeze_names_mm = 24;

struct FreezePanel {
  const char* label;
  std::vector<double> FrozenCurves::*values;
};
constexpr std::array<FreezePanel, 3> kFreezePanels{
    {{"off, share of the way left", &FrozenCurves::of_way},
     {"off, share of ‖w(end)‖", &FrozenCurves::of_end},
     {"gates that differ from the end", &FrozenCurves::flips}}};

void draw_freeze_panel(Canvas& canvas, const Box& box, const std::vector<FrozenCurves>& runs,
                       const FreezePanel& panel, bool named) {
  Interval steps, values;
  for (const FrozenCurves& run : runs) {
    for (const double step : run.step) steps.include(step);
    for (const double value : run.*panel.values)
      if (value > 0) values.include(value);  // at the end itself nothing is off
  }
  if (values.empty()) return say_no_finite_data(canvas, box);
  const Plot plot(canvas, box, Axis::snug("frozen at step s", steps, intervals_in(box.width, x_label_mm), 1),
                  Axis::adaptive(panel.label, values, intervals_in(box.height, y_label_mm)));
  for (const double mark : {0.1, 0.01})
    if (mark > values.low && mark < values.high) plot.reference(canvas, mark);
  std::vector<EndLabel> labels;
  for (const FrozenCurves& run : runs) {
    const Color color = category(run.category);
    const std::vector<double>& x = run.step;
    const std::vector<double>& y = run.*panel.values;
    plot.curve(canvas, x, y, {color, 0.8});
    double last = box.top;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (!(y[i] > 0)) continue;
      canvas.disc(plot.at(x[i], y[i]), 0.5, color);
      last = plot.at(x[i], y[i]).y;
    }
    const bool known =
        std::ranges::any_of(labels, [&](const EndLabel& l) { return l.text == run.condition; });
    if (!known) labels.push_back({last, run.condition, color});
  }
  plot.draw_axes(canvas);
  if (named) draw_end_labels(canvas, {box.right() + 1.5, box.top, freeze_names_mm - 2, box.height}, labels);
}

}  // namespace
}  // namespace of_freezing

Figure freezing(std::span<const FrozenCurves> given) {
  using namespace of_freezing;
  const std::vector<FrozenCurves> runs(given.begin(), given.end());
  return {
      "freezing",
      "A ReLU network whose gates are frozen at step s and whose further training goes on with them. a, "
      "Distance of its end from that of the run, as a share of the way ‖w(end) − w(s)‖ that was left at s. "
      "b, The "
      "same as a share of ‖w(end)‖. c, Probability that a gate is at s not what it is at the end, mean over "
      "units. A line per run; dashed, 10 % and 1 %.",
      freeze_width_mm, freeze_top_mm + freeze_plot_mm + freeze_foot_mm, [runs](Canvas& canvas) {
        const double width =
            (freeze_width_mm - freeze_left_mm - 2 * freeze_gap_mm - freeze_names_mm) / kFreezePanels.size();
        for (std::size_t i = 0; i < kFreezePanels.size(); ++i) {
          const Box box{freeze_left_mm + static_cast<double>(i) * (width + freeze_gap_mm), freeze_top_mm,
                        width, freeze_plot_mm};
          draw_freeze_panel(canvas, box, runs, kFreezePanels[i], i + 1 == kFreezePanels.size());
          draw_panel_letter(canvas, {box.left - 12, 1.5}, std::string(1, static_cast<char>('a' + i)));
        }
      }};
}

}  // namespace sluice::figure
