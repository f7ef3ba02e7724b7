/// How far the flows of one unit by approximate responses end from the flow by samples, on nlgp data.      ledger: C.7, N1.c8
///   gaussian      second moments alone
///   mean field    f_i = E[X_i Φ(a_i X_i/√(1−a_i²))]
///   conditioned   flow/conditioned.hpp
#pragma once

#include <array>
#include <vector>

#include "sluice/task/nlgp.hpp"
#include "sluice/theory/vector.hpp"

namespace sluice::theory {

/// Medians over the starts of ‖w − w_sampled‖/‖w_sampled‖ at time t: gaussian, mean field, conditioned.
std::array<double, 3> flow_errors(const task::NlgpOptions& options, const std::vector<Vector>& starts,
                                  double time);

}  // namespace sluice::theory
