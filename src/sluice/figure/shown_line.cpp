#include "sluice/figure/shown_line.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>

namespace sluice::figure {
namespace {

constexpr double kAlwaysShown = 1000;  // points: the outline of something small is one, too
constexpr double kOfColumn = 4;

double column_of(const Point& point) { return std::floor(point.x / kColumnMm); }

}  // namespace

std::vector<Point> shown_line(std::vector<Point> points) {
  const auto [left, right] = std::ranges::minmax_element(points, {}, &Point::x);
  if (left == points.end()) return points;
  const double columns = column_of(*right) - column_of(*left) + 1;
  if (static_cast<double>(points.size()) <= std::max(kAlwaysShown, kOfColumn * columns)) return points;
  std::vector<Point> shown;
  for (auto first = points.begin(); first != points.end();) {
    const double column = column_of(*first);
    const auto end =
        std::find_if(first, points.end(), [&](const Point& p) { return column_of(p) != column; });
    const auto [low, high] = std::minmax_element(first, end, [](auto& a, auto& b) { return a.y < b.y; });
    std::array kept{first, low, high, end - 1};
    std::ranges::sort(kept);
    const auto last = std::unique(kept.begin(), kept.end());
    std::transform(kept.begin(), last, std::back_inserter(shown), [](auto at) { return *at; });
    first = end;
  }
  return shown;
}

}  // namespace sluice::figure
