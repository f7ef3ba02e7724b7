#include "sluice/net/activation.hpp"

#include <Eigen/Core>
#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "sluice/math/special.hpp"

namespace sluice::net {
namespace {

template <class Real>
using Values = Eigen::Map<Eigen::Array<Real, Eigen::Dynamic, 1>>;

template <class Real>
Values<Real> as_array(std::span<Real> values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}

template <class Real>
void relu(std::span<Real> h, std::span<Real> slope) {
  for (std::size_t i = 0; i < h.size(); ++i) {
    const Real gate = h[i] >= 0 ? Real{1} : Real{0};
    slope[i] = gate;
    h[i] = h[i] >= 0 ? h[i] : Real{0};
  }
}

/// σ(h) = erf(h/√2), σ'(h) = √(2/π) e^(−h²/2); the notes' "sigmoid" (N2.32 with its constant corrected).
template <class Real>
void erf_unit(std::span<Real> h, std::span<Real> slope) {
  const auto pre = as_array(h);
  as_array(slope) = std::sqrt(Real{2} / std::numbers::pi_v<Real>) * (Real{-0.5} * pre.square()).exp();
  math::erf_in_place(h, 1 / std::numbers::sqrt2_v<Real>);
}

/// σ(h) = 1/(1+e^(−h)), σ' = σ(1−σ). Eigen's exp saturates instead of overflowing, so no branch is needed.
template <class Real>
void sigmoid(std::span<Real> h, std::span<Real> slope) {
  auto value = as_array(h);
  value = (Real{1} + (-value).exp()).inverse();
  as_array(slope) = value * (Real{1} - value);
}

constexpr std::array kTable{
    Activation{{"relu", "max(h, 0): self-gated, gate 1(h ≥ 0)"}, relu<float>, relu<double>},
    Activation{{"erf", "erf(h/√2), what the notes call sigmoid"}, erf_unit<float>, erf_unit<double>},
    Activation{{"sigmoid", "1/(1 + exp(-h)), the logistic function"}, sigmoid<float>, sigmoid<double>},
};
constexpr auto kChoices = [] {
  std::array<spec::Choice, kTable.size()> choices;
  for (std::size_t i = 0; i < kTable.size(); ++i) choices[i] = kTable[i].choice;
  return choices;
}();

}  // namespace

std::span<const Activation> activations() { return kTable; }
spec::Choices activation_choices() { return kChoices; }

const Activation& activation(std::string_view name) {
  for (const Activation& entry : kTable) {
    if (entry.choice.name == name) return entry;
  }
  throw std::logic_error("no activation named " + std::string(name));
}

template <>
ActivationFunction<float> apply_of(const Activation& activation) {
  return activation.apply;
}
template <>
ActivationFunction<double> apply_of(const Activation& activation) {
  return activation.apply64;
}

}  // namespace sluice::net
