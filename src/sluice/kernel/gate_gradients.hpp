/// How every gate of every sample moves with the weights of a dense gating network, and what that gives the kernel.
///   ∂q^g_l(i) = e_(l,i) ⊗ z^g_(l−1) + Σ_j Θ^g_l(i,j) ∂z^g_(l−1)(j),   ∂z^g = (G + q^g G') ∂q^g,   ∂G = G' ∂q^g
/// For networks small enough to hold samples × gates × weights numbers; kernels of large ones need none of it (tangent.hpp).
#pragma once

#include <span>
#include <vector>

#include "sluice/kernel/tangent.hpp"

namespace sluice::kernel {

/// G_s(l, i), l ∈ [1, d−1].
double gate_of(const Passage<double>& passage, std::size_t sample, std::size_t layer, std::size_t unit);

class GateGradients {
 public:
  /// Throws std::invalid_argument unless gates are those of a dense gating network.
  GateGradients(const Passage<double>& passage, std::span<const double> parameters);

  /// Weights of the gating network.
  std::size_t weights() const { return weights_; }
  /// ∂G_s(l, i)/∂Θ^g, l ∈ [1, d−1].
  std::span<const double> of(std::size_t sample, std::size_t layer, std::size_t unit) const;

 private:
  std::size_t weights_ = 0;
  std::vector<std::size_t> first_gate_;  // [d], of layer l + 1 among a sample's gates; the last: their number
  std::vector<double> slopes_;           // [samples, gates, weights]
};

/// δ(s,t), factored over layers, τ_m = ⟨G_s(m), G_t(m)⟩:                                     ledger: I.5, P.D3.1
///   Σ_l (Σ_i ⟨∂G_s(l,i), ∂G_t(l,i)⟩) Π_(m≠l) τ_m
///   + Σ_(l≠k) ⟨Σ_i G_t(l,i) ∂G_s(l,i), Σ_j G_s(k,j) ∂G_t(k,j)⟩ Π_(m≠l,k) τ_m
double gate_adaptation(const Passage<double>& passage, const GateGradients& gradients, std::size_t s,
                       std::size_t t);

}  // namespace sluice::kernel
