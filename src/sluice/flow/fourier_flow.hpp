/// One ReLU unit on two elliptical classes with common eigenvectors (rings, tori), mode by mode.
///
/// With λ_c the eigenvalues of C_c, u = F'w, N_c = √(u'Λ_c u), and c_c = ½ E|S|/sd(S) the constant of the law (Gaussian
/// 1/√(2π); N1.E) the flow is
///   du_k/dt = ½ Σ_c Y_c c_c λ_ck u_k/N_c − ¼ (λ_0k + λ_1k) u_k                         ledger: N0.21, D.4, N1.6
///   L       = ¼ Σ_c [ Y_c² − 2 Y_c c_c N_c + ½ N_c² ]                                                  ledger: C.2
/// and has one unknown number per class with a label, however many modes there are:
///   u_k(t) = u_k(0) exp(−(λ_0k + λ_1k) t/4 + ½ Σ_c Y_c c_c λ_ck σ_c(t)),     dσ_c/dt = 1/N_c.
/// (The sheet's s is √(2/π) σ.) Signs and zeros of u_k are conserved. σ relaxes at a rate of order 1 while modes compete over
/// times of 10⁶, so it is integrated by a Rosenbrock method (Boost.Odeint, order 4): O(n) per evaluation.
#pragma once

#include <array>
#include <vector>

#include "sluice/flow/elliptical.hpp"
#include "sluice/flow/flow.hpp"

namespace sluice::flow {

struct DiagonalProblem {
  std::array<std::vector<double>, 2> eigenvalues;  ///< [class][mode]; negative ones (rounding) count as 0
  std::array<double, 2> constants = {kGaussianConstant, kGaussianConstant};
  std::array<double, 2> labels = {1.0, 0.0};
};

/// Two classes on a ring (dim = 1) or torus (dim = 2), from the first rows of their covariances; modes as in math/fourier_basis.hpp.
DiagonalProblem ring_problem(const std::array<std::vector<double>, 2>& covariance_rows,
                             std::array<double, 2> constants = {kGaussianConstant, kGaussianConstant},
                             std::array<double, 2> labels = {1.0, 0.0}, std::int64_t dim = 1);

/// Like Flow, with u for parameters: stops exactly at probe times, continues from a saved FlowState to the same bits.
/// `tolerance` is the relative error of u per step.
class FourierFlow {
 public:
  FourierFlow(DiagonalProblem problem, FlowState start, FlowOptions options = {});

  Stop advance(double until);

  const FlowState& state() const { return state_; }
  std::span<const double> parameters() const { return state_.parameters; }
  double time() const { return state_.time; }
  double loss() const;

 private:
  /// Modes with the same eigenvalues move together: Σu² is all that matters of them.
  struct Group {
    std::array<double, 2> lambda;
    double decay;   // (λ_0 + λ_1)/4
    double square;  // Σ u² when the present advance began
    std::size_t first, last;
  };
  struct Sums;
  Sums sums(double elapsed, const std::array<double, 2>& sigma) const;
  double exponent(const Group& group, double elapsed, const std::array<double, 2>& sigma) const;
  double speed(double elapsed, const std::array<double, 2>& sigma) const;

  DiagonalProblem problem_;
  FlowOptions options_;
  FlowState state_;
  std::array<double, 2> pull_;  // ½ Y_c c_c
  std::vector<Group> groups_;
};

}  // namespace sluice::flow
