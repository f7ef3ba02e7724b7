/// An expected loss L(θ) of all parameters θ, and the way downhill. Rates multiply the gradient of the loss with the 1/K of the
/// mean readout in place and no other factor: t = rate × step of SGD (τ = 1).
#pragma once

#include <cstddef>
#include <span>

namespace sluice::flow {

class Landscape {
 public:
  virtual ~Landscape() = default;

  /// How many parameters there are.
  virtual std::size_t size() const = 0;
  /// out = −∂L/∂θ.
  virtual void downhill(std::span<const double> parameters, std::span<double> out) const = 0;
  /// L(θ): ½ E(ŷ − Y)², unless the landscape says otherwise.
  virtual double loss(std::span<const double> parameters) const = 0;
};

}  // namespace sluice::flow
