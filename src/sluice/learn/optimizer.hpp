/// How a gradient g moves a parameter θ; t counts steps from 1, ε keeps divisions finite.
///   sgd       θ ← θ − rate·g
///   momentum  v ← μv + g;              θ ← θ − rate·v
///   rmsprop   s ← ρs + (1−ρ)g²;        θ ← θ − rate·g/(√s + ε)
///   adam      v ← β₁v + (1−β₁)g, s ← β₂s + (1−β₂)g², both divided by 1 − βᵗ;  θ ← θ − rate·v/(√s + ε)
/// Weight decay λ is decoupled from all of that: before its step every trained parameter, biases and readout too, shrinks by
///   θ ← (1 − rate·λ)θ
/// so that adam's is AdamW. For sgd this is descent on the loss with the penalty ½λ‖θ‖². For the others it is not: a penalty's gradient λθ
/// would be remembered by momentum and divided by the root mean square, so that parameters with large gradients hardly decayed.
/// Arithmetic in double, in vector code; parameters and what is remembered between steps are float and part of the state a
/// checkpoint holds.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "sluice/spec/keys.hpp"

namespace sluice::learn {

struct OptimizerOptions {
  double rate = 0.01;     // multiplies the gradient of the loss; no hidden factor of K
  double momentum = 0.9;  // μ of momentum, β₁ of adam
  double decay = 0.999;   // ρ of rmsprop, β₂ of adam
  double epsilon = 1e-8;
  double weight_decay = 0;  // λ
};

/// Parameters that stand next to each other, their gradients (float or double) and what is remembered of them.
struct Stretch {
  std::int64_t count = 0;
  float* parameters = nullptr;
  const float* gradient = nullptr;     ///< this
  const double* gradient64 = nullptr;  ///< or that
  float* first = nullptr;              ///< v, or rmsprop's s; null when the optimiser has none
  float* second = nullptr;             ///< adam's s
};
using Move = void (*)(const OptimizerOptions& options, std::int64_t t, const Stretch& stretch);

struct Optimizer {
  spec::Choice choice;
  int memories;  ///< numbers remembered per parameter
  bool uses_momentum, uses_decay;
  Move move;

  /// The stretch [first, first + count) of a state with `parameters` and their `memory`, v of all, then s of all.
  Stretch stretch(std::span<float> parameters, std::span<float> memory, std::size_t first,
                  std::size_t count) const;
};

std::span<const Optimizer> optimizers();
spec::Choices optimizer_choices();
const Optimizer& optimizer(std::string_view name);

}  // namespace sluice::learn
