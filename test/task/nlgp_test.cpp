#include "sluice/task/nlgp.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sluice/math/orthant.hpp"
#include "test/support/close.hpp"
#include "test/support/moments.hpp"

namespace sluice::task {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

NlgpOptions with_gain(double gain, const std::string& normalize = "unit") {
  NlgpOptions options;
  options.gain = gain;
  options.normalize = normalize;
  return options;
}

// Formula sheet K.
TEST(Nlgp, ClosedFormsMatchTheLedger) {
  const double gains[] = {.5, 1, 3, 10};
  const double variances[] = {0.2163468959, 0.4645590544, 0.7925364660, 0.9364702257};
  const double kurtoses[] = {-0.9122096721, -1.4401614557, -1.8340108806, -1.9536997460};
  const double covariances[] = {0.7727478754, 0.7481081987, 0.6665701201,
                                0.6027164129};  // r = e^(−1/4): ξ = 2, d = 1
  const test::Tolerance printed = test::absolute(6e-11, "ten printed digits");
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_TRUE(test::close(nlgp_variance(gains[i]), variances[i], printed));
    EXPECT_TRUE(test::close(nlgp_excess_kurtosis(gains[i]), kurtoses[i], printed));
    EXPECT_TRUE(test::close(Nlgp(with_gain(gains[i])).moments(0).covariance[1], covariances[i], printed));
  }
  EXPECT_TRUE(test::close(Nlgp(with_gain(kInfinity)).moments(0).covariance[1], 0.5683434110, printed));
  EXPECT_EQ(nlgp_excess_kurtosis(kInfinity), -2);
}

TEST(Nlgp, ClosedFormsReachTheirLimits) {
  // X = erf(gZ) ≈ (2/√π)(gZ − g³Z³/3): excess kurtosis −8g² to leading order.
  EXPECT_NEAR(nlgp_excess_kurtosis(1e-3) / -8e-6, 1, 1e-4);
  EXPECT_NEAR(nlgp_excess_kurtosis(1e6), -2, 1e-6);
  EXPECT_NEAR(Nlgp(with_gain(1e-5)).moments(0).covariance[1], std::exp(-0.25), 1e-9);
  EXPECT_NEAR(nlgp_variance(1e6), 1, 1e-6);
}

// B.6: E X⁴ = M4(all correlations q)/Z_g².
TEST(Nlgp, FourthMomentIsAMomentOfFourSigns) {
  for (const double gain : {1e-3, 0.01, 0.1, 0.5, 0.99, 1.0, 1.01, 3.0, 10.0}) {
    const double q = nlgp_q(gain);
    const double variance = nlgp_variance(gain);
    const double signs = math::sign_quadruple_moment({q, q, q, q, q, q}) / (variance * variance) - 3;
    EXPECT_NEAR(nlgp_excess_kurtosis(gain), signs, 1e-12) << gain;
  }
}

class NlgpMoments : public testing::TestWithParam<NlgpOptions> {};

TEST_P(NlgpMoments, OfAMillionSamplesMatchTheClosedForms) {
  test::expect_stated_moments(Nlgp(GetParam()), 0, 1'000'000, 11);
}

INSTANTIATE_TEST_SUITE_P(Gains, NlgpMoments,
                         testing::Values(with_gain(0.01), with_gain(0.5), with_gain(3), with_gain(100),
                                         with_gain(kInfinity), with_gain(3, "none")),
                         [](const auto& tested) {
                           const NlgpOptions& options = tested.param;
                           const std::string centi =
                               std::isinf(options.gain)
                                   ? "Infinite"
                                   : std::to_string(std::lround(100 * options.gain)) + "Hundredths";
                           return centi + (options.normalize == "unit" ? "" : "NotNormalized");
                         });

TEST(Nlgp, ScaleMultipliesX) {
  for (const double gain : {3.0, kInfinity}) {
    NlgpOptions options = with_gain(gain);
    options.scale = 2.5;
    EXPECT_NEAR(Nlgp(options).moments(0).covariance[0], 6.25, 1e-14);
    test::expect_stated_moments(Nlgp(options), 0, 200'000, 13);
  }
}

TEST(Nlgp, TheSecondClassHasTheSecondLength) {
  test::expect_stated_moments(Nlgp(with_gain(3)), 1, 100'000, 12);
  EXPECT_LT(Nlgp(with_gain(3)).moments(1).covariance[1], Nlgp(with_gain(3)).moments(0).covariance[1]);
}

TEST(Nlgp, InfiniteGainGivesSignsOnly) {
  const Nlgp task(with_gain(kInfinity));
  for (const float x : test::sample_rows(task, {.seed = 1}, 0, 100)) EXPECT_EQ(std::abs(x), 1.0F);
}

}  // namespace
}  // namespace sluice::task
