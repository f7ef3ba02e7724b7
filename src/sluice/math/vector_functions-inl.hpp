/// Functions of whole vectors, compiled once per instruction set (the include guard is Highway's own pattern: it opens
/// again for every target). Included only by *.cpp files that Highway recompiles.
#if defined(SLUICE_VECTOR_FUNCTIONS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SLUICE_VECTOR_FUNCTIONS_INL
#undef SLUICE_VECTOR_FUNCTIONS_INL
#else
#define SLUICE_VECTOR_FUNCTIONS_INL
#endif

#include <hwy/highway.h>

#include <cstdint>

#include "sluice/math/philox.hpp"

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

/// e^x for x ≤ 0 (0 below −87), relative error 1.2e-7. Highway's own takes every x and costs twice as much.
template <class D, class V>
HWY_INLINE V exp_of_negative(D d, V x) {
  const hn::RebindToSigned<D> di;
  constexpr float kQ[] = {0.49999993447560087F, 0.1666652062943844F, 0.04166838809275089F,
                          0.008368717090926717F,
                          0.0013814596379449948F};  // our fit of (e^r − 1 − r)/r² on |r| ≤ ½ ln 2, 3e-9
  const V least = hn::Set(d, -87.0F);
  const V clamped = hn::Max(x, least);
  const auto power = hn::NearestInt(hn::Mul(clamped, hn::Set(d, 1.4426950408889634F)));
  const V turns = hn::ConvertTo(d, power);
  // x − power·ln 2 in two steps: the first product is exact.
  const V rest = hn::NegMulAdd(turns, hn::Set(d, -2.12194440e-4F),
                               hn::NegMulAdd(turns, hn::Set(d, 0.693359375F), clamped));
  const V mantissa =
      hn::Add(hn::MulAdd(hn::Mul(rest, rest), polynomial(d, rest, kQ), rest), hn::Set(d, 1.0F));
  const V scale = hn::BitCast(d, hn::ShiftLeft<23>(hn::Add(power, hn::Set(di, 127))));
  return hn::IfThenElseZero(hn::Ge(x, least), hn::Mul(mantissa, scale));
}

/// 1/(1+e^(−x)), through e^(−|x|) so that the exponential never leaves the floats.
template <class D, class V>
HWY_INLINE V vector_logistic(D d, V x) {
  const V one = hn::Set(d, 1.0F);
  const V small = exp_of_negative(d, hn::Neg(hn::Abs(x)));
  return hn::Div(hn::IfThenElse(hn::Lt(x, hn::Zero(d)), small, one), hn::Add(one, small));
}

/// log x for normal positive x, relative error 1.5e-7, also near 1. Highway's own divides.
template <class D, class V>
HWY_INLINE V log_of_positive(D d, V x) {
  const hn::RebindToSigned<D> di;
  constexpr float kP[] = {0.3333391076987469F,   -0.250013370158477F, 0.1996306229102595F,
                          -0.16577586011576717F, 0.1491478701398924F, -0.14267476301836787F,
                          0.0870035996046121F};  // our fit of (log(1+f) − f + f²/2)/f³ on [√½, √2], 3e-8
  // x = 2^power (1 + f) with 1 + f in [√½, √2): subtracting the bits of √½ carries into the exponent at √2.
  const auto bits = hn::BitCast(di, x);
  const auto root_half = hn::Set(di, 0x3F3504F3);
  const auto power = hn::ShiftRight<23>(hn::Sub(bits, root_half));
  const V f = hn::Sub(hn::BitCast(d, hn::Sub(bits, hn::ShiftLeft<23>(power))), hn::Set(d, 1.0F));
  const V square = hn::Mul(f, f);
  const V tail = hn::Mul(square, hn::MulAdd(f, polynomial(d, f, kP), hn::Set(d, -0.5F)));
  const V whole = hn::ConvertTo(d, power);
  return hn::Add(hn::MulAdd(whole, hn::Set(d, 0.6931471805599453F), f), tail);
}

/// philox.hpp, one counter per lane. Even and odd lanes go separately: their 64-bit products then need no shuffles, and what
/// stands in the upper halves is ignored by the next product.
template <class DU, class VU>
HWY_INLINE void vector_philox(DU du, std::uint32_t key0, std::uint32_t key1, VU& w0, VU& w1, VU& w2, VU& w3) {
#if HWY_TARGET == HWY_SCALAR  // one lane: there are no halves
  const PhiloxCounter words =
      philox({hn::GetLane(w0), hn::GetLane(w1), hn::GetLane(w2), hn::GetLane(w3)}, {key0, key1});
  w0 = hn::Set(du, words[0]);
  w1 = hn::Set(du, words[1]);
  w2 = hn::Set(du, words[2]);
  w3 = hn::Set(du, words[3]);
#else
  const hn::RepartitionToWide<DU> dw;
  const auto upper = [&](VU v) HWY_ATTR { return hn::BitCast(du, hn::ShiftRight<32>(hn::BitCast(dw, v))); };
  const VU first = hn::Set(du, kPhiloxFirst);
  const VU second = hn::Set(du, kPhiloxSecond);
  VU odd0 = upper(w0), odd1 = upper(w1), odd2 = upper(w2), odd3 = upper(w3);
  const auto turn = [&](VU& x0, VU& x1, VU& x2, VU& x3) HWY_ATTR {
    const VU a = hn::BitCast(du, hn::MulEven(x0, first));
    const VU b = hn::BitCast(du, hn::MulEven(x2, second));
    x0 = hn::Xor3(upper(b), x1, hn::Set(du, key0));
    x1 = b;
    x2 = hn::Xor3(upper(a), x3, hn::Set(du, key1));
    x3 = a;
  };
  for (int round = 0; round < kPhiloxRounds; ++round) {
    turn(w0, w1, w2, w3);
    turn(odd0, odd1, odd2, odd3);
    key0 += kPhiloxStep0;
    key1 += kPhiloxStep1;
  }
  const auto joined = [&](VU odd, VU even) HWY_ATTR {
    return hn::OddEven(hn::BitCast(du, hn::ShiftLeft<32>(hn::BitCast(dw, odd))), even);
  };
  w0 = joined(odd0, w0);
  w1 = joined(odd1, w1);
  w2 = joined(odd2, w2);
  w3 = joined(odd3, w3);
#endif
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
  const V radius = hn::Sqrt(hn::Mul(hn::Set(d, -2.0F), log_of_positive(d, unit)));
  V sine, cosine;
  sin_cos_of_turn(d, hn::BitCast(di, angle_word), sine, cosine);
  first = hn::Mul(radius, cosine);
  second = hn::Mul(radius, sine);
}

}  // namespace sluice::math::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
