/// Numbers over a grid as colours, with axes and a colour bar.
#pragma once

#include <cstddef>
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

/// The map under its axes, which span whole pixels: from −½ to columns − ½ where the axis counts them.
void draw_heat_map(Canvas& canvas, const Box& box, const HeatMap& map, const ColorScale& scale, const Axis& x,
                   const Axis& y, Plot::Labels labels = Plot::Labels::both);

/// An upright bar with its numbers, and its label above; takes about 12 mm to the right of `left`.
void draw_color_bar(Canvas& canvas, Point top_left, double height, const ColorScale& scale);

/// An axis over `count` pixels that stand for 0 … count − 1.
Axis pixel_axis(const std::string& label, std::size_t count, double length_mm);

}  // namespace sluice::figure
