/// Where one ReLU unit on two elliptical classes comes to rest, and which of these places it stays at.
///
/// At a steady state of the flow of fourier_flow.hpp only modes with one common ratio r = λ_0/λ_1 are non-zero (labels 1
/// and 0; λ_1 belongs to the class with label 1): generically one frequency.    ledger: N0.22, N0.23, N0.24, N0.c5, D.5
///   one mode         |u| = 2c √λ_1/(λ_0 + λ_1), corrected                                           ledger: N0.25
///   a cos/sin pair   the circle of that radius, corrected: all translates of one wave        ledger: N0.26, N0.27, N0.28
///                                                                                            ledger: N0.29, N0.30, N0.31
///   ties             Σ λ_1k u_k² = (2c/(1+r))², an ellipsoid
///   loss             ¼ − c²/(2(1+r)), Gaussian ¼ − 1/(4π(1+r))                             ledger: N0.c6, N1.6
/// There a mode k that is zero grows at the rate −(λ_1k/4)(r_k − r), its own size at −(λ_0 + λ_1)/4: the state with the
/// smallest ratio is stable, all others are not. With a label at each class, in general
///   |u| = 2 Σ_c Y_c c_c √λ_c/(λ_0 + λ_1),    growth of k: −¼(λ_0k + λ_1k) + ½ Σ_c Y_c c_c λ_ck/(√λ_c |u|).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sluice/flow/fourier_flow.hpp"

namespace sluice::flow {

struct SteadyState {
  std::vector<std::int64_t>
      modes;             ///< that may be non-zero: one, a cos/sin pair, or more where frequencies tie
  double ratio = 0;      ///< eigenvalue of the second class over that of the first
  double amplitude = 0;  ///< |u| when only the first of the modes (or its pair) is non-zero
  double loss = 0;
  double own_rate = 0;             ///< of a perturbation of the amplitude: negative
  double fastest_growth = 0;       ///< over all other modes
  std::int64_t fastest_mode = -1;  ///< the one that grows so; −1 when there is no other
  bool stable = false;             ///< no other mode grows
};

/// All of them, lowest loss first; O(n²). Modes without power in the class that pulls (below 1e-12 of its strongest) have none.
std::vector<SteadyState> steady_states(const DiagonalProblem& problem);

/// Rate at which a mode grows (or, negative, decays) when the unit rests at `state`.
double growth_rate(const DiagonalProblem& problem, const SteadyState& state, std::int64_t mode);

/// When the flow from u comes within `tolerance` (relative, Euclidean) of a stable steady state; infinity when it does
/// not before `limit`. Found by integrating the flow.
double time_to_reach(const DiagonalProblem& problem, const SteadyState& state, std::span<const double> start,
                     double tolerance, double limit);

}  // namespace sluice::flow
