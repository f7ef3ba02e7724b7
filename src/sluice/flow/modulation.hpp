/// Where a flat field begins to be modulated, to leading order in the gain.
///
/// At its best scale the loss of a field is ¼ − R/8, R = κ²/(1 + s0²/s1²) (C.6), and nearly Gaussian data have
/// κ² = (2/π)(1 − k₄/12), k₄ the excess kurtosis of ⟨w,X⟩: for nlgp data of small gain k₄ = −8g² Σ_i w_i (Sw)_i³/(wᵀSw)². For w = 1 + ε√2 cos(2πkx/n), to
/// second order in ε, with λ the eigenvalues of S(ξ₁), ρ = λ_k/λ_0 and r = λ(ξ₂)/λ(ξ₁) mode by mode,
///   Σ w(Sw)³/(wᵀSw)² = (λ_0/n)(1 + ε²(3ρ² + ρ)),    s0²/s1² = r_0 + ε² ρ (r_k − r_0),
/// so that the flat field stops being a maximum of R at
///   g_k² = (3n/2λ_0) (r_k − r_0)/((1 + r_0)(3ρ + 1)).
/// r_k − r_0 ~ (k/n)²: the critical gain falls like n^(−½), and k = 1 is first. Labels 1 and 0.
#pragma once

#include "sluice/task/nlgp.hpp"

namespace sluice::flow {

/// The smallest g_k; infinite where no mode grows, not a number where a mode grows on Gaussian data already (ξ₁ < ξ₂).
double modulation_gain(const task::NlgpOptions& task);

}  // namespace sluice::flow
