/// Activations of a hidden unit: its value σ(h) and its slope σ'(h) at the pre-activation h = ⟨w,x⟩ + b.
///
/// A unit is gate × pre-activation (net/gate.hpp, which deep networks share). ReLU is self-gated: σ(h) = g(h)·h with the gate g(h) = 1(h ≥ 0), which is also
/// its slope (N0.37). soft-relu has the soft gate χ(βh), χ the logistic function, and becomes ReLU as β → ∞ (document 004).
/// linear has the gate 1. erf, sigmoid and tanh are the smooth units of the notes; they saturate instead of gating.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "sluice/spec/keys.hpp"

namespace sluice::net {

/// What an activation works on: the pre-activations of a block, unit by unit.
template <class Real>
struct UnitBlock {
  Real* h;           ///< [units, lanes]: ⟨w,x⟩ on entry, σ'(h) on return; a_k σ'(h) with a readout
  const Real* bias;  ///< [units], added to every lane of its unit
  std::int64_t units;
  std::int64_t lanes;  ///< a multiple of math::kWidestVector
  Real* sum;  ///< [lanes]: receives Σ_k σ(h_k), units added in order; Σ_k a_k σ(h_k) with a readout
  Real beta;  ///< sharpness of a soft gate; the others ignore it
  const Real* readout = nullptr;  ///< [units]: a; null for a plain sum
  Real* value = nullptr;          ///< [units, lanes]: receives σ(h); only with a readout
};
template <class Real>
using ActivationFunction = std::function<void(const UnitBlock<Real>&)>;

struct Activation {
  spec::Choice choice;                        ///< name and formula
  void (*apply)(const UnitBlock<float>&);     ///< vector code
  void (*apply64)(const UnitBlock<double>&);  ///< plain loops, for gradient checks and theory
};

/// All of them, in one table: activation.cpp.
std::span<const Activation> activations();
spec::Choices activation_choices();

/// Of the table, or of a formula of h (formula_unit.hpp).
template <class Real>
ActivationFunction<Real> activation_function(const std::string& name_or_formula);

}  // namespace sluice::net
