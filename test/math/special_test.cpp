#include "sluice/math/special.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace sluice::math {
namespace {

TEST(Erf, FloatIsWithinOneInAMillionOfTheStandardLibrary) {
  double worst = 0;
  for (float x = -6.0F; x <= 6.0F; x += 1.7e-4F) {
    std::vector<float> value{x};
    erf_in_place(std::span(value), 1.0F);
    const double exact = std::erf(static_cast<double>(x));
    if (exact != 0)
      worst = std::max(worst, std::abs(static_cast<double>(value[0]) - exact) / std::abs(exact));
  }
  EXPECT_LT(worst, 1e-6);
  RecordProperty("worst_relative_error", std::to_string(worst));
}

TEST(Erf, TinyAndHugeArguments) {
  std::vector<float> values{0.0F, 1e-20F, -1e-20F, 30.0F, -30.0F, INFINITY, -INFINITY};
  erf_in_place(std::span(values), 1.0F);
  EXPECT_EQ(values[0], 0.0F);
  EXPECT_NEAR(values[1], 2e-20F / std::sqrt(M_PI), 1e-26);
  EXPECT_EQ(values[2], -values[1]);
  for (const std::size_t i : {3, 5}) EXPECT_EQ(values[i], 1.0F);
  for (const std::size_t i : {4, 6}) EXPECT_EQ(values[i], -1.0F);
}

TEST(Erf, VectorsAndTheirTailsAgreeWithScalars) {
  for (std::size_t size = 1; size <= 19; ++size) {
    std::vector<float> together;
    for (std::size_t i = 0; i < size; ++i) together.push_back(0.3F * static_cast<float>(i) - 2.0F);
    std::vector<float> alone = together;
    erf_in_place(std::span(together), 0.7F);
    for (std::size_t i = 0; i < size; ++i) EXPECT_NEAR(together[i], std::erf(0.7F * alone[i]), 1e-6) << size;
  }
}

}  // namespace
}  // namespace sluice::math
