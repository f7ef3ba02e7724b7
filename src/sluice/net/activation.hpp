/// Activations of a hidden unit: its value σ(h) and its slope σ'(h) at the pre-activation h = ⟨w,x⟩ + b.
///
/// A unit is gate × pre-activation. ReLU is self-gated: σ(h) = g(h)·h with the gate g(h) = 1(h ≥ 0), which is
/// also its slope (N0.37). erf and sigmoid are the smooth units of the notes; they saturate instead of
/// gating.
#pragma once

#include <span>
#include <string_view>

#include "sluice/spec/keys.hpp"

namespace sluice::net {

template <class Real>
using ActivationFunction = void (*)(std::span<Real> h_to_value, std::span<Real> slope);

struct Activation {
  spec::Choice choice;                 ///< name and formula
  ActivationFunction<float> apply;     ///< replaces h by σ(h), fills σ'(h)
  ActivationFunction<double> apply64;  ///< the same in double, for gradient checks and theory
};

/// All of them, in one table: activation.cpp.
std::span<const Activation> activations();
spec::Choices activation_choices();
const Activation& activation(std::string_view name);

template <class Real>
ActivationFunction<Real> apply_of(const Activation& activation);

}  // namespace sluice::net
