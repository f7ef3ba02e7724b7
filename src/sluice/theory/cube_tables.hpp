/// What gates see of their weights on the vertices of the hypercube, as tables.                  ledger: N1.13, N1.S2, N1.22
#pragma once

#include "sluice/theory/quantity.hpp"

namespace sluice::theory {

/// δ of the k largest entries of w and the size of the tail they leave, log₁₀ of both over |w_1|, against k: normal entries (medians),
/// a bump, and a trained unit on nlgp data; where the tail is below δ, k entries decide the gate. Beside them the relaxation of δ of the
/// bump.
Table cube_margins(const Request& request);

/// Of every unit: its entries, δ, the relaxation, how many entries decide the gate on all vertices; on samples of the task the share on
/// which the largest entry alone has the gate, and how many it takes for 90, 95 and 99 % of them.
Table cube_gates(const Request& request);

/// f_2 of one, two and three bumps at sites 0, 1 and 4 on nlgp data of growing gain, sampled, beside its closed form at that gain, where
/// there is one, else on the vertices. All tend to the vertices but e_0 + e_4, which is taken there by float data, whose erf
/// saturates.                                                            ledger: N1.8, N1.9, N1.12, C.4, C.5; notes: J.1
Table bump_responses(const Request& request);

/// Chow parameters E[sgn⟨w,x⟩ x_j] of the first unit: under the uniform law of the vertices, and under that of one class.
Table chow_parameters(const Request& request);

}  // namespace sluice::theory
