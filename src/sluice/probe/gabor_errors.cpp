#include "sluice/probe/gabor_errors.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "sluice/probe/standard_errors.hpp"

namespace sluice::probe {

Gabor standard_errors(const Gabor& fit, std::span<const float> field) {
  constexpr double kTurn = 2 * std::numbers::pi;
  constexpr std::size_t m = 5;  // a, b, c, ln s, f
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  if (std::isnan(fit.residual)) return {kNone, kNone, kNone, kNone, kNone, 0};
  if (field.size() <= m) return {kInfinite, kInfinite, kInfinite, kInfinite, kInfinite, 0};
  const auto n = static_cast<double>(field.size());
  const double a = fit.amplitude * std::cos(fit.phase), b = -fit.amplitude * std::sin(fit.phase);
  std::array<double, m * m> normal{};
  double squares = 0;
  for (std::size_t i = 0; i < field.size(); ++i) {
    const double away = static_cast<double>(i) - fit.centre;
    const double d = away - n * std::floor(away / n + 0.5);
    const double u = d / fit.width, e = std::exp(-u * u / 2), angle = kTurn * fit.frequency * d / n;
    const double cosine = e * std::cos(angle), sine = e * std::sin(angle);
    const double g = a * cosine + b * sine, h = b * cosine - a * sine;  // h = ∂g/∂θ
    const std::array<double, m> derivative{cosine, sine, g * u / fit.width - h * kTurn * fit.frequency / n,
                                           g * u * u, h * kTurn * d / n};
    const double r = static_cast<double>(field[i]) - g;
    squares += r * r;
    for (std::size_t j = 0; j < m; ++j)
      for (std::size_t k = 0; k < m; ++k) normal[j * m + k] += derivative[j] * derivative[k];
  }
  const StandardErrors errors(normal, m, squares / (n - static_cast<double>(m)));
  const double amplitude = fit.amplitude;
  return {
      .centre = errors.of_parameter(2),
      .width = fit.width * errors.of_parameter(3),
      .frequency = errors.of_parameter(4),
      .phase = errors.of(std::array{b / amplitude / amplitude, -a / amplitude / amplitude, 0.0, 0.0, 0.0}),
      .amplitude = errors.of(std::array{a / amplitude, b / amplitude, 0.0, 0.0, 0.0}),
      .residual = 0};
}

}  // namespace sluice::probe
