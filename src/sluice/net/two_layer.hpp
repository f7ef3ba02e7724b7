/// network.kind = "two-layer": one hidden layer, mean readout.                                     ledger: N0.2, N2.1
///   ŷ(x) = (1/K) Σ_k σ(⟨w_k, x⟩ + b_k)
/// and its gradient, for a derivative dL/dŷ given per sample:                                      ledger: N0.4 with its 1/K
///   ∂L/∂w_k = (1/K) Σ_samples (dL/dŷ) σ'(h_k) x,     ∂L/∂b_k = (1/K) Σ_samples (dL/dŷ) σ'(h_k)
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sluice/math/lanes.hpp"
#include "sluice/net/activation.hpp"
#include "sluice/net/options.hpp"

namespace sluice::net {

/// Named views over the flat vector of K·(n+1) parameters: optimisers and checkpoints need only the span.
template <class Real>
struct TwoLayerView {
  std::span<Real> weights;  ///< [K, n], one receptive field per row
  std::span<Real> bias;     ///< [K], constant unless the spec says bias = "learned"
};

template <class Real>
class TwoLayer {
 public:
  TwoLayer(const TwoLayerOptions& options, std::int64_t inputs);

  std::int64_t units() const { return units_; }
  std::int64_t inputs() const { return inputs_; }
  bool learns_bias() const { return learns_bias_; }
  std::size_t parameter_count() const { return static_cast<std::size_t>(units_ * (inputs_ + 1)); }

  template <class T>
  TwoLayerView<T> view(std::span<T> parameters) const {
    const auto weight_count = static_cast<std::size_t>(units_ * inputs_);
    return {parameters.first(weight_count), parameters.subspan(weight_count)};
  }

  /// A gradient is K rows of gradient_stride() values: n for the weights, then one for a learned bias, then padding.
  std::int64_t gradient_stride() const { return math::whole_vectors(inputs_ + (learns_bias_ ? 1 : 0)); }
  std::size_t gradient_size() const { return static_cast<std::size_t>(units_ * gradient_stride()); }

  /// Work space for blocks of at most `samples` samples. Holds nothing between calls of forward() and backward().
  struct Scratch {
    math::Aligned<Real> hidden;  ///< [K, lanes]: h, then σ'(h), then the unit's share of the gradient
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

 private:
  std::int64_t units_;
  std::int64_t inputs_;
  bool learns_bias_;
  Real beta_;
  ActivationFunction<Real> activate_;
};

}  // namespace sluice::net
