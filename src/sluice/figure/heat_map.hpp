/// Numbers over a grid as colours, with axes and a colour bar.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sluice/figure/axis.hpp"
#include "sluice/figure/canvas.hpp"
#include "sluice/figure/plot.hpp"

namespace sluice::figure {

/// What the colours of a heat map mean.
struct ColorScale {
  enum class Kind { diverging, sequential };
  Kind kind = Kind::diverging;
  double most = 1;      ///< |value| at full colour (diverging), value at the light end (sequential); positive
  std::string label{};  ///< "weight  w"
  bool root = false;    ///< colours go with the square root of values (sequential): small ones are told apart

  /// Where a value lies between the ends: from −1 to 1 (diverging), 0 to 1 (sequential).
  double part(double value) const;

  /// White where the value is not finite.
  Color color(double value) const;
};

/// Numbers over a grid of pixels; row 0 is at the bottom. Rows and columns beyond what print can resolve are averaged.
struct HeatMap {
  std::size_t columns = 0, rows = 0;
  std::vector<float> values{};  ///< [row, column]
};

/// At most `most` rows, each the mean of as many neighbouring ones, give or take one; NaNs are left out.
HeatMap with_fewer_rows(const HeatMap& map, std::size_t most);

/// The map alone.
void draw_pixels(Canvas& canvas, const Box& box, const HeatMap& map, const ColorScale& scale);
/// The map under its axes, which span whole pixels: from −½ to columns − ½ where the axis counts them.
void draw_heat_map(Canvas& canvas, const Box& box, const HeatMap& map, const ColorScale& scale, const Axis& x,
                   const Axis& y, Plot::Labels labels = Plot::Labels::both);

/// An upright bar with its numbers, and its label above; takes about 12 mm to the right of `left`.
void draw_color_bar(Canvas& canvas, Point top_left, double height, const ColorScale& scale);

/// An axis over `count` pixels that stand for `first`, first + 1, …
Axis pixel_axis(const std::string& label, std::size_t count, double length_mm, std::int64_t first = 0);

/// An axis over pixels that are probe times; they are evenly spaced but for the last, and the axis says steps.
Axis time_axis(std::span<const std::int64_t> steps, double length_mm);

}  // namespace sluice::figure
