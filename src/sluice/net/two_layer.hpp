/// network.kind = "two-layer": one hidden layer, mean readout.                                     ledger:
/// N0.2, N2.1
///   ŷ(x) = (1/K) Σ_k σ(⟨w_k, x⟩ + b_k)
/// and its gradient, for a derivative dL/dŷ given per sample:                                      ledger:
/// N0.4 with its 1/K
///   ∂L/∂w_k = (1/K) Σ_samples (dL/dŷ) σ'(h_k) x,     ∂L/∂b_k = (1/K) Σ_samples (dL/dŷ) σ'(h_k)
#pragma once

#include <cstdint>
#include <span>
#include <vector>

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
  std::size_t parameter_count() const { return static_cast<std::size_t>(units_ * (inputs_ + 1)); }

  template <class T>
  TwoLayerView<T> view(std::span<T> parameters) const {
    const auto weight_count = static_cast<std::size_t>(units_ * inputs_);
    return {parameters.first(weight_count), parameters.subspan(weight_count)};
  }

  /// Work space for blocks of at most `rows` samples. Holds nothing between calls of forward() and
  /// backward().
  struct Scratch {
    std::vector<Real> hidden;  ///< [rows, K]: σ(h)
    std::vector<Real> slope;   ///< [rows, K]: σ'(h), then the unit's share of the gradient
  };
  Scratch make_scratch(std::int64_t rows) const;

  /// Outputs for a block of samples x [rows, n]; leaves in scratch what backward() needs.
  void forward(std::span<const Real> parameters, std::span<const Real> x, std::span<Real> output,
               Scratch& scratch) const;

  /// Adds the gradient to `gradient` (laid out like the parameters), given dL/dŷ per sample of the block that
  /// forward() saw last. Biases that are not learned get no gradient.
  void backward(std::span<const Real> x, std::span<const Real> output_gradient, std::span<Real> gradient,
                Scratch& scratch) const;

 private:
  std::int64_t units_;
  std::int64_t inputs_;
  bool learns_bias_;
  ActivationFunction<Real> activate_;
};

}  // namespace sluice::net
