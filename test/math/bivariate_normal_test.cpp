#include "sluice/math/bivariate_normal.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <numbers>

namespace sluice::math {
namespace {

double cdf(double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }

/// ∫_{−∞}^h φ(x) Φ((k − ρx)/√(1−ρ²)) dx, an independent route.
double by_quadrature(double h, double k, double rho) {
  const auto integrand = [&](double x) {
    return std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi) *
           cdf((k - rho * x) / std::sqrt(1 - rho * rho));
  };
  return boost::math::quadrature::gauss_kronrod<double, 31>::integrate(integrand, -12.0, h, 12, 1e-13);
}

RC_GTEST_PROP(BivariateNormal, IsItsIntegral, ()) {
  const double h = *rc::gen::inRange(-40, 41) * 0.1;
  const double k = *rc::gen::inRange(-40, 41) * 0.1;
  const double rho = *rc::gen::inRange(-99, 100) * 0.01;
  RC_ASSERT(std::abs(bivariate_normal_cdf(h, k, rho) - by_quadrature(h, k, rho)) < 1e-11);
}

TEST(BivariateNormal, OnTheAxes) {
  for (const double rho : {-0.9, 0.0, 0.3}) {
    for (const double k : {-1.5, 0.0, 0.7}) {
      EXPECT_NEAR(bivariate_normal_cdf(0, k, rho), by_quadrature(0, k, rho), 1e-12);
      EXPECT_NEAR(bivariate_normal_cdf(k, 0, rho), by_quadrature(0, k, rho), 1e-12);
    }
    EXPECT_NEAR(shifted_sign_moment(0, 0, rho), 2 / std::numbers::pi * std::asin(rho), 1e-15);
    EXPECT_NEAR(shifted_sign_moment(1e-9, -1e-9, rho), 2 / std::numbers::pi * std::asin(rho), 1e-8);
  }
}

}  // namespace
}  // namespace sluice::math
