// Compiled once per instruction set: Highway includes this file again for each target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sluice/net/activation.cpp"
#include <hwy/foreach_target.h>
// Highway
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include "sluice/math/vector_functions.inc"
#include "sluice/net/activation.hpp"

HWY_BEFORE_NAMESPACE();
namespace sluice::net::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::ScalableTag<float>;
using Vec = hn::Vec<Tag>;
constexpr Tag kTag;

struct ValueAndSlope {
  Vec value, slope;
};

/// σ(h) = max(h, 0); the slope is the gate 1(h ≥ 0).
struct Relu {
  static HWY_INLINE ValueAndSlope at(Vec h, Vec) {
    const Vec zero = hn::Zero(kTag);
    return {hn::Max(h, zero), hn::IfThenElseZero(hn::Ge(h, zero), hn::Set(kTag, 1.0F))};
  }
};

/// σ(h) = erf(h/√2), σ'(h) = √(2/π) e^(−h²/2); the notes' "sigmoid" (N2.32 with its constant corrected).
struct Erf {
  static HWY_INLINE ValueAndSlope at(Vec h, Vec) {
    const Vec exponent = hn::Mul(hn::Set(kTag, -0.5F), hn::Mul(h, h));
    return {
        math::HWY_NAMESPACE::vector_erf(kTag, hn::Mul(h, hn::Set(kTag, 0.70710678118654752F))),
        hn::Mul(hn::Set(kTag, 0.79788456080286536F), math::HWY_NAMESPACE::exp_of_negative(kTag, exponent))};
  }
};

/// σ(h) = 1/(1+e^(−h)), σ' = σ(1−σ).
struct Sigmoid {
  static HWY_INLINE ValueAndSlope at(Vec h, Vec) {
    const Vec value = math::HWY_NAMESPACE::vector_logistic(kTag, h);
    return {value, hn::Mul(value, hn::Sub(hn::Set(kTag, 1.0F), value))};
  }
};

/// tanh h = 2χ(2h) − 1 cancels for small h; Highway's does not. Slope 1 − tanh².
struct Tanh {
  static HWY_INLINE ValueAndSlope at(Vec h, Vec) {
    const Vec edge = hn::Set(kTag, 20.0F);  // tanh is ±1 in float long before
    const Vec value = hn::Tanh(kTag, hn::Min(hn::Max(h, hn::Neg(edge)), edge));
    return {value, hn::NegMulAdd(value, value, hn::Set(kTag, 1.0F))};
  }
};

struct Linear {
  static HWY_INLINE ValueAndSlope at(Vec h, Vec) { return {h, hn::Set(kTag, 1.0F)}; }
};

/// σ(h) = h χ(βh), σ' = χ + βh χ(1−χ).
struct SoftRelu {
  static HWY_INLINE ValueAndSlope at(Vec h, Vec beta) {
    const Vec sharp = hn::Mul(beta, h);
    const Vec gate = math::HWY_NAMESPACE::vector_logistic(kTag, sharp);
    const Vec change = hn::Mul(gate, hn::Sub(hn::Set(kTag, 1.0F), gate));
    return {hn::Mul(h, gate), hn::MulAdd(sharp, change, gate)};
  }
};

template <class Unit>
HWY_INLINE void summed_pass(const UnitBlock<float>& block) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(kTag));
  for (std::int64_t j = 0; j < block.lanes; j += lanes) {
    Vec sum = hn::Zero(kTag);
    const Vec beta = hn::Set(kTag, block.beta);
    float* at = block.h + j;
    for (std::int64_t k = 0; k < block.units; ++k, at += block.lanes) {
      const ValueAndSlope unit = Unit::at(hn::Add(hn::LoadU(kTag, at), hn::Set(kTag, block.bias[k])), beta);
      sum = hn::Add(sum, unit.value);
      hn::StoreU(unit.slope, kTag, at);
    }
    hn::StoreU(sum, kTag, block.sum + j);
  }
}

template <class Unit>
HWY_INLINE void weighted_pass(const UnitBlock<float>& block) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(kTag));
  for (std::int64_t j = 0; j < block.lanes; j += lanes) {
    Vec sum = hn::Zero(kTag);
    const Vec beta = hn::Set(kTag, block.beta);
    float* at = block.h + j;
    float* value = block.value + j;
    for (std::int64_t k = 0; k < block.units; ++k, at += block.lanes, value += block.lanes) {
      const ValueAndSlope unit = Unit::at(hn::Add(hn::LoadU(kTag, at), hn::Set(kTag, block.bias[k])), beta);
      const Vec weight = hn::Set(kTag, block.readout[k]);
      sum = hn::MulAdd(weight, unit.value, sum);
      hn::StoreU(unit.value, kTag, value);
      hn::StoreU(hn::Mul(weight, unit.slope), kTag, at);
    }
    hn::StoreU(sum, kTag, block.sum + j);
  }
}

/// One decision per block of samples.
template <class Unit>
HWY_INLINE void pass(const UnitBlock<float>& block) {
  if (block.readout == nullptr) {
    summed_pass<Unit>(block);
  } else {
    weighted_pass<Unit>(block);
  }
}

void relu(const UnitBlock<float>& block) { pass<Relu>(block); }
void erf(const UnitBlock<float>& block) { pass<Erf>(block); }
void sigmoid(const UnitBlock<float>& block) { pass<Sigmoid>(block); }
void tanh_unit(const UnitBlock<float>& block) { pass<Tanh>(block); }
void linear(const UnitBlock<float>& block) { pass<Linear>(block); }
void soft_relu(const UnitBlock<float>& block) { pass<SoftRelu>(block); }

}  // namespace sluice::net::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>

#include "sluice/net/formula_unit.hpp"
#include "sluice/net/gate.hpp"

namespace sluice::net {
namespace {

HWY_EXPORT(relu);
HWY_EXPORT(erf);
HWY_EXPORT(sigmoid);
HWY_EXPORT(tanh_unit);
HWY_EXPORT(linear);
HWY_EXPORT(soft_relu);

/// The same passes in double: `at` returns {σ(h), σ'(h)}.
template <class Unit>
void plain_pass(const UnitBlock<double>& block, Unit at) {
  for (std::int64_t j = 0; j < block.lanes; ++j) block.sum[j] = 0;
  for (std::int64_t k = 0; k < block.units; ++k) {
    for (std::int64_t j = 0; j < block.lanes; ++j) {
      double& h = block.h[k * block.lanes + j];
      const auto [value, slope] = at(h + block.bias[k]);
      const double weight = block.readout == nullptr ? 1.0 : block.readout[k];
      block.sum[j] += weight * value;
      if (block.readout != nullptr) block.value[k * block.lanes + j] = value;
      h = weight * slope;
    }
  }
}

using Pair = std::array<double, 2>;

/// A unit that gates itself: σ(h) = h G(h), σ' = G + h G'.
void self_gated(const UnitBlock<double>& block, const Gate& gate) {
  plain_pass(block, [&gate](double h) {
    const double open = gate.value(h);
    return Pair{h * open, open + h * gate.slope(open)};
  });
}

void relu64(const UnitBlock<double>& block) { self_gated(block, {}); }
void erf64(const UnitBlock<double>& block) {
  plain_pass(block, [](double h) {
    return Pair{std::erf(h / std::numbers::sqrt2), std::sqrt(2 / std::numbers::pi) * std::exp(-h * h / 2)};
  });
}
void sigmoid64(const UnitBlock<double>& block) {
  plain_pass(block, [](double h) {
    const double value = 1 / (1 + std::exp(-h));
    return Pair{value, value * (1 - value)};
  });
}

void tanh64(const UnitBlock<double>& block) {
  plain_pass(block, [](double h) {
    const double value = std::tanh(h);
    return Pair{value, 1 - value * value};
  });
}
void linear64(const UnitBlock<double>& block) {
  plain_pass(block, [](double h) { return Pair{h, 1}; });
}
void soft_relu64(const UnitBlock<double>& block) { self_gated(block, {.beta = block.beta}); }

constexpr std::array kTable{
    Activation{{"relu", "max(h, 0): self-gated, gate 1(h ≥ 0)"},
               [](const UnitBlock<float>& block) {
                 HWY_DYNAMIC_DISPATCH(relu)
                 (block);
               },
               relu64},
    Activation{{"erf", "erf(h/√2), what the notes call sigmoid"},
               [](const UnitBlock<float>& block) {
                 HWY_DYNAMIC_DISPATCH(erf)
                 (block);
               },
               erf64},
    Activation{{"sigmoid", "1/(1 + exp(-h)), the logistic function"},
               [](const UnitBlock<float>& block) {
                 HWY_DYNAMIC_DISPATCH(sigmoid)
                 (block);
               },
               sigmoid64},
    Activation{{"tanh", "tanh(h)"},
               [](const UnitBlock<float>& block) {
                 HWY_DYNAMIC_DISPATCH(tanh_unit)
                 (block);
               },
               tanh64},
    Activation{{"linear", "h: gate 1"},
               [](const UnitBlock<float>& block) {
                 HWY_DYNAMIC_DISPATCH(linear)
                 (block);
               },
               linear64},
    Activation{{"soft-relu", "h/(1 + exp(-βh)): soft gate, ReLU as β grows"},
               [](const UnitBlock<float>& block) {
                 HWY_DYNAMIC_DISPATCH(soft_relu)
                 (block);
               },
               soft_relu64},
};
constexpr auto kChoices = spec::choices_of(kTable);

}  // namespace

std::span<const Activation> activations() { return kTable; }
spec::Choices activation_choices() { return kChoices; }

namespace {

/// What the table has under the name, else the formula.
template <class Real>
ActivationFunction<Real> found(const std::string& name, void (*Activation::*apply)(const UnitBlock<Real>&)) {
  for (const Activation& entry : kTable)
    if (entry.choice.name == name) return entry.*apply;
  return [unit = std::make_shared<const FormulaUnit>(name)](const UnitBlock<Real>& block) {
    unit->apply(block);
  };
}

}  // namespace

template <>
ActivationFunction<float> activation_function(const std::string& name_or_formula) {
  return found(name_or_formula, &Activation::apply);
}
template <>
ActivationFunction<double> activation_function(const std::string& name_or_formula) {
  return found(name_or_formula, &Activation::apply64);
}

}  // namespace sluice::net
#endif  // HWY_ONCE
