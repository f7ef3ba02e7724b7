// Compiled once per instruction set: Highway includes this file again for each target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sluice/math/expression_vectors.cpp"
#include <hwy/foreach_target.h>
// Highway
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include <cmath>
#include <limits>

#include "sluice/math/expression_vectors.hpp"
#include "sluice/math/vector_functions.inc"

HWY_BEFORE_NAMESPACE();
namespace sluice::math::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using FloatTag = hn::ScalableTag<float>;
using Floats = hn::Vec<FloatTag>;
constexpr FloatTag kFloats;

HWY_INLINE Floats number(float value) { return hn::Set(kFloats, value); }
HWY_INLINE Floats clamped(Floats x, float edge) { return hn::Min(hn::Max(x, number(-edge)), number(edge)); }

HWY_INLINE Floats exp_of(Floats x) {  // inf from 89 on; Highway's own leaves its range at 104
  const Floats value = hn::Exp(kFloats, hn::Min(x, number(100.0F)));
  return hn::IfThenElse(hn::Eq(x, x), value, x);
}
HWY_INLINE Floats log_of(Floats x) {
  const Floats value = hn::Log(kFloats, x);
  const Floats none = number(std::numeric_limits<float>::quiet_NaN());
  const Floats least = number(-std::numeric_limits<float>::infinity());
  const Floats most = number(std::numeric_limits<float>::infinity());
  const Floats at_ends =
      hn::IfThenElse(hn::Eq(x, hn::Zero(kFloats)), least, hn::IfThenElse(hn::Eq(x, most), most, value));
  return hn::IfThenElse(hn::Ge(x, hn::Zero(kFloats)), at_ends, none);
}
HWY_INLINE Floats step_of(Floats x) {  // ½ at a tie, not a number where x is none
  const Floats half = number(0.5F);
  const Floats sides = hn::IfThenElse(hn::Gt(x, hn::Zero(kFloats)), number(1.0F),
                                      hn::IfThenElse(hn::Lt(x, hn::Zero(kFloats)), hn::Zero(kFloats), half));
  return hn::IfThenElse(hn::Eq(x, x), sides, x);
}
HWY_INLINE Floats cosh_of(Floats x) {
  const Floats half = exp_of(hn::Sub(hn::Abs(x), number(0.69314718F)));  // e^|x|/2, finite as long as cosh is
  return hn::Add(half, hn::Div(number(0.25F), half));
}
HWY_INLINE Floats sinh_of(Floats x) {  // Highway's own, which does not cancel, within its range
  const Floats far = hn::CopySign(exp_of(hn::Sub(hn::Abs(x), number(0.69314718F))), x);
  return hn::IfThenElse(hn::Lt(hn::Abs(x), number(20.0F)), hn::Sinh(kFloats, clamped(x, 20.0F)), far);
}

/// Highway's sine and cosine reduce their argument within ±39,000; a vector with a larger one goes number by number.
template <class Fast>
HWY_INLINE Floats periodic(Floats x, Fast fast, float (*slow)(float)) {
  if (HWY_LIKELY(hn::AllTrue(kFloats, hn::Lt(hn::Abs(x), number(3e4F))))) return fast(x);
  HWY_ALIGN float lanes[hn::MaxLanes(kFloats)];
  hn::Store(x, kFloats, lanes);
  for (std::size_t i = 0; i < hn::Lanes(kFloats); ++i) lanes[i] = slow(lanes[i]);
  return hn::Load(kFloats, lanes);
}
HWY_INLINE Floats sin_of(Floats x) {
  return periodic(
      x, [](Floats v) HWY_ATTR { return hn::Sin(kFloats, v); }, std::sin);
}
HWY_INLINE Floats cos_of(Floats x) {
  return periodic(
      x, [](Floats v) HWY_ATTR { return hn::Cos(kFloats, v); }, std::cos);
}

/// A function of one argument as a loop over vectors.
template <class Function>
HWY_INLINE void loop(const float* x, float* out, std::size_t count, Function f) {
  for (std::size_t i = 0; i < count; i += hn::Lanes(kFloats))
    hn::StoreU(f(hn::LoadU(kFloats, x + i)), kFloats, out + i);
}

// NOLINTNEXTLINE(readability-function-size): one line for each function
void over_one(VectorOfOne function, const float* x, float* out, std::size_t count) {
  using F = VectorOfOne;
  switch (function) {
    case F::abs:
      return loop(x, out, count, [](Floats v) HWY_ATTR { return hn::Abs(v); });
    case F::arccos:
      return loop(x, out, count, [](Floats v) HWY_ATTR { return hn::Acos(kFloats, v); });
    case F::arcsin:
      return loop(x, out, count, [](Floats v) HWY_ATTR { return hn::Asin(kFloats, v); });
    case F::arctan:
      return loop(x, out, count, [](Floats v) HWY_ATTR { return hn::Atan(kFloats, v); });
    case F::cos:
      return loop(x, out, count, [](Floats v) HWY_ATTR { return cos_of(v); });
    case F::cosh:
      return loop(x, out, count, [](Floats v) HWY_ATTR { return cosh_of(v); });
    case F::erf:
      return loop(x, out, count, [](Floats v) HWY_ATTR { return vector_erf(kFloats, v); });
    case F::erfc:
      return loop(x, out, count,
                  [](Floats v) HWY_ATTR { return hn::Sub(number(1.0F), vector_erf(kFloats, v)); });
    case F::exp:
      return loop(x, out, count, [](Floats v) HWY_ATTR { return exp_of(v); });
    case F::log:
      return loop(x, out, count, [](Floats v) HWY_ATTR { return log_of(v); });
    case F::normal_below:
      return loop(x, out, count, [](Floats v) HWY_ATTR {
        const Floats turned = vector_erf(kFloats, hn::Mul(v, number(0.70710678F)));
        return hn::MulAdd(number(0.5F), turned, number(0.5F));
      });
    case F::relu:
      return loop(x, out, count, [](Floats v) HWY_ATTR {
        return hn::IfThenElse(hn::Lt(v, hn::Zero(kFloats)), hn::Zero(kFloats), v);
      });
    case F::sgn:
      return loop(x, out, count, [](Floats v) HWY_ATTR {
        const Floats side = hn::CopySign(number(1.0F), v);
        const auto apart = hn::Gt(hn::Abs(v), hn::Zero(kFloats));
        return hn::IfThenElse(apart, side, v);
      });
    case F::sin:
      return loop(x, out, count, [](Floats v) HWY_ATTR { return sin_of(v); });
    case F::sinh:
      return loop(x, out, count, [](Floats v) HWY_ATTR { return sinh_of(v); });
    case F::sqrt:
      return loop(x, out, count, [](Floats v) HWY_ATTR { return hn::Sqrt(v); });
    case F::step:
      return loop(x, out, count, [](Floats v) HWY_ATTR { return step_of(v); });
    case F::tan:
      return loop(x, out, count, [](Floats v) HWY_ATTR { return hn::Div(sin_of(v), cos_of(v)); });
    case F::tanh:
      return loop(x, out, count, [](Floats v) HWY_ATTR {
        return hn::IfThenElse(hn::Eq(v, v), hn::Tanh(kFloats, clamped(v, 20.0F)), v);
      });
  }
}

/// A function of two arguments, each an array or one number, as loops over vectors.
template <class Function>
HWY_INLINE void loop(const float* x, std::size_t step_x, const float* y, std::size_t step_y, float* out,
                     std::size_t count, Function f) {
  const std::size_t lanes = hn::Lanes(kFloats);
  if (step_x == 1 && step_y == 1) {
    for (std::size_t i = 0; i < count; i += lanes)
      hn::StoreU(f(hn::LoadU(kFloats, x + i), hn::LoadU(kFloats, y + i)), kFloats, out + i);
  } else if (step_x == 1) {
    const Floats fixed = number(*y);
    for (std::size_t i = 0; i < count; i += lanes)
      hn::StoreU(f(hn::LoadU(kFloats, x + i), fixed), kFloats, out + i);
  } else {
    const Floats fixed = number(*x);
    for (std::size_t i = 0; i < count; i += lanes)
      hn::StoreU(f(fixed, hn::LoadU(kFloats, y + i * step_y)), kFloats, out + i);
  }
}

/// x to a whole power by repeated squares; the formulas people type have 2 and 3.
HWY_INLINE Floats whole_power(Floats x, int power) {
  Floats result = number(1.0F);
  for (int rest = std::abs(power); rest > 0; rest >>= 1, x = hn::Mul(x, x))
    if ((rest & 1) != 0) result = hn::Mul(result, x);
  return power < 0 ? hn::Div(number(1.0F), result) : result;
}

void power(const float* x, std::size_t step_x, const float* y, std::size_t step_y, float* out,
           std::size_t count) {
  constexpr float kMostWhole = 16;
  if (step_x == 1 && step_y == 0 && *y == std::floor(*y) && std::abs(*y) <= kMostWhole) {
    const int whole = static_cast<int>(*y);
    return loop(x, out, count, [whole](Floats v) HWY_ATTR { return whole_power(v, whole); });
  }
  for (std::size_t i = 0; i < count; ++i) out[i] = std::pow(x[i * step_x], y[i * step_y]);
}

void over_two(VectorOfTwo function, const float* x, std::size_t step_x, const float* y, std::size_t step_y,
              float* out, std::size_t count) {
  using F = VectorOfTwo;
  const auto over = [&](auto f) HWY_ATTR { loop(x, step_x, y, step_y, out, count, f); };
  switch (function) {
    case F::plus:
      return over([](Floats a, Floats b) HWY_ATTR { return hn::Add(a, b); });
    case F::minus:
      return over([](Floats a, Floats b) HWY_ATTR { return hn::Sub(a, b); });
    case F::times:
      return over([](Floats a, Floats b) HWY_ATTR { return hn::Mul(a, b); });
    case F::divided:
      return over([](Floats a, Floats b) HWY_ATTR { return hn::Div(a, b); });
    case F::power:
      return power(x, step_x, y, step_y, out, count);
    case F::above:
      return over([](Floats a, Floats b) HWY_ATTR {
        const Floats below = hn::IfThenElse(hn::Lt(a, b), hn::Zero(kFloats), number(0.5F));
        const Floats sides = hn::IfThenElse(hn::Gt(a, b), number(1.0F), below);
        const auto numbers = hn::And(hn::Eq(a, a), hn::Eq(b, b));
        return hn::IfThenElse(numbers, sides, hn::Sub(a, b));
      });
    case F::larger:
      return over([](Floats a, Floats b) HWY_ATTR { return hn::IfThenElse(hn::Lt(a, b), b, a); });
    case F::smaller:
      return over([](Floats a, Floats b) HWY_ATTR { return hn::IfThenElse(hn::Lt(b, a), b, a); });
  }
}

}  // namespace sluice::math::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace sluice::math {
namespace {

HWY_EXPORT(over_one);
HWY_EXPORT(over_two);

}  // namespace

void over_floats(VectorOfOne function, const float* x, float* out, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(over_one)(function, x, out, count);
}

void over_floats(VectorOfTwo function, const float* x, std::size_t step_x, const float* y, std::size_t step_y,
                 float* out, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(over_two)(function, x, step_x, y, step_y, out, count);
}

}  // namespace sluice::math
#endif  // HWY_ONCE
