#include "sluice/theory/initial_loss.hpp"

#include <algorithm>
#include <numbers>

#include "sluice/flow/erf_units.hpp"

namespace sluice::theory {

double relu_product(double rho_kk, double rho_kl, double rho_ll) {
  const double size = std::sqrt(rho_kk * rho_ll);
  if (size == 0) return 0;
  const double gamma = std::clamp(rho_kl / size, -1.0, 1.0);
  return size / (2 * std::numbers::pi) *
         (std::sqrt(1 - gamma * gamma) + gamma * (std::numbers::pi - std::acos(gamma)));
}

OutputMoments relu_output(const Ring& covariance, std::span<const Vector> units, double c) {
  const auto count = static_cast<double>(units.size());
  OutputMoments moments{0, 0};
  for (const Vector& u : units) {
    const double variance = form(u, covariance, u);
    moments.mean += c * std::sqrt(variance) / count;
    const Vector image = covariance * u;
    for (const Vector& v : units)
      moments.square += relu_product(variance, dot(image, v), form(v, covariance, v)) / (count * count);
  }
  return moments;
}

OutputMoments erf_output(const Ring& covariance, std::span<const Vector> units,
                         std::span<const double> biases) {
  const auto count = static_cast<double>(units.size());
  OutputMoments moments{0, 0};
  for (std::size_t k = 0; k < units.size(); ++k) {
    const flow::ErfUnit unit{form(units[k], covariance, units[k]), biases[k]};
    moments.mean += flow::erf_value(unit) / count;
    const Vector image = covariance * units[k];
    for (std::size_t l = 0; l < units.size(); ++l) {
      const flow::ErfUnit other{form(units[l], covariance, units[l]), biases[l]};
      moments.square += flow::erf_value_value({unit, other, dot(image, units[l])}) / (count * count);
    }
  }
  return moments;
}

double half_squared_loss(const OutputMoments& one, const OutputMoments& zero, const task::Classes& classes) {
  const auto of_class = [](double y, const OutputMoments& m) { return y * y - 2 * y * m.mean + m.square; };
  return (classes.balance * of_class(classes.labels[0], one) +
          (1 - classes.balance) * of_class(classes.labels[1], zero)) /
         2;
}

}  // namespace sluice::theory
