/// One half of a share, between two values of an axis.
#include "sluice/lab/half_crossing.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "sluice/math/statistics.hpp"

namespace sluice::lab {
namespace {

TEST(HalfCrossing, IsInterpolatedBetweenItsNeighbours) {
  const std::vector<ShareAt> shares{{1, 0.1, 0.02, 0}, {2, 0.3, 0.03, -1}, {4, 0.7, 0.04, -2}, {8, 1, 0, -3}};
  const auto linear = half_crossing(shares, false);
  ASSERT_TRUE(linear);
  EXPECT_DOUBLE_EQ(linear->x, 3);
  EXPECT_DOUBLE_EQ(linear->another, -1.5);
  EXPECT_DOUBLE_EQ(linear->from, 2);
  EXPECT_DOUBLE_EQ(linear->to, 4);
  EXPECT_DOUBLE_EQ(linear->error, 2 * std::hypot(0.5 * 0.03, 0.5 * 0.04) / 0.4);
  EXPECT_DOUBLE_EQ(half_crossing(shares, true)->x, std::sqrt(8.0));
}

TEST(HalfCrossing, IsNoneWhereThereIsNoneOrMoreThanOne) {
  EXPECT_FALSE(half_crossing(std::vector<ShareAt>{{1, 0.1}, {2, 0.4}}, false));
  EXPECT_FALSE(half_crossing(std::vector<ShareAt>{{1, 0.8}, {2, 0.4}, {3, 0.6}}, false));
  EXPECT_TRUE(half_crossing(std::vector<ShareAt>{{1, 0.8}, {2, 0.4}}, false)) << "it may fall";
  EXPECT_FALSE(half_crossing({}, false));
}

/// Shares of many networks, drawn with known scatter: the crossings of repetitions scatter by the error that is stated.
TEST(HalfCrossing, HasTheErrorOfItsRepetitions) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  std::vector<double> places, errors;
  for (int repetition = 0; repetition < 400; ++repetition) {
    std::vector<ShareAt> shares;
    for (const auto& [x, share] : {std::pair{1.0, 0.1}, {2.0, 0.35}, {3.0, 0.8}}) {
      std::vector<double> seeds(8);
      for (double& seed : seeds) seed = share + 0.06 * normal(random);
      const math::Statistics of(seeds);
      shares.push_back({x, of.mean(), of.error()});
    }
    const auto half = half_crossing(shares, false);
    ASSERT_TRUE(half);
    places.push_back(half->x);
    errors.push_back(half->error);
  }
  const math::Statistics of(places);
  EXPECT_NEAR(of.mean(), 2 + 0.15 / 0.45, 4 * of.error() + 0.005);  // a ratio of means is a little off
  // A standard deviation of 400 has a relative error of 1/√800 = 3.5 %; four of them, and that of the mean of the stated ones.
  EXPECT_NEAR(math::Statistics(errors).mean() / of.deviation(), 1, 0.16);
}

}  // namespace
}  // namespace sluice::lab
