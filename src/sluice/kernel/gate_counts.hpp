/// How many gates of a sample are open, and how many are learning (section 3.1 of document 004).
///   active      G > τ_A
///   sensitive   max_m |∂G/∂θ^g(m)| > τ_S over all weights of the gates                       ledger: P.a13, P.6, P.a14
/// A gate in layer l reaches a weight into unit u of layer k ≤ l through ∂q^g_l/∂q^g_k, and that weight's own slope is
/// z^g_(k−1)(j):
///   max_m |∂G_l(i)/∂θ^g(m)| = G'_l(i) · max_(k≤l) max_u |∂q^g_l(i)/∂q^g_k(u)| · max_j |z^g_(k−1)(j)|
/// Where layer k is a convolution, θ^g(m) acts at every pixel: the slopes of all of them are summed before the largest is taken.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sluice/kernel/tangent.hpp"

namespace sluice::kernel {

struct GateThresholds {
  double active = 0.9;
  double sensitive = 0.1;
};

/// Means over the samples.
struct GateCounts {
  double active = 0;     ///< share of all gates
  double sensitive = 0;  ///< share of all gates; 0 where gates are hard
  double active_paths =
      0;  ///< log10 of the paths through active gates alone, d_in Π_l |A_l| where layers are dense; −∞ counts as 0
  double sensitive_paths = 0;  ///< log10 of those with one sensitive gate and the others active
};

/// `slopes` false leaves out what is sensitive, which is most of the work and nearly all of the memory (memory.hpp).
GateCounts count_gates(const Passage<float>& passage, std::span<const float> parameters,
                       const GateThresholds& thresholds, bool slopes = true);

/// Share of gates that are on the other side of ½(1+ε) than they were in another passage of the same samples.
double changed_gates(const Passage<float>& now, const Passage<float>& before);

}  // namespace sluice::kernel
