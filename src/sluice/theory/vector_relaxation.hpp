/// The semidefinite relaxation of δ(w) = min_x |⟨w,x⟩|: signs become unit vectors,
///   min ‖Σ_i w_i v_i‖ over ‖v_i‖ = 1,      δ² ≥ min ⟨ww', V⟩ over V ⪰ 0 with V_ii = 1           ledger: N1.S1, N1.S2
/// Sides of lengths |w_i| close to a polygon unless one is longer than all others together, so its value is
///   max(0, 2 max|w_i| − Σ|w_i|):
/// it says no more than Σ_(i>1) |w_i/w_1| < 1 (N1.c4), and nothing where no entry dominates.
#pragma once

#include <span>

namespace sluice::theory {

/// The closed form.
double relaxed_margin(std::span<const double> w);

/// The same by solving it: vectors in ⌈√(2k)⌉ + 1 dimensions, enough for the nonconvex problem to have no other minima, turned
/// one by one to where each is best until a round gains less than 1e-15 of Σ|w|.
double solved_relaxation(std::span<const double> w);

}  // namespace sluice::theory
