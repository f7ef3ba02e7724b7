/// A unit is gate × pre-activation: z = G·q. Who computes the gate tells the networks of document 004 apart.
///   open     G = 1                                       deep linear networks
///   hard     G = 1(q^g ≥ 0)                              ReLU, GaLU                                  ledger: P.T1, N0.37
///   soft     G = χ_ε(−βq^g) = (1+ε)/(1+e^(−βq^g))        soft-ReLU, soft-GaLU; β → ∞ is (1+ε)·hard   ledger: P.T2, I.3
///            G' = βG(1+ε−G)/(1+ε)
///   formula  G = what was typed, of q                    "Phi(2*q)", "q > 1"
/// q^g is the unit's own pre-activation (self-gated) or that of its twin in a gating network. At q^g = 0 a hard gate is
/// open, as in the notes; the paper closes it, a difference on a set of measure zero.
#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string>

#include "sluice/net/formula.hpp"

namespace sluice::net {

/// The gates of the paper.
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

/// What is wrong with a formula of q; empty: nothing.
std::string complaint_about_gate(const std::string& formula);

/// Any gate at work, on arrays whose length is a multiple of math::kWidestVector.
class GateFunction {
 public:
  GateFunction(const Gate& gate) : gate_(gate) {}
  /// Throws math::ExpressionError where there is a complaint.
  explicit GateFunction(const std::string& formula);

  /// What opens it can be learned: G' is not 0 everywhere.
  bool soft() const { return formula_ ? !formula_->flat() : gate_.soft(); }
  /// A gate counts as open above this.
  double half() const { return formula_ ? 0.5 : (1 + gate_.epsilon) / 2; }

  /// gates[i] = G(q[i]), and slopes[i] = G'(q[i]) unless `slopes` is empty.
  template <class Real>
  void open(std::span<const Real> q, std::span<Real> gates, std::span<Real> slopes) const;

 private:
  Gate gate_;
  std::optional<Formula> formula_;
};

}  // namespace sluice::net
