#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "sluice/figure/fields.hpp"
#include "sluice/figure/plot.hpp"
#include "sluice/figure/populations.hpp"
#include "sluice/figure/recipes.hpp"
#include "sluice/figure/select.hpp"
#include "sluice/probe/flips.hpp"

namespace sluice::figure {
namespace of_sign_flipping {
namespace {

constexpr std::size_t most_flipping = 12, flipping_columns = 4;
constexpr double flipping_width = 180, flipping_left = 15, flipping_top = 6, flipping_cell = 37,
                 flipping_gap = 4.5;
constexpr double flips_mm = 13, kurtosis_mm = 9, field_mm = 8, between_mm = 3, row_air_mm = 6, axis_mm = 11;
constexpr double mean_mm = 34, mean_width = 90;

struct FlippingUnit {
  std::string title;
  std::vector<double> flips, kurtosis;  // flips in per cent
  std::vector<float> field;
};

struct Flipping {
  std::vector<double> steps;
  std::vector<FlippingUnit> units;
  std::vector<double> mean;  // over all units
  Interval flips, kurtosis;
  double largest_weight = 1;
  std::size_t columns = 0, channels = 1;  // of fields that are images

  double row_mm() const {
    return flips_mm + (kurtosis.empty() ? 0 : between_mm + kurtosis_mm) + between_mm + field_mm;
  }
};

std::vector<double> over_time(std::span<const float> values, std::size_t units, std::size_t unit,
                              double factor) {
  std::vector<double> series;
  for (std::size_t at = unit; at < values.size(); at += units)
    series.push_back(factor * static_cast<double>(values[at]));
  return series;
}

Flipping flipping_of(const RunView& run, const FlipsView& gates) {
  Flipping all;
  all.steps.assign(run.step.begin(), run.step.end());
  all.columns = static_cast<std::size_t>(run.columns);
  all.channels = static_cast<std::size_t>(run.channels);
  const std::size_t units = run.shown_units();
  if (units == 0) return all;
  std::vector<std::size_t> every(units);
  std::iota(every.begin(), every.end(), std::size_t{0});
  all.mean = spread_over(gates.flips, run.times(), every).mean;
  const std::vector<std::size_t> chosen = some_units(run, most_flipping);
  all.largest_weight = scale_for(figure::largest_weight(final_tiles(run, chosen)));
  all.flips.include(0);
  for (const std::size_t k : chosen) {
    const auto field = run.field(run.times() - 1, k);
    FlippingUnit unit{fmt::format("unit {}", k),
                      over_time(gates.flips, units, k, 100),
                      over_time(gates.kurtosis, units, k, 1),
                      {field.begin(), field.end()}};
    for (const double p : unit.flips) all.flips.include(p);
    for (const double value : unit.kurtosis) all.kurtosis.include(value);
    all.units.push_back(std::move(unit));
  }
  return all;
}

/// A line around its zero, to be read by its shape; or an image.
void draw_final_field(Canvas& canvas, const Box& box, const std::vector<float>& field, const Flipping& all) {
  const double scale = all.largest_weight;
  if (all.columns > 0) {
    draw_image(canvas, box, field, all.columns, scale, all.channels);
    return;
  }
  const double zero = box.center().y;
  canvas.line(std::array{Point{box.left, zero}, Point{box.right(), zero}}, {hairline, 0.4});
  std::vector<Point> points;
  for (std::size_t i = 0; i < field.size(); ++i)
    points.push_back(
        {box.left + (static_cast<double>(i) + 0.5) / static_cast<double>(field.size()) * box.width,
         zero - static_cast<double>(field[i]) / scale * box.height / 2});
  canvas.line(points, {category(1), 0.8});
}

void draw_unit(Canvas& canvas, Point corner, const Flipping& all, const FlippingUnit& unit, bool first) {
  canvas.text({corner.x, corner.y - 1}, unit.title, {.size_pt = 6});
  Box box{corner.x, corner.y, flipping_cell, flips_mm};
  const Plot::Labels labels = first ? Plot::Labels::only_y : Plot::Labels::neither;
  const Axis steps = step_axis(finite_range(all.steps), box.width);
  const Plot flips(box, steps, Axis::rounded("p (%)", all.flips, 3));
  flips.curve(canvas, all.steps, unit.flips, {category(0), 0.5});
  flips.draw_axes(canvas, labels);
  if (!all.kurtosis.empty()) {
    box = {box.left, box.bottom() + between_mm, box.width, kurtosis_mm};
    const Plot kurtosis(box, steps, Axis::rounded("κ", all.kurtosis, 3));
    kurtosis.curve(canvas, all.steps, unit.kurtosis, {category(2), 0.8});
    kurtosis.draw_axes(canvas, labels);
  }
  box = {box.left, box.bottom() + between_mm, box.width, field_mm};
  draw_final_field(canvas, box, unit.field, all);
  if (first)
    canvas.text({box.left - 1.5, box.center().y}, "w",
                {.size_pt = 6.5, .color = category(1), .across = 1, .up = 0.5});
}

std::string in_percent(double share) { return fmt::format("{:.2g} %", 100 * share); }

}  // namespace
}  // namespace of_sign_flipping

Figure sign_flipping(const RunView& run, const FlipsView& gates) {
  using namespace of_sign_flipping;
  require_consistent(run);
  Flipping all = flipping_of(run, gates);
  const probe::FlipMeans means = probe::flip_means(run.step, gates.flips);
  const std::size_t rows = (all.units.size() + flipping_columns - 1) / flipping_columns;
  const double grid = static_cast<double>(rows) * (all.row_mm() + row_air_mm);
  const double height = flipping_top + grid + 4 + mean_mm + axis_mm;
  std::string caption = fmt::format(
      "Gates of {} during training. a, Of {} units: the share p(t) of samples on which the gate is another "
      "than {} steps "
      "before (blue), the excess kurtosis κ of the pre-activation (green), over the steps of b, and the "
      "final "
      "receptive field (red, all on one scale). b, p(t), the mean over all units.",
      run.title,
      all.units.size() == run.shown_units() ? fmt::format("all {}", all.units.size())
                                            : fmt::format("{} of {}", all.units.size(), run.units),
      run.times() > 1 ? fmt::format("{}", run.step[1] - run.step[0]) : "some");
  if (std::isfinite(means.early) && std::isfinite(means.late))
    caption += fmt::format(" Mean p is {} in the first tenth of training, {} in the last.",
                           in_percent(means.early), in_percent(means.late));
  return {"sign_flipping", caption, flipping_width, height, [=, all = std::move(all)](Canvas& canvas) {
            const Interval shown = finite_range(all.mean);
            if (shown.empty()) return say_no_finite_data(canvas, {0, 0, flipping_width, height});
            draw_panel_letter(canvas, {1, 1}, "a");
            for (std::size_t i = 0; i < all.units.size(); ++i) {
              const std::size_t row = i / flipping_columns, column = i % flipping_columns;
              draw_unit(canvas,
                        {flipping_left + static_cast<double>(column) * (flipping_cell + flipping_gap),
                         flipping_top + static_cast<double>(row) * (all.row_mm() + row_air_mm)},
                        all, all.units[i], column == 0);
            }
            const Box box{flipping_left, flipping_top + grid + 4, mean_width, mean_mm};
            draw_panel_letter(canvas, {1, box.top - 4}, "b");
            Interval positive;
            for (const double p : all.mean)
              if (p > 0) positive.include(p);
            const Plot plot(canvas, box, step_axis(finite_range(all.steps), box.width),
                            Axis::logarithmic("mean p", positive, intervals_in(box.height, y_label_mm)));
            plot.curve(canvas, all.steps, all.mean, {category(0), 0.8});
            plot.draw_axes(canvas);
          }};
}

}  // namespace sluice::figure
