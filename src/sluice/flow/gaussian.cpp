#include "sluice/flow/gaussian.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace sluice::flow {
namespace {

using std::numbers::pi;

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

double largest_weight(std::span<const double> w) {
  double most = 0;
  for (const double value : w) most = std::max(most, std::abs(value));
  return most;
}

}  // namespace

PairCoefficients gaussian_pair(double rho_ww, double rho_wv, double rho_vv) {
  if (rho_vv <= 0) return {0, 0};
  if (rho_ww <= 0) return {0, 0.25};
  const double gamma = std::clamp(rho_wv / std::sqrt(rho_ww) / std::sqrt(rho_vv), -1.0, 1.0);
  return {.with_w = std::sqrt((1 - gamma) * (1 + gamma)) / (2 * pi) * std::sqrt(rho_vv / rho_ww),
          .with_v = (pi - std::acos(gamma)) / (2 * pi)};
}

void elliptical_single(const Covariance& covariance, double c, std::span<const double> w,
                       std::span<double> f) {
  const double size = largest_weight(w);  // divided out, so that wᵀCw neither under- nor overflows
  covariance.times(w, f);
  double variance = 0;
  for (std::size_t i = 0; i < w.size(); ++i) variance += w[i] / size * (f[i] / size);
  if (!(variance > 0)) {
    std::fill(f.begin(), f.end(), 0.0);
    return;
  }
  for (double& value : f) value = c * (value / size) / std::sqrt(variance);
}

void GaussianResponse::single(std::span<const double> w, std::span<double> f) const {
  elliptical_single(covariance_, 1 / std::sqrt(2 * pi), w, f);
}

void GaussianResponse::pair(std::span<const double> w, std::span<const double> v, std::span<double> p) const {
  double rho_ww = 0;
  for (std::size_t i = 0; i < w.size(); ++i) rho_ww += w[i] * covariance_.times(i, w);
  covariance_.times(v, p);
  const PairCoefficients by = gaussian_pair(rho_ww, dot(w, p), dot(v, p));
  for (std::size_t i = 0; i < p.size(); ++i) {
    p[i] = by.with_w * covariance_.times(i, w) + by.with_v * p[i];
  }
}

}  // namespace sluice::flow
