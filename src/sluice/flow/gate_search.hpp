/// The search for gates: half-spaces g_k(x) = 1(⟨v_k,x⟩ ≥ 0) with the largest objective                    ledger: N0.58
///   J = b'A⁺b,      L_∞ = ½E Y² − ½J
/// over a fixed set of points.
///
/// Greedy addition. The gate that is added to a set S is the candidate c with the largest gain
///   J(S + c) − J(S) = r'S_c⁺r,   S_c = A_cc − A_cS A_SS⁺ A_Sc,   r = b_c − A_cS A_SS⁺ b_S
/// Every candidate keeps S_c, r and its part of the triangle of A = LLᵀ, so that a round costs one block A_cs per candidate, s the gate that
/// was added last. All candidates are tried on all points in every round.
///
/// Refinement. Over the points J is a step function of v; over the law of X it has a derivative, which lives on the border of the half-space.
/// With weights at their optimum (they do not contribute: the envelope theorem), u_k = w_k/K,
///   ∂J/∂v_k = 2E[δ(⟨v_k,x⟩) ⟨u_k,x⟩ (Y − Σ_(l≠k) g_l⟨u_l,x⟩ − ½⟨u_k,x⟩) x]
/// and δ is estimated by a triangle whose half-width is the length of the next step. Steps are taken in the metric of the data, C = E XXᵀ, in
/// which a length is an angle between half-spaces. A sweep computes the derivatives of all gates and tries a step of each in turn: one that
/// raises J itself is taken and the next is longer, else the next is half as long. Written by hand: a general optimiser knows neither this
/// derivative nor that a trial costs only the blocks of one gate.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sluice/flow/gate_fit.hpp"
#include "sluice/flow/gate_points.hpp"
#include "sluice/math/workers.hpp"

namespace sluice::flow {

struct Greedy {
  std::vector<std::int64_t> chosen;  ///< candidates, in the order in which they came
  std::vector<double> objective;     ///< J after each round
  std::int64_t evaluations = 0;      ///< gains that were computed
};
/// `units` gates out of the candidates, none of them twice; equal gains go to the first.
Greedy greedy_gates(const GatePoints& points, const OpenBits& candidates, std::int64_t units,
                    math::Workers& workers);
/// Bytes that it needs.
double greedy_memory(std::int64_t candidates, std::int64_t units, std::int64_t inputs);

/// ∂J/∂v, [K, n], at gates with their fit; `widths` [K]: of the triangle in place of δ(⟨v_k,x⟩), to either side.
std::vector<double> objective_gradient(const GatePoints& points, std::span<const float> gates,
                                       const GateFit& fit, std::span<const double> widths,
                                       math::Workers& workers);

struct RefineOptions {
  std::int64_t sweeps = 60;  ///< at most
  double first_step = 0.3;   ///< of a gate, in radians, and its longest
  double last_step = 0.003;  ///< a gate whose step is shorter rests
};
struct Refined {
  std::vector<float> gates;  ///< [K, n], ⟨v,Cv⟩ = 1
  double objective = 0;
  std::int64_t evaluations = 0;
};
/// From these gates [K, n] on; never worse than they are.
Refined refine_gates(const GatePoints& points, std::span<const float> gates, const RefineOptions& options,
                     math::Workers& workers);

}  // namespace sluice::flow
