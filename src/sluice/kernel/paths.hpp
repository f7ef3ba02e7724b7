/// A small dense gated network with one output, path by path: every sum of document 004 as it is written, for tests and
/// claims. What is factored over layers elsewhere (tangent.hpp) is a sum over all paths here.
///   p = (p(0), …, p(d−1))   a unit of every layer; the output is the only one of its layer    ledger: P.a1, P.D7.1
///   w(p) = Π_(l=1..d) Θ_l(p(l), p(l−1))                                        strength     ledger: P.D7.2
///   A(s,p) = Π_(l=1..d−1) G_s(l, p(l))                                         activity     ledger: P.D7.3
///   φ_s(p) = x_s(p(0)) A(s,p)                                                  feature      ledger: P.D7.4, P.8
///   ŷ_s = Σ_p φ_s(p) w(p),   M(s,t) = Σ_p φ_s(p) φ_t(p)                                     ledger: P.2, P.14, P.a3
///   φ_p(m) = ∂w(p)/∂θ(m)                                                       sensitivity  ledger: P.3
///   κ(s,t,i,j) = Σ_(p from i, q from j) A(s,p) A(t,q) ⟨φ_p, φ_q⟩
///   K(s,t) = Σ_(i,j) x_s(i) x_t(j) κ(s,t,i,j)                       gates held fixed       ledger: P.L2.1, P.4, P.9
///   δ(s,t) = Σ_(p from i) ⟨∂A(s,p), ∂A(t,p)⟩, the same for every i  gradients in Θ^g       ledger: P.D3.1, P.6
/// Lemma 2.1 prints the terms i = j alone: paths that share a weight of layer 2 or higher may begin at different inputs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sluice/kernel/gate_gradients.hpp"
#include "sluice/kernel/tangent.hpp"

namespace sluice::kernel {

class Paths {
 public:
  static constexpr std::size_t kMost = 100'000;

  /// The passage must outlive the paths. Throws std::invalid_argument for circular layers and for more than kMost paths.
  Paths(const Passage<double>& passage, std::span<const double> parameters);

  std::size_t size() const { return strengths_.size(); }
  /// p(layer).
  std::size_t unit(std::size_t path, std::size_t layer) const { return units_[path * depth_ + layer]; }
  double strength(std::size_t path) const { return strengths_[path]; }
  double activity(std::size_t sample, std::size_t path) const;
  double feature(std::size_t sample, std::size_t path) const;

  double output(std::size_t sample) const;
  double gram(std::size_t s, std::size_t t) const;
  /// ⟨φ_p, φ_q⟩: over the layers in which p and q share their weight, the product of the weights of all other layers.
  double sensitivity(std::size_t p, std::size_t q) const;
  double kappa(std::size_t s, std::size_t t, std::size_t i, std::size_t j) const;
  /// K^w(s,t) over all pairs of inputs,
  double tangent(std::size_t s, std::size_t t) const;
  /// and as printed, over equal ones.
  double printed_tangent(std::size_t s, std::size_t t) const;

  /// ∂A(s,p)/∂Θ^g by the product rule.                                                            ledger: P.6
  std::vector<double> activity_gradient(const GateGradients& gradients, std::size_t sample,
                                        std::size_t path) const;
  /// δ(s,t), over the paths from input 0.
  double adaptation(const GateGradients& gradients, std::size_t s, std::size_t t) const;

 private:
  double weight(std::size_t path, std::size_t layer) const { return weights_[path * depth_ + layer - 1]; }
  double input(std::size_t sample, std::size_t i) const;

  const Passage<double>& passage_;
  std::size_t depth_;
  std::vector<std::size_t> units_;  // [paths, d], from the input on
  std::vector<double> weights_;     // [paths, d], Θ_l along the path
  std::vector<double> strengths_;
};

}  // namespace sluice::kernel
