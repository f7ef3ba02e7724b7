/// What shows of a line with more points than there is room for: between two columns of the paper its first and its last point, its lowest and its highest.
/// Who strokes a line looks for every point at those near it, so a million on a hand's breadth would take minutes and gigabytes.
#pragma once

#include <vector>

#include "sluice/figure/canvas.hpp"

namespace sluice::figure {

/// A sixth of the width of a thin line, half a dot of print at 300 to the inch.
inline constexpr double kColumnMm = 0.04;

/// Finite points in millimetres of the finished figure. A line of a thousand, or of four for every column it passes, comes back as it is.
std::vector<Point> shown_line(std::vector<Point> points);

}  // namespace sluice::figure
