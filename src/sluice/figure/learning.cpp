#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sluice/figure/ipr_panel.hpp"
#include "sluice/figure/plot.hpp"
#include "sluice/figure/recipes.hpp"

namespace sluice::figure {
namespace of_learning {
namespace {

constexpr double width_mm = 180, height_mm = 53;
constexpr double left_mm = 15, right_mm = 4.5, top_mm = 6, plot_mm = 38, gap_mm = 16, end_labels_mm = 21;

struct Curve {
  std::vector<double> steps, values;
  std::vector<double> trained;  // the same over the training set; empty where every step draws new samples
  std::string label;
  Interval least_range;  // shown even if the data do not reach it

  Interval range() const {
    Interval range = least_range;
    for (const double value : values) range.include(value);
    for (const double value : trained) range.include(value);
    return range;
  }
};

void draw_curve(Canvas& canvas, const Box& box, const Curve& curve) {
  const Plot plot(canvas, box, step_axis(finite_range(curve.steps), box.width),
                  Axis::adaptive(curve.label, curve.range(), intervals_in(box.height, y_label_mm)));
  if (finite_range(curve.values).empty())
    say_no_finite_data(canvas, box);
  else
    plot.curve(canvas, curve.steps, curve.values, {category(0), 0.9});
  if (!curve.trained.empty()) plot.curve(canvas, curve.steps, curve.trained, {category(1), 0.9});
  plot.draw_axes(canvas);
}

}  // namespace
}  // namespace of_learning

Figure learning(const RunView& run) {
  using namespace of_learning;
  require_consistent(run);
  const std::vector<double> steps(run.step.begin(), run.step.end());
  std::string caption = fmt::format("Learning curves of {}.", run.title);
  char letter = 'a';
  const auto describe = [&](std::string_view text) { caption += fmt::format(" {}, {}", letter++, text); };
  describe(fmt::format(
      "Inverse participation ratio (IPR) of the receptive fields: mean (line), quartiles (band) and "
      "single units (faint){}; grey, the IPR of a flat field, 1/n, and of independent Gaussian "
      "weights, 3/n.",
      populations(run.shown_units(), run.localized).size() > 1
          ? ", of the units that are localized at the end and (dashed) of the others"
          : ""));
  std::vector<Curve> curves;
  if (!run.loss.empty()) {
    curves.push_back({steps,
                      {run.loss.begin(), run.loss.end()},
                      {run.train_loss.begin(), run.train_loss.end()},
                      "loss  ½⟨(ŷ−y)²⟩",
                      {}});
    describe("Loss.");
  }
  if (!run.accuracy.empty()) {
    curves.push_back({steps,
                      {run.accuracy.begin(), run.accuracy.end()},
                      {run.train_accuracy.begin(), run.train_accuracy.end()},
                      "accuracy",
                      {0.5, 1}});
    describe("Accuracy; 0.5 is chance for two equally likely classes.");
  }
  if (!run.train_loss.empty()) caption += " Blue, the samples it is evaluated on; red, the training set.";

  return {"learning", caption, width_mm, height_mm, [ipr = ipr_history(run), curves](Canvas& canvas) {
            const auto count = static_cast<double>(curves.size());
            const double shared = width_mm - left_mm - right_mm - end_labels_mm - count * gap_mm;
            const double narrow = shared / (count + 1.35), wide = shared - count * narrow;
            const Box first{left_mm, top_mm, wide, plot_mm};
            draw_panel_letter(canvas, {1, 1}, "a");
            draw_ipr_panel(canvas, first, {&ipr, 1}, end_labels_mm);
            double left = first.right() + end_labels_mm + gap_mm;
            char name = 'b';
            for (const Curve& curve : curves) {
              draw_panel_letter(canvas, {left - left_mm + 1, 1}, std::string(1, name++));
              draw_curve(canvas, {left, top_mm, narrow, plot_mm}, curve);
              left += narrow + gap_mm;
            }
          }};
}

}  // namespace sluice::figure
