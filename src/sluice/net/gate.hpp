/// A unit is gate × pre-activation: z = G·q. Who computes the gate tells the networks of document 004 apart.
///   open   G = 1                                       deep linear networks
///   hard   G = 1(q^g ≥ 0)                              ReLU, GaLU                                  ledger: P.T1, N0.37
///   soft   G = χ_ε(−βq^g) = (1+ε)/(1+e^(−βq^g))        soft-ReLU, soft-GaLU; β → ∞ is (1+ε)·hard   ledger: P.T2, I.3
///          G' = βG(1+ε−G)/(1+ε)
/// q^g is the unit's own pre-activation (self-gated) or that of its twin in a gating network. At q^g = 0 a hard gate is
/// open, as in the notes; the paper closes it, a difference on a set of measure zero.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

namespace sluice::net {

struct Gate {
  double beta = std::numeric_limits<double>::infinity();  ///< ∞: hard
  double epsilon = 0;

  bool soft() const { return std::isfinite(beta); }
  double value(double q) const {
    return soft() ? (1 + epsilon) / (1 + std::exp(-beta * q)) : (q >= 0 ? 1 + epsilon : 0.0);
  }
  /// G' of the gate's value; 0 for a hard one.
  double slope(double value) const {
    return soft() ? beta * value * (1 + epsilon - value) / (1 + epsilon) : 0.0;
  }
};

/// gates[i] = G(q[i]), for a multiple of math::kWidestVector values.
void open_gates(const Gate& gate, std::span<const float> q, std::span<float> gates);
void open_gates(const Gate& gate, std::span<const double> q, std::span<double> gates);

}  // namespace sluice::net
