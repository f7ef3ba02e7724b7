/// Gated linear units whose gates look at one site, 1(x_i > 0), on nlgp data (gain 0: Gaussian, inf: signs).
#pragma once

#include <cstddef>

#include "sluice/theory/vector.hpp"

namespace sluice::theory {

/// E[1(x_i ≥ 0) 1(x_j ≥ 0) x_k x_l] = ¼(C_kl + M4(R)/Z_g) for i ≠ j; Gaussian data by F.5.            ledger: F.4, F.5
/// `r` is the latent correlation.
double two_gate_moment(const Ring& r, double gain, std::size_t i, std::size_t j, std::size_t k,
                       std::size_t l);

/// Σ^xx(p_1,p_1)_kl of the gate 1(x_i ≥ 0) as document 003 prints it, with the σ₁² that it does not define taken for 1 − ρ_ik²; NaN where
/// k = i. What is true is ¼(C₀+C₁).                                                                                   ledger: N3.8
double printed_gate_covariance(const Ring& r, double gain, std::size_t i, std::size_t k, std::size_t l);

/// One unit with the gate 1(x_0 > 0): w(∞) = 2(C₀+C₁)⁻¹f, L_∞ = ¼ − ½f'(C₀+C₁)⁻¹f, f = f(e_0).         ledger: F.3
/// Two units with the gates ±: L_∞ = ¼ − f'(C₀+C₁)⁻¹f.
struct BumpSolution {
  Vector weights;    ///< of the single unit
  double loss;       ///< of the single unit
  double pair_loss;  ///< of the ± pair
};
BumpSolution bump_solution(std::int64_t n, double xi_one, double xi_zero, double gain);

}  // namespace sluice::theory
