#include "sluice/figure/heat_map.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sluice::figure {
namespace {

constexpr double bar_mm = 2.5;
constexpr std::size_t bar_steps = 128;

}  // namespace

double ColorScale::part(double value) const {
  if (kind == Kind::diverging) return std::clamp(value / most, -1.0, 1.0);
  const double share = std::clamp(value / most, 0.0, 1.0);
  return root ? std::sqrt(share) : share;
}

Color ColorScale::color(double value) const {
  if (!std::isfinite(value)) return {1, 1, 1};
  return kind == Kind::diverging ? diverging(part(value)) : sequential(part(value));
}

HeatMap with_fewer_rows(const HeatMap& map, std::size_t most) {
  if (map.rows <= most) return map;
  HeatMap fewer{map.columns, most, {}};
  for (std::size_t row = 0; row < most; ++row) {
    const std::size_t first = row * map.rows / most, end = (row + 1) * map.rows / most;
    for (std::size_t column = 0; column < map.columns; ++column) {
      double sum = 0;
      std::size_t count = 0;
      for (std::size_t r = first; r < end; ++r) {
        const float value = map.values[r * map.columns + column];
        if (!std::isfinite(value)) continue;
        sum += value;
        ++count;
      }
      fewer.values.push_back(count > 0 ? static_cast<float>(sum / static_cast<double>(count))
                                       : std::numeric_limits<float>::quiet_NaN());
    }
  }
  return fewer;
}

void draw_pixels(Canvas& canvas, const Box& box, const HeatMap& map, const ColorScale& scale) {
  std::vector<Color> pixels;
  for (std::size_t row = map.rows; row-- > 0;)
    for (std::size_t column = 0; column < map.columns; ++column)
      pixels.push_back(scale.color(map.values[row * map.columns + column]));
  canvas.image(box, pixels, map.columns);
}

void draw_heat_map(Canvas& canvas, const Box& box, const HeatMap& map, const ColorScale& scale, const Axis& x,
                   const Axis& y, Plot::Labels labels) {
  draw_pixels(canvas, box, map, scale);
  Plot(box, x, y).draw_axes(canvas, labels);
}

void draw_color_bar(Canvas& canvas, Point top_left, double height, const ColorScale& scale) {
  const bool diverges = scale.kind == ColorScale::Kind::diverging;
  constexpr double label_mm = 2.6;  // what a number takes; a square root crowds them at its end, twofold
  const int intervals = scale.root ? std::clamp(static_cast<int>(height / (2 * label_mm)), 2, 6) : 4;
  const Axis axis = Axis::snug(scale.label, {diverges ? -scale.most : 0, scale.most}, intervals);
  std::vector<Color> colors;
  for (std::size_t i = bar_steps; i-- > 0;) {
    const double up = (static_cast<double>(i) + 0.5) / bar_steps;
    colors.push_back(diverges ? diverging(2 * up - 1) : sequential(up));
  }
  canvas.image({top_left.x, top_left.y, bar_mm, height}, colors, 1);
  for (std::size_t i = 0; i < axis.ticks().size(); ++i) {
    const double part = scale.part(axis.ticks()[i]);
    const double y = top_left.y + height * (1 - (diverges ? (part + 1) / 2 : part));
    canvas.text({top_left.x + bar_mm + 1, y}, axis.tick_labels().text[i], {.size_pt = 6.5, .up = 0.5});
  }
  canvas.text({top_left.x, top_left.y - 2}, axis.title(), {});
}

Axis pixel_axis(const std::string& label, std::size_t count, double length_mm, std::int64_t first) {
  const double low = static_cast<double>(first) - 0.5;
  return Axis::snug(label, {low, low + static_cast<double>(count)}, intervals_in(length_mm, 7), 1);
}

Axis time_axis(std::span<const std::int64_t> steps, double length_mm) {
  const auto first = static_cast<double>(steps.front()), last = static_cast<double>(steps.back());
  const double half = steps.size() > 1 ? (last - first) / (2 * static_cast<double>(steps.size() - 1)) : 0.5;
  return Axis::snug("training step", {first - half, last + half}, intervals_in(length_mm, y_label_mm));
}

}  // namespace sluice::figure
