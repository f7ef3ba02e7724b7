#include "sluice/math/bessel.hpp"

#include <gtest/gtest.h>

#include <boost/math/special_functions/bessel.hpp>
#include <cmath>

namespace sluice::math {
namespace {

constexpr double kStated = 5e-7;

TEST(LogI0, IsBoostsUpToWhereThatOverflows) {
  for (double x = 1e-6; x < 700; x *= 1.01)
    EXPECT_NEAR(log_i0(x), std::log(boost::math::cyl_bessel_i(0, x)), kStated) << x;
}

// ln I₀ → x − ½ ln 2πx + ln(1 + 1/8x + 9/128x² + …); the next term is below 10⁻⁹ from 700 on.
TEST(LogI0, IsTheAsymptoticSeriesBeyond) {
  for (double x = 700; x < 1e6; x *= 1.3)
    EXPECT_NEAR(log_i0(x) - x, std::log1p(1 / (8 * x) + 9 / (128 * x * x)) - 0.5 * std::log(2 * M_PI * x),
                kStated)
        << x;
}

TEST(LogI0, IsXSquaredOverFourNearZero) {
  EXPECT_EQ(log_i0(0), 0);
  for (const double x : {1e-8, 1e-6, 1e-4}) EXPECT_NEAR(log_i0(x) / (x * x / 4), 1, 1e-6);
}

}  // namespace
}  // namespace sluice::math
