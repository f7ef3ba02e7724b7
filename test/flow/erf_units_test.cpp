#include "sluice/flow/erf_units.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <functional>
#include <numbers>

namespace sluice::flow {
namespace {

double value(double h) { return std::erf(h / std::numbers::sqrt2); }
double slope(double h) { return std::sqrt(2 / std::numbers::pi) * std::exp(-h * h / 2); }
double density(double x) { return std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi); }

/// E F(S, T) by quadrature over S = √a x, T = (ρ/√a) x + √(t − ρ²/a) y.
double expectation(const ErfPair& pair, const std::function<double(double, double)>& f) {
  using Rule = boost::math::quadrature::gauss_kronrod<double, 61>;
  const double a = pair.w.variance;
  const double along = pair.covariance / std::sqrt(a);
  const double across = std::sqrt(std::max(0.0, pair.v.variance - along * along));
  return Rule::integrate(
      [&](double x) {
        return density(x) *
               Rule::integrate(
                   [&](double y) { return density(y) * f(std::sqrt(a) * x, along * x + across * y); }, -9.0,
                   9.0, 2, 1e-10);
      },
      -9.0, 9.0, 2, 1e-10);
}

ErfPair drawn() {
  const double a = *rc::gen::inRange(1, 30) * 0.1;
  const double t = *rc::gen::inRange(1, 30) * 0.1;
  const double gamma = *rc::gen::inRange(-10, 11) * 0.1;
  const double b = *rc::gen::inRange(-20, 21) * 0.1;
  const double c = *rc::gen::inRange(-20, 21) * 0.1;
  return {{a, b}, {t, c}, gamma * std::sqrt(a * t)};
}

constexpr double kAllowed = 1e-8;  // of the quadrature

// E.1, E.2, E.5 as scalar expectations.
RC_GTEST_PROP(ErfUnits, ScalarsAreTheirExpectations, ()) {
  const ErfPair pair = drawn();
  const double b = pair.w.bias, c = pair.v.bias;
  RC_ASSERT(std::abs(erf_value(pair.w) - expectation(pair, [&](double s, double) { return value(s + b); })) <
            kAllowed);
  RC_ASSERT(std::abs(erf_slope(pair.w) - expectation(pair, [&](double s, double) { return slope(s + b); })) <
            kAllowed);
  RC_ASSERT(std::abs(erf_value_slope(pair) - expectation(pair, [&](double s, double t) {
                       return value(t + c) * slope(s + b);
                     })) < kAllowed);
  RC_ASSERT(std::abs(erf_value_value(pair) - expectation(pair, [&](double s, double t) {
                       return value(s + b) * value(t + c);
                     })) < kAllowed);
}

// E.1, E.3 projected on w and v: E[F S] = with_w·a + with_v·ρ, E[F T] = with_w·ρ + with_v·t.
RC_GTEST_PROP(ErfUnits, VectorsAreTheirExpectations, ()) {
  const ErfPair pair = drawn();
  const double a = pair.w.variance, b = pair.w.bias, t_variance = pair.v.variance, c = pair.v.bias;
  const double rho = pair.covariance;
  const double alone = erf_slope_input(pair.w);
  RC_ASSERT(std::abs(alone * rho - expectation(pair, [&](double s, double t) { return slope(s + b) * t; })) <
            kAllowed);
  const ErfInput both = erf_value_slope_input(pair);
  const auto f = [&](double s, double t) { return value(t + c) * slope(s + b); };
  RC_ASSERT(std::abs(both.with_w * a + both.with_v * rho -
                     expectation(pair, [&](double s, double t) { return f(s, t) * s; })) < kAllowed);
  RC_ASSERT(std::abs(both.with_w * rho + both.with_v * t_variance -
                     expectation(pair, [&](double s, double t) { return f(s, t) * t; })) < kAllowed);
}

// E.6, and the closed form without biases.
TEST(ErfUnits, WithoutBiases) {
  EXPECT_EQ(erf_slope_input({1.3, 0}), 0);
  const ErfPair pair{{1.3, 0}, {0.4, 0}, 0.5};
  EXPECT_NEAR(erf_value_value(pair), 2 / std::numbers::pi * std::asin(0.5 / std::sqrt(2.3 * 1.4)), 1e-15);
}

}  // namespace
}  // namespace sluice::flow
