#include "sluice/flow/mean_field.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <limits>
#include <numbers>

#include "sluice/flow/bumps.hpp"
#include "sluice/flow/gaussian.hpp"
#include "sluice/math/ring.hpp"
#include "sluice/task/nlgp.hpp"
#include "sluice/task/norta.hpp"
#include "test/flow/response_properties.hpp"

namespace sluice::flow {
namespace {

using test::Vector;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr std::int64_t kSites = 40;

/// φ(a) by another rule, over pieces of the line fine enough for every gain below 100.
double amplifier_by_quadrature(const std::function<double(double)>& x, double a) {
  const double t = a / std::sqrt((1 - a) * (1 + a));
  const auto integrand = [&](double z) {
    const double s = x(z);
    return std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi) * s * std::erf(s * t / std::numbers::sqrt2);
  };
  double sum = 0;
  for (double left = 0, right = 1e-4; left < 30; left = right, right *= 2) {
    sum += boost::math::quadrature::gauss_kronrod<double, 31>::integrate(integrand, left, right, 3, 1e-12);
  }
  return sum;
}

void expect_tabulated(const Amplifier& phi, const std::function<double(double)>& x, double allowed) {
  for (const double a : {1e-3, 0.0101, 0.1234, 0.5, 0.77, 0.95, 0.999, 0.999999}) {
    EXPECT_NEAR(phi(a), amplifier_by_quadrature(x, a), allowed) << "a = " << a;
    EXPECT_EQ(phi(-a), -phi(a));
  }
  EXPECT_EQ(phi(0), 0);
}

TEST(Amplifier, IsItsIntegral) {
  for (const double gain : {0.01, 0.5, 3.0, 30.0}) {
    const double deviation = std::sqrt(task::nlgp_variance(gain));
    expect_tabulated(
        nlgp_amplifier(gain), [=](double z) { return std::erf(gain * z) / deviation; }, 1e-9);
  }
  for (const std::string marginal : {"uniform", "laplace", "algebraic"}) {
    expect_tabulated(norta_amplifier(marginal, 6), task::Marginal(marginal, 6), 1e-9);
  }
  expect_tabulated(norta_amplifier("algebraic", 2.5), task::Marginal("algebraic", 2.5), 1e-5);
}

TEST(Amplifier, IsClosedAtBothEndsOfTheGains) {
  const Amplifier line = nlgp_amplifier(0);
  const Amplifier signs = nlgp_amplifier(kInf);
  const Amplifier steep = nlgp_amplifier(1e6);
  for (double a = -1; a <= 1; a += 0.0173) {
    EXPECT_NEAR(line(a), a / std::sqrt(2 * std::numbers::pi), 1e-9);
    EXPECT_NEAR(signs(a), std::erf(a / std::sqrt(2 * (1 - a) * (1 + a))) / 2, 1e-9);
    EXPECT_NEAR(steep(a), signs(a), 1e-5);
  }
  EXPECT_NEAR(signs(1), 0.5, 1e-10);
}

// One slope at 0 for all laws, and an end above the Gaussian's line for sub-Gaussian ones only.
TEST(Amplifier, TurnsWithTheKurtosis) {
  const double line = 1 / std::sqrt(2 * std::numbers::pi);
  const Amplifier sub = nlgp_amplifier(3);
  const Amplifier super = norta_amplifier("laplace", 0);
  for (const Amplifier& phi : {sub, super}) EXPECT_NEAR(phi(1e-4) / 1e-4, line, 1e-5);
  EXPECT_NEAR(sub(1), 0.4788775947, 1e-9);                     // ledger K: f(e_i)_i at g = 3
  EXPECT_NEAR(super(1), 1 / (2 * std::numbers::sqrt2), 1e-9);  // ½ E|x| of the Laplace law
  EXPECT_GT(sub(1), line);
  EXPECT_LT(super(1), line);
}

MeanFieldResponse nlgp(double gain, double xi) {
  Vector row = math::ring_kernel(kSites, xi);
  if (gain > 0) {
    for (double& r : row) r = task::nlgp_correlation(r, gain);
  }
  return {Covariance::circulant(row), nlgp_amplifier(gain)};
}

TEST(MeanFieldResponse, IsGaussianWithoutGain) {
  const GaussianResponse gaussian(Covariance::circulant(math::ring_kernel(kSites, 2)));
  const Vector w = test::random_field(kSites, 61);
  EXPECT_TRUE(test::all_close(test::single(nlgp(0, 2), w), test::single(gaussian, w),
                              test::absolute(1e-9, "the table")));
  EXPECT_TRUE(test::all_close(test::single(nlgp(1e-4, 2), w), test::single(gaussian, w),
                              test::absolute(1e-7, "O(g²)")));
}

// N1.c8: exact at the site of a single bump, 3 % off around it at g = 3.
TEST(MeanFieldResponse, IsExactAtABump) {
  for (const double gain : {0.5, 3.0, kInf}) {
    const BumpResponse exact(math::ring_kernel(kSites, 2), gain);
    const Vector w = test::unit(kSites, 5);
    EXPECT_NEAR(test::single(nlgp(gain, 2), w)[5], test::single(exact, w)[5], 1e-9) << gain;
  }
}

RC_GTEST_PROP(MeanFieldResponse, HasTheSymmetries, ()) {
  static const MeanFieldResponse response = nlgp(3, 1);
  test::expect_symmetries(response, test::random_field(kSites, *rc::gen::inRange(1U, 1'000'000U)),
                          {1e-11, 1e-12, "rounding"});
  RC_ASSERT(!testing::Test::HasFailure());
}

// Scale invariance alone: the approximation is no gradient, so its Jacobian kills w from one side only.
TEST(MeanFieldResponse, ScalesWithTheData) {
  Vector row = math::ring_kernel(kSites, 2);
  for (double& r : row) r = 9 * task::nlgp_correlation(r, 3);
  const MeanFieldResponse larger(Covariance::circulant(row), nlgp_amplifier(3));
  const Vector w = test::random_field(kSites, 62);
  EXPECT_TRUE(test::all_close(test::single(larger, w), test::scaled(test::single(nlgp(3, 2), w), 3),
                              {1e-11, 1e-12, "rounding"}));
}

}  // namespace
}  // namespace sluice::flow
