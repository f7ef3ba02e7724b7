/// The gate 1(⟨w,x⟩ ≥ 0) on the vertices of the hypercube, each as likely as the others; ties open it by half.
///   Θ = {x : ⟨w,x⟩ ≥ 0}                                                                        ledger: N1.18
///   Chow_j = E[sgn⟨w,x⟩ x_j], sgn 0 = 0: with E⟨w,x⟩ = 0 all that a half-space is, as a set of vertices
///   g_j(x) = |{x' ∈ Θ : x'_j = x_j}| = 2^(k−2) (1 + x_j Chow_j)                         ledger: N1.21, N1.22, N1.c6
/// g_j/2^(k−1) is 1(x_j = sgn w_j) where one entry outweighs the others, ½ where an entry does not matter.
/// Under the law of a task Chow parameters are 2f(w) (N1.5): flow/sampled.hpp has them with standard errors.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sluice/math/workers.hpp"

namespace sluice::theory {

struct CubeGate {
  static constexpr std::size_t kMost = 40;

  std::int64_t open = 0;     ///< vertices with ⟨w,x⟩ > 0, as many as have ⟨w,x⟩ < 0
  std::int64_t ties = 0;     ///< with ⟨w,x⟩ = 0, or within 1e-12 of Σ|w|
  std::vector<double> chow;  ///< of every entry

  /// |{x' ∈ Θ : x'_j = sign}|, ties by half.
  double count(std::size_t entry, int sign) const;
};

/// By meeting in the middle: at most kMost entries other than zero (0.4 s), else InputError. `open` and `ties` are on the cube of these
/// entries alone.
CubeGate cube_gate(std::span<const double> w, math::Workers& workers);

}  // namespace sluice::theory
