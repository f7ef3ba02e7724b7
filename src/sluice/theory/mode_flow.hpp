/// One ReLU unit on Gaussian or elliptical data, mode by mode.                  ledger: N0.21, N1.6, D.4, D.5, N0.c6
///   τ du_k/dt = −¼(λ0_k + λ1_k) u_k + (c/2) λ1_k u_k/N,   N = √(Σ λ1 u²),   c = 1/√(2π) for Gaussian data (N1.E)
/// What is stated comes from flow/ (the solution by one scalar, the steady states), what it is held against from velocity()
/// and integrate(), written here from the definition.
#pragma once

#include <cstddef>
#include <vector>

#include "sluice/flow/fourier_flow.hpp"
#include "sluice/flow/steady_states.hpp"
#include "sluice/theory/fourier.hpp"

namespace sluice::theory {

class ModeFlow {
 public:
  ModeFlow(const Ring& one, const Ring& zero, double c = flow::kGaussianConstant);

  const std::vector<Mode>& modes() const { return modes_; }
  double one(std::size_t k) const { return one_[k]; }    ///< λ1 of mode k
  double zero(std::size_t k) const { return zero_[k]; }  ///< λ0
  double ratio(std::size_t k) const { return zero_[k] / one_[k]; }
  double response_norm(const Vector& u) const;  ///< N = √(Σ λ1 u²)

  Vector velocity(const Vector& u) const;  ///< du/dt at τ = 1
  /// u after time t, by an adaptive Runge–Kutta method of order 5.
  Vector integrate(Vector u, double t) const;

  /// u after time t by flow::FourierFlow.                                                             ledger: D.4
  Vector solve(const Vector& u, double t) const;
  /// The steady state in which mode j is not zero.                                                    ledger: D.5, N1.6
  flow::SteadyState steady_state(std::size_t j) const;
  /// Growth rate of mode k there.
  double growth_rate(std::size_t k, std::size_t j) const;

 private:
  flow::DiagonalProblem problem_;
  std::vector<Mode> modes_;
  Vector one_;
  Vector zero_;
  double c_;
};

}  // namespace sluice::theory
