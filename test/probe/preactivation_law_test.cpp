/// Shadows of the characteristic function, of laws that have closed forms.
#include "sluice/probe/preactivation_law.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "test/support/close.hpp"

namespace sluice::probe {
namespace {

constexpr std::size_t kRows = 50'000;
// One unit a law: normal, sign, uniform, and the sum of two signs (0 or ±2, half and half).
constexpr std::int64_t kInputs = 4;
const std::vector<float> kWeights{1, 0, 0, 0, /**/ 0, 2, 0, 0, /**/ 0, 0, 1, 0, /**/ 0, 3, 0, 3};

Samples drawn(double mean) {
  std::mt19937 engine(5);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<float> x;
  for (std::size_t row = 0; row < kRows; ++row)
    for (const double value : {normal(engine), uniform(engine) < 0 ? -1.0 : 1.0, uniform(engine),
                               uniform(engine) < 0 ? -1.0 : 1.0})
      x.push_back(static_cast<float>(value + mean));
  return {x, kInputs, {}};
}

/// E|z|: √(2/π), 1, √3/2, 1/√2, with √Var|z| = 0.60, 0, ½ and 0.71.
TEST(PreactivationLaw, HasTheRatiosOfKnownLaws) {
  const std::vector<float> ratio = preactivation_ratio(drawn(0), kWeights);
  const double want[] = {std::sqrt(2 / std::numbers::pi), 1, std::sqrt(3.0) / 2, 1 / std::sqrt(2.0)};
  for (std::size_t k = 0; k < 4; ++k)
    EXPECT_TRUE(test::close(ratio[k], want[k], test::sampling(0.71 / std::sqrt(kRows)))) << k;
}

/// D² = E(χ(t) − e^(−t²/2))², t standard normal. Of a sign χ = cos t:
/// ½(1 + e^(−2)) − √2 e^(−1/4) + 1/√3; of the sum of two signs, with deviation √2, χ = cos²(t/√2) = ½(1 + cos √2t):
/// ¼(1 + 2e^(−1) + ½(1 + e^(−4))) − (1 + e^(−1/2))/√2 + 1/√3.
TEST(PreactivationLaw, HasTheDistancesOfKnownLaws) {
  const std::vector<float> distance = characteristic_distance(drawn(0), kWeights);
  const double e = 1 / std::sqrt(3.0), root = std::sqrt(2.0);
  const double sign = std::sqrt((1 + std::exp(-2.0)) / 2 - root * std::exp(-0.25) + e);
  const double two =
      std::sqrt((1 + 2 * std::exp(-1.0) + (1 + std::exp(-4.0)) / 2) / 4 - (1 + std::exp(-0.5)) / root + e);
  // Uniform on ±√3: χ = sin(√3t)/(√3t), and with a = 2√3
  // D² = (2/a)√(π/2) erf(a/√2) − (2/a²)(1 − e^(−a²/2)) − 2√(π/6) erf(√3/2) + 1/√3.
  const double a = 2 * std::sqrt(3.0), pi = std::numbers::pi;
  const double uniform =
      std::sqrt(2 / a * std::sqrt(pi / 2) * std::erf(a / root) - 2 / (a * a) * (1 - std::exp(-a * a / 2)) -
                2 * std::sqrt(pi / 6) * std::erf(std::sqrt(3.0) / 2) + e);
  // √∫Var cos(tz) φ dt/N of the two signs, the largest of these, before they are standardised.
  const double error = 0.44 / std::sqrt(kRows);
  EXPECT_LE(distance[0], 4 * error);
  EXPECT_TRUE(test::close(distance[1], sign,
                          test::absolute(1e-4, "but for its mean's square, a sign has no spread")));
  EXPECT_TRUE(test::close(distance[2], uniform, test::sampling(error)));
  EXPECT_TRUE(test::close(distance[3], two, test::sampling(error)));
}

TEST(PreactivationLaw, DoesNotSeeMeansAndScales) {
  std::vector<float> longer = kWeights;
  for (float& w : longer) w *= 5;
  const std::vector<float> at_zero = characteristic_distance(drawn(0), kWeights),
                           away = characteristic_distance(drawn(1), longer);
  const std::vector<float> ratio = preactivation_ratio(drawn(0), kWeights),
                           ratio_away = preactivation_ratio(drawn(1), longer);
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_NEAR(away[k], at_zero[k], 1e-5) << k;  // floats of size 10, standardised
    EXPECT_NEAR(ratio_away[k], ratio[k], 1e-5) << k;
  }
}

}  // namespace
}  // namespace sluice::probe
