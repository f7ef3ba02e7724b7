#include "sluice/lab/onset.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace sluice::lab {
namespace {

const flow::UnitParameter& label() { return flow::unit_parameter("label"); }  // its coordinate is itself

TEST(Onset, OfASharpStepIsItsMiddle) {
  const Onset onset = half_point({{3, 10, 10}, {1, 10, 0}, {2, 10, 10}, {0, 10, 0}}, label());
  ASSERT_TRUE(onset.half);
  EXPECT_DOUBLE_EQ(*onset.half, 1.5);
  EXPECT_DOUBLE_EQ(onset.error, 0);
  EXPECT_DOUBLE_EQ(onset.spacing, 1);
  EXPECT_EQ(onset.shares.front().parameter, 0);
}

// p = 0, ½, 1 at 0, 1, 2: half at 1, variance ½·½/(N − 1)·1².
TEST(Onset, HasTheErrorOfSpearmanAndKaerber) {
  const Onset onset = half_point({{0, 10, 0}, {1, 10, 5}, {2, 10, 10}}, label());
  ASSERT_TRUE(onset.half);
  EXPECT_DOUBLE_EQ(*onset.half, 1);
  EXPECT_DOUBLE_EQ(onset.error, std::sqrt(0.25 / 9));
}

TEST(Onset, PoolsSharesThatFall) {
  const Onset onset = half_point({{0, 10, 0}, {1, 10, 6}, {2, 10, 4}, {3, 10, 10}}, label());
  ASSERT_TRUE(onset.half);
  EXPECT_DOUBLE_EQ(*onset.half, 1.5) << "as with ½, ½";
}

TEST(Onset, OfAGainIsOnItsLogarithm) {
  const Onset onset = half_point({{0.1, 5, 0}, {0.4, 5, 5}}, flow::unit_parameter("gain"));
  ASSERT_TRUE(onset.half);
  EXPECT_NEAR(*onset.half, 0.2, 1e-12);
}

TEST(Onset, SaysNothingWhereSharesDoNotCross) {
  EXPECT_FALSE(half_point({{0, 10, 2}, {1, 10, 10}}, label()).half);
  EXPECT_FALSE(half_point({{0, 10, 0}, {1, 10, 9}}, label()).half);
  EXPECT_FALSE(half_point({{0, 10, 0}}, label()).half);
}

}  // namespace
}  // namespace sluice::lab
