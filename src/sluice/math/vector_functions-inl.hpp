/// Functions of whole vectors, compiled once per instruction set (the include guard is Highway's own pattern: it opens
/// again for every target). Included only by *.cpp files that Highway recompiles.
#if defined(SLUICE_VECTOR_FUNCTIONS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SLUICE_VECTOR_FUNCTIONS_INL
#undef SLUICE_VECTOR_FUNCTIONS_INL
#else
#define SLUICE_VECTOR_FUNCTIONS_INL
#endif

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace sluice::math::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// c₀ + c₁x + c₂x² + …, Horner with fused products.
template <class D, class V, std::size_t terms>
HWY_INLINE V polynomial(D d, V x, const float (&c)[terms]) {
  V sum = hn::Set(d, c[terms - 1]);
  for (std::size_t i = terms - 1; i-- > 0;) sum = hn::MulAdd(sum, x, hn::Set(d, c[i]));
  return sum;
}

/// erf(x) = x P(x²)/Q(x²), exactly ±1 where float has nothing in between. Coefficients: our own least-squares fit of the relative error on |x| ≤ 4
/// (2.5e-8 before rounding to float).
template <class D, class V>
HWY_INLINE V vector_erf(D d, V x) {
  constexpr float kP[] = {1.128379139312141F,    0.1935449009881692F,    0.053101726906961993F,
                          0.003883337680571075F, 0.0002845658639389264F, 1.986785022110855e-06F};
  constexpr float kQ[] = {1.0F,
                          0.5048572581854528F,
                          0.1153499355232441F,
                          0.015207238495965936F,
                          0.001185569802776906F,
                          3.7420200563523964e-05F};
  const V edge = hn::Set(d, 3.925F);  // from here on erf is ±1 in float
  const V clamped = hn::Min(hn::Max(x, hn::Neg(edge)), edge);
  const V square = hn::Mul(clamped, clamped);
  const V value = hn::Div(hn::Mul(clamped, polynomial(d, square, kP)), polynomial(d, square, kQ));
  return hn::IfThenElse(hn::Lt(hn::Abs(x), edge), value, hn::CopySign(hn::Set(d, 1.0F), x));
}

/// High and low halves of the 32 × 32-bit products of every lane.
template <class DU, class VU>
HWY_INLINE void multiply_wide(DU du, VU x, VU factor, VU& high, VU& low) {
#if HWY_TARGET == HWY_SCALAR  // one lane: there are no neighbours to shuffle
  const std::uint64_t product = std::uint64_t{hn::GetLane(x)} * hn::GetLane(factor);
  high = hn::Set(du, static_cast<std::uint32_t>(product >> 32));
  low = hn::Set(du, static_cast<std::uint32_t>(product));
#else
  const VU even = hn::BitCast(du, hn::MulEven(x, factor));
  const VU odd = hn::BitCast(du, hn::MulEven(hn::Shuffle2301(x), factor));
  low = hn::OddEven(hn::Shuffle2301(odd), even);
  high = hn::OddEven(odd, hn::Shuffle2301(even));
#endif
}

/// philox.hpp, one counter per lane.
template <class DU, class VU>
HWY_INLINE void vector_philox(DU du, std::uint32_t key0, std::uint32_t key1, VU& w0, VU& w1, VU& w2, VU& w3) {
  const VU first = hn::Set(du, 0xD2511F53U);
  const VU second = hn::Set(du, 0xCD9E8D57U);
  for (int round = 0; round < 10; ++round) {
    VU high_a, low_a, high_b, low_b;
    multiply_wide(du, w0, first, high_a, low_a);
    multiply_wide(du, w2, second, high_b, low_b);
    w0 = hn::Xor(hn::Xor(high_b, w1), hn::Set(du, key0));
    w1 = low_b;
    w2 = hn::Xor(hn::Xor(high_a, w3), hn::Set(du, key1));
    w3 = low_a;
    key0 += 0x9E3779B9U;
    key1 += 0xBB67AE85U;
  }
}

/// sin and cos of 2π·turn/2³² for a signed 32-bit turn: the nearest quarter turn exactly, the rest by Taylor
/// polynomials on ±π/4 (truncation below 4e-9).
template <class D, class VI, class V>
HWY_INLINE void sin_cos_of_turn(D d, VI turn, V& sine, V& cosine) {
  const hn::RebindToSigned<D> di;
  const VI quarter = hn::ShiftRight<30>(hn::Add(turn, hn::Set(di, 1 << 29)));
  const V rest = hn::Mul(hn::ConvertTo(d, hn::Sub(turn, hn::ShiftLeft<30>(quarter))),
                         hn::Set(d, 1.4629180792671596e-9F));  // 2π/2³²
  const V square = hn::Mul(rest, rest);
  constexpr float kSine[] = {1.0F, -1.0F / 6, 1.0F / 120, -1.0F / 5040, 1.0F / 362880};
  constexpr float kCosine[] = {1.0F, -0.5F, 1.0F / 24, -1.0F / 720, 1.0F / 40320};
  const V s = hn::Mul(rest, polynomial(d, square, kSine));
  const V c = polynomial(d, square, kCosine);
  const VI one = hn::Set(di, 1);
  const auto swap = hn::MaskFromVec(hn::BitCast(d, hn::Neg(hn::And(quarter, one))));
  // Signs: sine flips in quarters 2 and 3, cosine in quarters 1 and 2.
  const VI sine_sign = hn::ShiftLeft<30>(hn::And(quarter, hn::Set(di, 2)));
  const VI cosine_sign = hn::ShiftLeft<30>(hn::And(hn::Add(quarter, one), hn::Set(di, 2)));
  sine = hn::Xor(hn::IfThenElse(swap, c, s), hn::BitCast(d, sine_sign));
  cosine = hn::Xor(hn::IfThenElse(swap, s, c), hn::BitCast(d, cosine_sign));
}

/// A uniform number in (0, 1] from 31 bits of a random word: the half step keeps it off zero, and the signed conversion
/// has a vector instruction everywhere.
template <class D, class VU>
HWY_INLINE hn::Vec<D> unit_uniform(D d, VU word) {
  const hn::RebindToSigned<D> di;
  return hn::MulAdd(hn::ConvertTo(d, hn::BitCast(di, hn::ShiftRight<1>(word))), hn::Set(d, 0x1p-31F),
                    hn::Set(d, 0x1p-32F));
}

/// Two independent normals from two random words. Tails reach 6.6 standard deviations.
template <class D, class VU, class V>
HWY_INLINE void box_muller(D d, VU radius_word, VU angle_word, V& first, V& second) {
  const hn::RebindToSigned<D> di;
  const V unit = unit_uniform(d, radius_word);
  const V radius = hn::Sqrt(hn::Mul(hn::Set(d, -2.0F), hn::Log(d, unit)));
  V sine, cosine;
  sin_cos_of_turn(d, hn::BitCast(di, angle_word), sine, cosine);
  first = hn::Mul(radius, cosine);
  second = hn::Mul(radius, sine);
}

}  // namespace sluice::math::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
