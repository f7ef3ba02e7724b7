#include "sluice/math/quantile.hpp"

#include <gtest/gtest.h>

namespace sluice::math {
namespace {

TEST(Quantile, InterpolatesLikeNumpy) {
  EXPECT_DOUBLE_EQ(quantile(std::vector<double>{4, 1, 3, 2}, 0.25), 1.75);  // numpy.quantile([4,1,3,2], 0.25)
  EXPECT_DOUBLE_EQ(median(std::vector<double>{4, 1, 3, 2}), 2.5);
  EXPECT_DOUBLE_EQ(median(std::vector<float>{7}), 7);
  EXPECT_DOUBLE_EQ(quantile(std::vector<double>{5, 9}, 1.0), 9);
}

TEST(Quantile, LeavesOutNaN) {
  EXPECT_DOUBLE_EQ(median(std::vector<double>{NAN, 1, NAN, 3}), 2);
  EXPECT_TRUE(std::isnan(median(std::vector<double>{NAN})));
  EXPECT_TRUE(std::isnan(median(std::vector<double>{})));
}

}  // namespace
}  // namespace sluice::math
