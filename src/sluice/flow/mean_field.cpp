#include "sluice/flow/mean_field.hpp"

#include <algorithm>
#include <boost/math/quadrature/exp_sinh.hpp>
#include <cmath>
#include <numbers>

#include "sluice/flow/gaussian.hpp"
#include "sluice/task/nlgp.hpp"
#include "sluice/task/norta.hpp"

namespace sluice::flow {
namespace {

using std::numbers::pi;
constexpr std::size_t kPieces = 512;
constexpr double kSpacing = pi / 2 / kPieces;

double density(double z) { return std::exp(-z * z / 2) / std::sqrt(2 * pi); }

}  // namespace

Amplifier::Amplifier(const std::function<double(double z)>& x) {
  // φ = ½ E[x erf(x t/√2)], t = tan θ, and dφ/dθ = (1 + t²) E[x² e^(−x²t²/2)]/√(2π): even in z, so twice the half line.
  boost::math::quadrature::exp_sinh<double> half_line;
  constexpr double kTolerance = 1e-11;
  constexpr double kFarthest = 38;  // beyond it the density is 0 in double
  const auto twice = [&](const auto& g) {
    return half_line.integrate([&](double z) { return z > kFarthest ? 0.0 : 2 * density(z) * g(x(z)); },
                               kTolerance);
  };
  for (std::size_t k = 0; k < kPieces; ++k) {
    const double t = std::tan(kSpacing * static_cast<double>(k));
    knots_.push_back({.value = twice([t](double s) { return s * std::erf(s * t / std::numbers::sqrt2) / 2; }),
                      .slope = kSpacing * (1 + t * t) / std::sqrt(2 * pi) *
                               twice([t](double s) { return s * s * std::exp(-s * s * t * t / 2); })});
  }
  knots_.push_back({.value = twice([](double s) { return std::abs(s) / 2; }), .slope = 0});
}

double Amplifier::operator()(double a) const {
  const double position = std::asin(std::min(std::abs(a), 1.0)) / kSpacing;
  const std::size_t piece = std::min(static_cast<std::size_t>(position), kPieces - 1);
  const double u = position - static_cast<double>(piece);
  const auto& [left, left_slope] = knots_[piece];
  const auto& [right, right_slope] = knots_[piece + 1];
  const double v = 1 - u;
  const double value =
      v * v * ((1 + 2 * u) * left + u * left_slope) + u * u * ((1 + 2 * v) * right - v * right_slope);
  return std::copysign(value, a);
}

Amplifier nlgp_amplifier(double gain) {
  if (gain == 0) return Amplifier([](double z) { return z; });
  if (std::isinf(gain)) return Amplifier([](double z) { return z > 0 ? 1.0 : -1.0; });
  const double deviation = std::sqrt(task::nlgp_variance(gain));
  return Amplifier([=](double z) { return std::erf(gain * z) / deviation; });
}

Amplifier norta_amplifier(const std::string& marginal, double order) {
  return Amplifier(task::Marginal(marginal, order));
}

void MeanFieldResponse::single(std::span<const double> w, std::span<double> f) const {
  const double deviation = std::sqrt(covariance_(0, 0));
  elliptical_single(covariance_, 1 / deviation, w, f);  // a
  for (double& value : f) value = deviation * amplifier_(value);
}

}  // namespace sluice::flow
