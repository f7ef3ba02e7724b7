/// Which mode one ReLU unit ends in on Gaussian rings, as the two correlation lengths vary: the one with the smallest
/// r = λ_0/λ_1, flat where ξ₁ > ξ₂, Nyquist where ξ₁ < ξ₂; on the line ξ₁ = ξ₂ all modes tie.      ledger: D.5, N0.c6
/// The power at the highest frequencies, exp(−(πξ/2)²), drowns in rounding from ξ₁ = 3.3 on: beyond, where ξ₁ < ξ₂, the winner
/// is the highest frequency that still has any. On 40 sites the fold of the kernel at half the ring, exp(−(n/2)²/ξ²),
/// outweighs it from ξ = 3.4 on, and decides in the corner near ξ₁ = ξ₂ = 4; on 80 sites it is nothing.
#pragma once

#include <cstdint>
#include <vector>

namespace sluice::theory {

struct WinningMode {
  double xi_one, xi_two;
  double frequency;  ///< periods around the ring; not a number where all modes tie
  double amplitude;  ///< |u|; not a number where all modes tie
  double loss;
};

/// ξ₁ and ξ₂ from 0.5 to 4 in steps of 0.1, ξ₂ running faster. O(n²) for every pair.
std::vector<WinningMode> mode_map(std::int64_t n);

}  // namespace sluice::theory
