#include "sluice/figure/shown_line.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "sluice/figure/figure.hpp"
#include "sluice/figure/plot.hpp"

namespace sluice::figure {
namespace {

/// As many points between 10 and 42 mm, which go up and down.
std::vector<Point> rough_line(int count) {
  std::vector<Point> points;
  for (int i = 0; i < count; ++i)
    points.push_back({10 + 32.0 * i / (count - 1), 20 + 10 * std::sin(0.7 * i) * std::cos(1e-3 * i)});
  return points;
}

bool operator==(const std::vector<Point>& a, const std::vector<Point>& b) {
  return std::ranges::equal(a, b, [](const Point& p, const Point& q) { return p.x == q.x && p.y == q.y; });
}

TEST(ShownLine, OfOrdinarySizeIsTheLineItself) {
  for (const int count : {2, 40, 1000, 3200}) {
    const std::vector<Point> line = rough_line(count);
    EXPECT_TRUE(shown_line(line) == line) << count;
  }
  EXPECT_TRUE(shown_line({}).empty());
  const std::vector<Point> upright(900, Point{1, 1});  // a thousand in one column
  EXPECT_TRUE(shown_line(upright) == upright);
}

TEST(ShownLine, HasNoMorePointsThanThereIsRoomForHoweverManyThereAre) {
  const double columns = 32 / kColumnMm + 2;
  for (const int count : {10'000, 1'000'000})
    EXPECT_LE(static_cast<double>(shown_line(rough_line(count)).size()), 4 * columns) << count;
}

TEST(ShownLine, KeepsItsEndsAndInEveryColumnHowHighAndHowLowItGoes) {
  const std::vector<Point> line = rough_line(100'000), shown = shown_line(line);
  ASSERT_LT(shown.size(), line.size());
  EXPECT_EQ(shown.front().y, line.front().y);
  EXPECT_EQ(shown.back().y, line.back().y);
  EXPECT_TRUE(std::ranges::is_sorted(shown, {}, &Point::x));
  const auto reach_of = [](const std::vector<Point>& points) {
    std::map<double, std::pair<double, double>> reach;
    for (const Point& p : points) {
      const auto [at, fresh] = reach.try_emplace(std::floor(p.x / kColumnMm), p.y, p.y);
      at->second = {std::min(at->second.first, p.y), std::max(at->second.second, p.y)};
    }
    return reach;
  };
  EXPECT_EQ(reach_of(shown), reach_of(line));
}

/// A stroke of cairo takes quadratic time in the points of a line: the bytes of a picture tell how many there were.
TEST(ShownLine, IsWhatAFigureDrawsOfACurveOfAnyLength) {
  const auto svg = [](int count) {
    std::vector<double> x, y;
    for (const Point& p : rough_line(count)) {
      x.push_back(p.x);
      y.push_back(p.y);
    }
    return render({"long", "A caption.", 50, 50,
                   [=](Canvas& canvas) {
                     const Plot plot(canvas, {5, 5, 40, 40}, Axis::snug("x", {10, 42}, 4),
                                     Axis::snug("y", {10, 30}, 4));
                     plot.curve(canvas, x, y, {});
                     plot.band(canvas, x, y, y, ink);
                   }},
                  Format::svg)
        .size();
  };
  const std::size_t once = svg(100'000), more = svg(1'000'000);
  EXPECT_LT(static_cast<double>(more), 1.2 * static_cast<double>(once));
  EXPECT_GT(svg(2000), svg(1000)) << "what it can draw, it draws";
}

}  // namespace
}  // namespace sluice::figure
