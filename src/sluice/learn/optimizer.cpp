// Compiled once per instruction set: Highway includes this file again for each target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sluice/learn/optimizer.cpp"
#include <hwy/foreach_target.h>
// Highway
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>

#include "sluice/learn/optimizer.hpp"

HWY_BEFORE_NAMESPACE();
namespace sluice::learn::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Wide = hn::ScalableTag<double>;
using Narrow = hn::Rebind<float, Wide>;
using Vec = hn::Vec<Wide>;
constexpr Wide kWide;
constexpr Narrow kNarrow;

HWY_INLINE Vec load(const float* from) { return hn::PromoteTo(kWide, hn::LoadU(kNarrow, from)); }

/// memory ← keep·memory + add, stored as float; returns what is stored.
HWY_INLINE Vec remember(float* memory, Vec keep, Vec add) {
  const auto stored = hn::DemoteTo(kNarrow, hn::MulAdd(keep, load(memory), add));
  hn::StoreU(stored, kNarrow, memory);
  return hn::PromoteTo(kWide, stored);
}

/// What a rule needs of the options, spread over a vector.
struct Numbers {
  Vec rate, shrink, keep_first, add_first, keep_second, add_second, epsilon, first_share, second_share;

  Numbers(const OptimizerOptions& o, std::int64_t t)
      : rate(hn::Set(kWide, o.rate)),
        shrink(hn::Set(kWide, 1 - o.rate * o.weight_decay)),  // exactly 1 without decay: no bit changes
        keep_first(hn::Set(kWide, o.momentum)),
        add_first(hn::Set(kWide, 1 - o.momentum)),
        keep_second(hn::Set(kWide, o.decay)),
        add_second(hn::Set(kWide, 1 - o.decay)),
        epsilon(hn::Set(kWide, o.epsilon)),
        first_share(hn::Set(kWide, 1 - std::pow(o.momentum, static_cast<double>(t)))),
        second_share(hn::Set(kWide, 1 - std::pow(o.decay, static_cast<double>(t)))) {}
};

struct Sgd {
  static HWY_INLINE Vec move(const Numbers& n, Vec parameter, Vec gradient, float*, float*) {
    return hn::NegMulAdd(n.rate, gradient, parameter);
  }
};
struct Momentum {
  static HWY_INLINE Vec move(const Numbers& n, Vec parameter, Vec gradient, float* first, float*) {
    return hn::NegMulAdd(n.rate, remember(first, n.keep_first, gradient), parameter);
  }
};
struct Rmsprop {
  static HWY_INLINE Vec move(const Numbers& n, Vec parameter, Vec gradient, float* first, float*) {
    const Vec second = remember(first, n.keep_second, hn::Mul(n.add_second, hn::Mul(gradient, gradient)));
    return hn::Sub(parameter, hn::Div(hn::Mul(n.rate, gradient), hn::Add(hn::Sqrt(second), n.epsilon)));
  }
};
struct Adam {
  static HWY_INLINE Vec move(const Numbers& n, Vec parameter, Vec gradient, float* first, float* second) {
    const Vec v = remember(first, n.keep_first, hn::Mul(n.add_first, gradient));
    const Vec s = remember(second, n.keep_second, hn::Mul(n.add_second, hn::Mul(gradient, gradient)));
    const Vec spread = hn::Sqrt(hn::Div(s, n.second_share));
    return hn::Sub(parameter,
                   hn::Div(hn::Mul(n.rate, hn::Div(v, n.first_share)), hn::Add(spread, n.epsilon)));
  }
};

HWY_INLINE float* from(float* memory, std::int64_t i) { return memory == nullptr ? nullptr : memory + i; }

template <class Rule>
HWY_INLINE void move_vector(const Numbers& numbers, const Stretch& s, std::int64_t i) {
  const Vec gradient = s.gradient64 != nullptr ? hn::LoadU(kWide, s.gradient64 + i) : load(s.gradient + i);
  const Vec parameter = hn::Mul(numbers.shrink, load(s.parameters + i));
  const Vec moved = Rule::move(numbers, parameter, gradient, from(s.first, i), from(s.second, i));
  hn::StoreU(hn::DemoteTo(kNarrow, moved), kNarrow, s.parameters + i);
}

template <class Rule>
HWY_INLINE void move_all(const OptimizerOptions& options, std::int64_t t, const Stretch& s) {
  const Numbers numbers(options, t);
  constexpr auto kLanes = static_cast<std::int64_t>(hn::MaxLanes(kWide));
  std::int64_t i = 0;
  for (; i + kLanes <= s.count; i += kLanes) move_vector<Rule>(numbers, s, i);
  if (i == s.count) return;
  // The last ones move in a vector of their own, padded with zeros.
  const std::int64_t left = s.count - i;
  HWY_ALIGN float parameters[kLanes] = {}, first[kLanes] = {}, second[kLanes] = {};
  HWY_ALIGN double gradient[kLanes] = {};
  std::copy_n(s.parameters + i, left, parameters);
  if (s.gradient64 != nullptr) std::copy_n(s.gradient64 + i, left, gradient);
  if (s.gradient64 == nullptr) std::copy_n(s.gradient + i, left, gradient);
  if (s.first != nullptr) std::copy_n(s.first + i, left, first);
  if (s.second != nullptr) std::copy_n(s.second + i, left, second);
  move_vector<Rule>(numbers, {left, parameters, nullptr, gradient, first, second}, 0);
  std::copy_n(parameters, left, s.parameters + i);
  if (s.first != nullptr) std::copy_n(first, left, s.first + i);
  if (s.second != nullptr) std::copy_n(second, left, s.second + i);
}

void sgd(const OptimizerOptions& o, std::int64_t t, const Stretch& s) { move_all<Sgd>(o, t, s); }
void momentum(const OptimizerOptions& o, std::int64_t t, const Stretch& s) { move_all<Momentum>(o, t, s); }
void rmsprop(const OptimizerOptions& o, std::int64_t t, const Stretch& s) { move_all<Rmsprop>(o, t, s); }
void adam(const OptimizerOptions& o, std::int64_t t, const Stretch& s) { move_all<Adam>(o, t, s); }

}  // namespace sluice::learn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <array>
#include <stdexcept>
#include <string>

namespace sluice::learn {
namespace {

HWY_EXPORT(sgd);
HWY_EXPORT(momentum);
HWY_EXPORT(rmsprop);
HWY_EXPORT(adam);

void move_sgd(const OptimizerOptions& o, std::int64_t t, const Stretch& s) {
  HWY_DYNAMIC_DISPATCH(sgd)(o, t, s);
}
void move_momentum(const OptimizerOptions& o, std::int64_t t, const Stretch& s) {
  HWY_DYNAMIC_DISPATCH(momentum)(o, t, s);
}
void move_rmsprop(const OptimizerOptions& o, std::int64_t t, const Stretch& s) {
  HWY_DYNAMIC_DISPATCH(rmsprop)(o, t, s);
}
void move_adam(const OptimizerOptions& o, std::int64_t t, const Stretch& s) {
  HWY_DYNAMIC_DISPATCH(adam)(o, t, s);
}

constexpr std::array kTable{
    Optimizer{{"sgd", "stochastic gradient descent, fresh samples every step"}, 0, false, false, move_sgd},
    Optimizer{{"momentum", "gradient descent with momentum"}, 1, true, false, move_momentum},
    Optimizer{
        {"rmsprop", "gradients divided by their running root mean square"}, 1, false, true, move_rmsprop},
    Optimizer{
        {"adam", "momentum and running root mean square, both bias-corrected"}, 2, true, true, move_adam},
};
constexpr auto kChoices = spec::choices_of(kTable);

}  // namespace

Stretch Optimizer::stretch(std::span<float> parameters, std::span<float> memory, std::size_t first,
                           std::size_t count) const {
  return {.count = static_cast<std::int64_t>(count),
          .parameters = parameters.data() + first,
          .first = memories > 0 ? memory.data() + first : nullptr,
          .second = memories > 1 ? memory.data() + parameters.size() + first : nullptr};
}

std::span<const Optimizer> optimizers() { return kTable; }
spec::Choices optimizer_choices() { return kChoices; }

const Optimizer& optimizer(std::string_view name) {
  for (const Optimizer& entry : kTable) {
    if (entry.choice.name == name) return entry;
  }
  throw std::logic_error("no optimizer named " + std::string(name));
}

}  // namespace sluice::learn
#endif  // HWY_ONCE
