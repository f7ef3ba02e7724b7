/// Structure in the limit: what one gated linear unit learns, and which of its moments shapes it.           ledger: N0.59, N0.67, N0.c17, N0.c18
///   w(∞) = A⁺b,   b = E[g Y X],   A = E[g X Xᵀ]
/// On even data A is half of the covariance whatever the half-space (at one site: ¼(C₀ + C₁)), so the gate speaks through b alone.
#pragma once

#include "sluice/figure/recipes.hpp"
#include "sluice/record/recording.hpp"

namespace sluice::lab {

/// Of a run of one gated linear unit on a ring; on nlgp data also at other gains, from Gaussian data to signs.
figure::GateStructureView gate_structure(const record::Recording& run);

}  // namespace sluice::lab
