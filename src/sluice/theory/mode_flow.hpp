/// One ReLU unit on Gaussian or elliptical data, mode by mode.                  ledger: N0.21, N1.6, D.4, D.5, N0.c6
///   τ du_k/dt = −¼(λ0_k + λ1_k) u_k + (c/2) λ1_k u_k/N,   N = √(Σ λ1 u²),   c = 1/√(2π) for Gaussian data (N1.E)
#pragma once

#include <cstddef>
#include <numbers>

#include "sluice/theory/fourier.hpp"

namespace sluice::theory {

constexpr double kGaussianScale = std::numbers::inv_sqrtpi / std::numbers::sqrt2;  ///< c = 1/√(2π)

class ModeFlow {
 public:
  ModeFlow(const Ring& one, const Ring& zero, double c = kGaussianScale);

  const std::vector<Mode>& modes() const { return modes_; }
  double one(std::size_t k) const { return one_[k]; }    ///< λ1 of mode k
  double zero(std::size_t k) const { return zero_[k]; }  ///< λ0
  double ratio(std::size_t k) const { return zero_[k] / one_[k]; }
  double response_norm(const Vector& u) const;  ///< N = √(Σ λ1 u²)

  Vector velocity(const Vector& u) const;  ///< du/dt at τ = 1
  /// u after time t, by an adaptive Runge–Kutta method of order 5.
  Vector integrate(Vector u, double t) const;
  /// The same by the one scalar that the flow is:                                                     ledger: D.4
  ///   u_k(t) = u_k(0) exp(−(λ0+λ1)t/4 + λ1 s/4),   ds/dt = 2c/N
  Vector solve(const Vector& u, double t) const;

  /// |u_j| of the fixed point in mode j alone, 2c√λ1/(λ0+λ1), and the loss there, ¼ − c²/(2(1+r)).   ledger: D.5, N1.6
  double fixed_amplitude(std::size_t j) const;
  double fixed_loss(std::size_t j) const;
  /// Growth rate of mode k at the fixed point in mode j: −(λ1_k/4)(r_k − r_j), for j itself −(λ0_j+λ1_j)/4.
  double growth_rate(std::size_t k, std::size_t j) const;

 private:
  std::vector<Mode> modes_;
  Vector one_;
  Vector zero_;
  double c_;
};

}  // namespace sluice::theory
