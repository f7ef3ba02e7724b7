#include "sluice/probe/gabor_errors.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

namespace sluice::probe {
namespace {

// z = (fit − truth)/error is Student's t with 55 degrees of freedom: P(|z| < 1) = 0.678, P(|z| > 4) = 2e-4. Of 400 fits a share is known to
// 0.0234. The steps of the fit end where they gain less than 0.1 % of Σr², a quarter of an error away at most: z grows by 3 % at most.
TEST(GaborErrors, AreThoseOfNoise) {
  constexpr std::int64_t n = 60;
  constexpr int fits = 400;
  std::mt19937 engine(11);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  const GaborFitter fitter(n);
  std::array<int, 5> within{};
  int far = 0;
  for (int k = 0; k < fits; ++k) {
    const Gabor truth{n * uniform(engine),
                      3 + uniform(engine),
                      8 + 3 * uniform(engine),
                      2 * std::numbers::pi * uniform(engine) - std::numbers::pi,
                      1,
                      0};
    std::vector<float> field;
    for (std::int64_t i = 0; i < n; ++i)
      field.push_back(static_cast<float>(value(truth, static_cast<double>(i), n) + 0.05 * normal(engine)));
    const Gabor fit = fitter.fit(field).front(), error = standard_errors(fit, field);
    const std::array away{std::remainder(fit.centre - truth.centre, static_cast<double>(n)),
                          fit.width - truth.width, fit.frequency - truth.frequency,
                          std::remainder(fit.phase - truth.phase, 2 * std::numbers::pi),
                          fit.amplitude - truth.amplitude};
    const std::array errors{error.centre, error.width, error.frequency, error.phase, error.amplitude};
    for (std::size_t i = 0; i < away.size(); ++i) {
      within[i] += std::abs(away[i]) < errors[i];
      far += std::abs(away[i]) > 4 * errors[i];
    }
  }
  for (std::size_t i = 0; i < within.size(); ++i)
    EXPECT_NEAR(within[i] / static_cast<double>(fits), 0.678, 4 * 0.0234 + 0.01) << "number " << i;
  EXPECT_LE(far, 4);  // of 2,000: 0.4 expected
}

TEST(GaborErrors, OfWhatIsNotDeterminedAreInfinite) {
  std::vector<float> wave;  // its centre is arbitrary
  for (int i = 0; i < 5; ++i) wave.push_back(static_cast<float>(std::cos(i)));
  const GaborFitter fitter(5);
  EXPECT_TRUE(
      std::isinf(standard_errors(fitter.fit(wave).front(), wave).centre));  // five numbers from five sites
  const std::vector<float> nothing(5, 0.0F);
  EXPECT_TRUE(std::isnan(standard_errors(fitter.fit(nothing).front(), nothing).width));
}

}  // namespace
}  // namespace sluice::probe
