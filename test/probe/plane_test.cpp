#include "sluice/probe/plane.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>
#include <random>
#include <vector>

namespace sluice::probe {
namespace {

using Kind = task::Layout::Kind;
constexpr double kAround = 2 * std::numbers::pi;

template <class Function>
std::vector<float> filled(const task::Layout& layout, const Function& function) {
  std::vector<float> field;
  for (std::int64_t y = 0; y < layout.rows; ++y)
    for (std::int64_t x = 0; x < layout.columns; ++x)
      field.push_back(static_cast<float>(function(static_cast<double>(x), static_cast<double>(y))));
  return field;
}

TEST(PlaneOptics, FindsWhereABlobLies) {
  const auto blob = [](double x, double y) { return std::exp(-x * x / 8 - y * y / 18); };  // s = 2 and 3
  const task::Layout image{Kind::image, 40, 30};
  const PlaneShape inside =
      PlaneOptics(image).shape(filled(image, [&](double x, double y) { return blob(x - 14.3, y - 21); }));
  EXPECT_NEAR(inside.x, 14.3, 1e-4);
  EXPECT_NEAR(inside.y, 21, 1e-4);
  EXPECT_NEAR(inside.spread_x, 2 / std::sqrt(2.0), 1e-4);
  EXPECT_NEAR(inside.spread_y, 3 / std::sqrt(2.0), 1e-4);

  const task::Layout torus{Kind::torus, 24, 24};  // across its edges
  const auto field = filled(torus, [&](double x, double y) {
    return blob(std::remainder(x - 23.5, 24), std::remainder(y - 1, 24));
  });
  const PlaneShape around = PlaneOptics(torus).shape(field);
  EXPECT_NEAR(around.x, 23.5, 1e-4);
  EXPECT_NEAR(around.y, 1, 1e-4);
  EXPECT_NEAR(around.spread_x, 2 / std::sqrt(2.0), 0.02);
  // As pixels of an image the same field has two ends.
  EXPECT_NEAR(PlaneOptics({Kind::image, 24, 24}).shape(field).x, 11.5, 2);
}

TEST(PlaneOptics, FindsTheDirectionOfAWave) {
  const task::Layout layout{Kind::image, 12, 20};
  for (const auto& [k1, k2] : std::vector<std::pair<int, int>>{{3, 5}, {-3, 5}, {0, 4}, {2, 0}, {5, 1}}) {
    const double fx = k2 / 20.0, fy = k1 / 12.0;
    const PlaneWaves waves = PlaneOptics(layout).waves(
        filled(layout, [&](double x, double y) { return std::cos(kAround * (fx * x + fy * y) + 0.7); }));
    EXPECT_NEAR(waves.mean_frequency, std::hypot(fx, fy), 1e-6);
    EXPECT_NEAR(std::remainder(waves.orientation - std::atan2(fy, fx), std::numbers::pi), 0, 1e-6)
        << k1 << " " << k2;
    EXPECT_NEAR(waves.strength, 1, 1e-6);
    const std::size_t at = static_cast<std::size_t>((k1 + 12) % 12 * 11 + k2);
    EXPECT_NEAR(
        waves.shares[at] + (k2 == 0 ? waves.shares[static_cast<std::size_t>((12 - k1) % 12 * 11)] : 0), 1,
        1e-6);
  }
}

// Parseval, for odd and even sides; and noise has no direction.
TEST(PlaneOptics, SharesAddUpToOne) {
  std::mt19937 engine(2);
  std::normal_distribution<double> normal;
  for (const task::Layout& layout : {task::Layout{Kind::torus, 15, 15}, task::Layout{Kind::image, 16, 9},
                                     task::Layout{Kind::image, 5, 64}}) {
    const PlaneWaves waves =
        PlaneOptics(layout).waves(filled(layout, [&](double, double) { return normal(engine); }));
    EXPECT_EQ(waves.shares.size(), static_cast<std::size_t>(layout.rows * (layout.columns / 2 + 1)));
    EXPECT_NEAR(std::accumulate(waves.shares.begin(), waves.shares.end(), 0.0), 1, 1e-5);
    EXPECT_LT(waves.strength, 0.5);
  }
  EXPECT_TRUE(std::isnan(PlaneOptics({Kind::image, 4, 4}).waves(std::vector<float>(16)).mean_frequency));
  EXPECT_TRUE(std::isnan(PlaneOptics({Kind::torus, 4, 4}).shape(std::vector<float>(16)).x));
}

}  // namespace
}  // namespace sluice::probe
