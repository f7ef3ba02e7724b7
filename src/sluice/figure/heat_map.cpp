#include "sluice/figure/heat_map.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sluice::figure {
namespace {

constexpr double bar_mm = 2.5;
constexpr std::size_t bar_steps = 128;

}  // namespace

Color ColorScale::color(double value) const {
  if (!std::isfinite(value)) return {1, 1, 1};
  const double part = value / most;
  return kind == Kind::diverging ? diverging(std::clamp(part, -1.0, 1.0))
                                 : sequential(std::clamp(part, 0.0, 1.0));
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

void draw_heat_map(Canvas& canvas, const Box& box, const HeatMap& map, const ColorScale& scale, const Axis& x,
                   const Axis& y, Plot::Labels labels) {
  std::vector<Color> pixels;
  for (std::size_t row = map.rows; row-- > 0;)
    for (std::size_t column = 0; column < map.columns; ++column)
      pixels.push_back(scale.color(map.values[row * map.columns + column]));
  canvas.image(box, pixels, map.columns);
  Plot(box, x, y).draw_axes(canvas, labels);
}

void draw_color_bar(Canvas& canvas, Point top_left, double height, const ColorScale& scale) {
  const bool diverges = scale.kind == ColorScale::Kind::diverging;
  const Axis axis = Axis::snug(scale.label, {diverges ? -scale.most : 0, scale.most}, 4);
  std::vector<Color> colors;
  for (std::size_t i = bar_steps; i-- > 0;) {
    const double part = (static_cast<double>(i) + 0.5) / bar_steps;
    colors.push_back(scale.color(scale.most * (diverges ? 2 * part - 1 : part)));
  }
  canvas.image({top_left.x, top_left.y, bar_mm, height}, colors, 1);
  for (std::size_t i = 0; i < axis.ticks().size(); ++i) {
    const double y = top_left.y + height * (1 - axis.position(axis.ticks()[i]));
    canvas.text({top_left.x + bar_mm + 1, y}, axis.tick_labels().text[i], {.size_pt = 6.5, .up = 0.5});
  }
  canvas.text({top_left.x, top_left.y - 2}, axis.title(), {});
}

Axis pixel_axis(const std::string& label, std::size_t count, double length_mm) {
  return Axis::snug(label, {-0.5, static_cast<double>(count) - 0.5}, intervals_in(length_mm, 7), 1);
}

}  // namespace sluice::figure
