#include "sluice/flow/erf_units.hpp"

#include <cmath>
#include <numbers>

#include "sluice/math/bivariate_normal.hpp"

namespace sluice::flow {
namespace {

using std::numbers::pi;

/// κ of E.2 and the √(2(1+u)) it is divided by.
struct Conditional {
  double kappa;
  double width;
};
Conditional conditional(const ErfPair& pair) {
  const double by_w = pair.covariance / (1 + pair.w.variance);
  const double width = std::sqrt(2 * (1 + pair.v.variance - pair.covariance * by_w));
  return {(pair.v.bias - by_w * pair.w.bias) / width, width};
}

}  // namespace

double erf_value(const ErfUnit& unit) { return std::erf(unit.bias / std::sqrt(2 * (1 + unit.variance))); }

double erf_slope(const ErfUnit& unit) {
  const double v = 1 + unit.variance;
  return std::sqrt(2 / (pi * v)) * std::exp(-unit.bias * unit.bias / (2 * v));
}

double erf_slope_input(const ErfUnit& unit) { return -unit.bias / (1 + unit.variance) * erf_slope(unit); }

double erf_value_slope(const ErfPair& pair) { return erf_slope(pair.w) * std::erf(conditional(pair).kappa); }

ErfInput erf_value_slope_input(const ErfPair& pair) {
  const auto [a, b] = pair.w;
  const auto [t, c] = pair.v;
  const double rho = pair.covariance;
  const auto [kappa, width] = conditional(pair);
  const double bell = 2 / std::sqrt(pi) * std::exp(-kappa * kappa);  // erf'(κ)
  const double det = (1 + a) * (1 + t) - rho * rho;
  const double form = ((1 + t) * b * b - 2 * rho * b * c + (1 + a) * c * c) / det;
  return {.with_w = -b / (1 + a) * erf_value_slope(pair) - erf_slope(pair.w) * bell * rho / ((1 + a) * width),
          .with_v = 2 / pi / std::sqrt(det) * std::exp(-form / 2)};
}

double erf_value_value(const ErfPair& pair) {
  const double first = std::sqrt(1 + pair.w.variance);
  const double second = std::sqrt(1 + pair.v.variance);
  return math::shifted_sign_moment(pair.w.bias / first, pair.v.bias / second,
                                   pair.covariance / (first * second));
}

}  // namespace sluice::flow
