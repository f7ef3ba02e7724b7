/// network.kind = "two-layer": one hidden layer and a readout,
///   ŷ(x) = Σ_k a_k σ(h_k) + c,   h_k = ⟨w_k, x⟩ + b_k                                               ledger: N0.1
///   readout = "mean"     a_k = 1/K and c = 0, fixed: ŷ(x) = (1/K) Σ_k σ(h_k)                 ledger: N0.2, N2.1
///   readout = "learned"  a and c are parameters (N0.1 writes W₂ and b₂)
///   pathway = s > 0      + s⟨v, x⟩, v trained from 0: a linear pathway beside the units (000, §5.1)
/// and its gradient, for a derivative dL/dŷ given per sample (N0.4 with its 1/K):                         ledger: N0.4
///   ∂L/∂w_k = Σ_samples (dL/dŷ) a_k σ'(h_k) x,     ∂L/∂b_k = Σ_samples (dL/dŷ) a_k σ'(h_k)
///   ∂L/∂a_k = Σ_samples (dL/dŷ) σ(h_k),            ∂L/∂c = Σ_samples dL/dŷ,      ∂L/∂v = s Σ_samples (dL/dŷ) x
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sluice/math/lanes.hpp"
#include "sluice/net/activation.hpp"
#include "sluice/net/options.hpp"

namespace sluice::net {

/// Named views over the flat vector of K·(n+1) parameters, K + 1 more with a learned readout, n more with a pathway: optimisers and
/// checkpoints need only the span.
template <class Real>
struct TwoLayerView {
  std::span<Real> weights;  ///< [K, n], one receptive field per row
  std::span<Real> bias;     ///< [K], constant unless the spec says bias = "learned"
  std::span<Real> readout;  ///< [K]: a; empty for the mean readout
  std::span<Real> offset;   ///< [1]: c; empty for the mean readout
  std::span<Real> pathway;  ///< [n]: v; empty without a pathway
};

template <class Real>
class TwoLayer {
 public:
  TwoLayer(const TwoLayerOptions& options, std::int64_t inputs);

  std::int64_t units() const { return units_; }
  std::int64_t inputs() const { return inputs_; }
  bool learns_bias() const { return learns_bias_; }
  bool learns_readout() const { return learns_readout_; }
  bool has_pathway() const { return pathway_ > 0; }
  std::size_t parameter_count() const {
    return static_cast<std::size_t>(units_ * (inputs_ + 1) + readout_count() + pathway_count());
  }

  template <class T>
  TwoLayerView<T> view(std::span<T> parameters) const {
    const auto units = static_cast<std::size_t>(units_);
    const auto weight_count = static_cast<std::size_t>(units_ * inputs_);
    const auto behind = parameters.subspan(weight_count + units);
    return {parameters.first(weight_count), parameters.subspan(weight_count, units),
            learns_readout_ ? behind.first(units) : behind.first(0),
            learns_readout_ ? behind.subspan(units, 1) : behind.first(0),
            behind.last(static_cast<std::size_t>(pathway_count()))};
  }

  /// A gradient is K rows of gradient_stride() values: n for the weights, then one for a learned bias, then padding.
  /// Behind them stand those of a learned readout, in the order of the parameters: K for a, one for c, then padding; then n of a
  /// pathway.
  std::int64_t gradient_stride() const { return math::whole_vectors(inputs_ + (learns_bias_ ? 1 : 0)); }
  std::size_t unit_gradient_size() const { return static_cast<std::size_t>(units_ * gradient_stride()); }
  std::size_t gradient_size() const {
    return pathway_gradient_place() + static_cast<std::size_t>(math::whole_vectors(pathway_count()));
  }
  std::size_t pathway_gradient_place() const {
    return unit_gradient_size() + static_cast<std::size_t>(math::whole_vectors(readout_count()));
  }

  /// Work space for blocks of at most `samples` samples. Holds nothing between calls of forward() and backward().
  struct Scratch {
    math::Aligned<Real>
        hidden;  ///< [K, lanes]: h, then ∂ŷ/∂h up to the mean's 1/K, then the unit's share of the gradient
    math::Aligned<Real> values;  ///< [K, lanes]: σ(h); empty for the mean readout
    math::Aligned<Real> sums;    ///< [lanes]
    math::Aligned<Real>
        inputs;  ///< [samples, gradient_stride()]: x with a 1 behind it, so that one product gives
                 ///< the gradients of weights and biases
  };
  Scratch make_scratch(std::int64_t samples) const;

  /// Outputs for a block of samples; leaves in scratch what backward() needs.
  void forward(std::span<const Real> parameters, const math::LanesOf<Real>& x, std::span<Real> output,
               Scratch& scratch) const;

  /// Adds to `gradient`, given dL/dŷ per sample of the block that forward() saw last.
  void backward(const math::LanesOf<Real>& x, std::span<const Real> output_gradient, std::span<Real> gradient,
                Scratch& scratch) const;

  /// E networks of this shape on the same samples, to the same bits: their units are rows under each other, so that one product has them
  /// all. Of the mean readout without a pathway. Weights [E K, n], biases [E K], outputs and slopes [E, samples], gradient [E, gradient_size()].
  bool stacks() const { return !learns_readout_ && !has_pathway(); }
  Scratch make_stack(std::int64_t members, std::int64_t samples) const;
  void forward_stack(std::span<const Real> weights, std::span<const Real> bias, const math::LanesOf<Real>& x,
                     const math::LanesOf<Real>& outputs, Scratch& scratch) const;
  void backward_stack(const math::LanesOf<Real>& x, const math::LanesOf<Real>& slopes,
                      std::span<Real> gradient, Scratch& scratch) const;

 private:
  /// h = W x of so many rows; and gradient += (rows of scratch.hidden) x'.
  void project(const Real* weights, std::int64_t rows, const math::LanesOf<Real>& x, Real* h) const;
  void add_products(const math::LanesOf<Real>& x, std::int64_t rows, Real* gradient, Scratch& scratch) const;
  /// ∂ŷ/∂h·dL/dŷ in place of ∂ŷ/∂h, of one network's units; lanes without a sample get 0.
  void scale_by(const Real* output_gradient, const math::LanesOf<Real>& x, Real* hidden,
                Scratch& scratch) const;

  std::int64_t readout_count() const { return learns_readout_ ? units_ + 1 : 0; }
  std::int64_t pathway_count() const { return has_pathway() ? inputs_ : 0; }

  std::int64_t units_;
  std::int64_t inputs_;
  bool learns_bias_;
  bool learns_readout_;
  Real share_;  // what stands before the units' sum: 1/K for the mean, 1 when the sum has its own weights
  Real beta_;
  Real pathway_;  // s; 0: there is none
  ActivationFunction<Real> activate_;
};

}  // namespace sluice::net
