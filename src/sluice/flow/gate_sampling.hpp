/// Moments behind gates from samples: the part of gate_moments.hpp that draws.
#pragma once

#include "sluice/flow/gate_moments.hpp"

namespace sluice::flow {

/// The gates of a network, sorted by what is known of them.
struct GateSet {
  const net::Gates& gates;
  std::span<const float> vectors;    ///< [K, n]
  std::vector<std::int64_t> halves;  ///< units whose gate is a half-space, v ≠ 0
  std::vector<double> share;         ///< of the others: P(open), 1 or that of a coin
  bool is_half(std::int64_t k) const { return share[static_cast<std::size_t>(k)] < 0; }
  std::vector<double> vector(std::int64_t k) const;
};

/// E[s_k s_l X Xᵀ] and E[Y s_k X] of half-spaces (s = ±1) where `signs`, else E[g_k g_l X Xᵀ] and E[Y g_k X] of all units: sums and
/// sums of squares over replicates, as means and standard errors in b, a, b_error and a_error. Blocks below the diagonal are left 0.
GateMoments sampled_products(const GateSet& set, bool signs, const task::Task& task,
                             const MomentOptions& options, math::Workers& workers);

}  // namespace sluice::flow
