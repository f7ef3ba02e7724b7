/// Functions by the device's own units, good to about 10⁻⁶: for numbers that are rounded to half precision, at 5·10⁻⁴, a line later.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "half.cuh"
#include "random.cuh"

namespace sluice::cuda {

#ifdef __CUDACC__
#define SLUICE_QUICK(name, instruction)                            \
  __device__ inline float name(float x) {                          \
    float y;                                                       \
    asm(instruction ".approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x)); \
    return y;                                                      \
  }
SLUICE_QUICK(quick_exp2, "ex2")
SLUICE_QUICK(quick_log2, "lg2")
SLUICE_QUICK(quick_root, "sqrt")
SLUICE_QUICK(quick_inverse, "rcp")
SLUICE_QUICK(quick_sine, "sin")
SLUICE_QUICK(quick_cosine, "cos")
#undef SLUICE_QUICK
/// To 2⁻¹¹ of itself, which is half a unit of the last place of a half.
__device__ inline float quick_tanh(float x) {
  float y;
  asm("tanh.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
/// From 0 to 1.
__device__ inline float within_one(float x) { return __saturatef(x); }
__device__ inline float of_bits(std::uint32_t bits) { return __uint_as_float(bits); }
/// From 1 to 2, by the upper 23 bits.
__device__ inline float one_and_share(std::uint32_t word) { return of_bits(__funnelshift_r(word, 0x7FU, 9)); }
__device__ inline std::uint32_t bits_of(float value) { return __float_as_uint(value); }
#else
inline float quick_exp2(float x) { return exp2f(x); }
inline float quick_log2(float x) { return log2f(x); }
inline float quick_root(float x) { return sqrtf(x); }
inline float quick_inverse(float x) { return 1 / x; }
inline float quick_sine(float x) { return sinf(x); }
inline float quick_cosine(float x) { return cosf(x); }
inline float quick_tanh(float x) { return tanhf(x); }
inline float within_one(float x) { return std::fmin(std::fmax(x, 0.0F), 1.0F); }
inline float of_bits(std::uint32_t bits) { return std::bit_cast<float>(bits); }
inline float one_and_share(std::uint32_t word) { return of_bits(word >> 9 | 0x3F800000U); }
inline std::uint32_t bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }
#endif

/// 1/(1 + e^{−x})
__device__ inline float quick_sigmoid(float x) {
  return quick_inverse(1 + quick_exp2(-1.4426950408889634F * x));
}

/// erf(4x). erf x = tanh(x P(x²)), P of degree two: 3.7·10⁻⁵ at most, beside what quick_tanh has. Beyond |4x| = 4, P stays as it is there.
__device__ inline float quick_erf_of_four(float x) {
  const float square = within_one(x * x);
  return quick_tanh(x * fmaf(fmaf(-1.83017472F, square, 6.66128192F), square, 4.51257212F));
}
/// erf(x/√2), by x²: the same at x/√32.
__device__ inline float quick_erf_of_root_half(float x, float square_of_x) {
  constexpr float kScale = 0.17677669529663688F;
  const float square = within_one(0.03125F * square_of_x);
  return quick_tanh(
      x * fmaf(fmaf(-1.83017472F * kScale, square, 6.66128192F * kScale), square, 4.51257212F * kScale));
}

/// box_muller of random.cuh, as a pair, by kOfNormals too small. Of the angle the upper 23 bits; a turn counts from −½, which turns signs around.
/// Of the radius all 32 bits, one more than there: seen where a radius is beyond 6, in a pair of 10⁸.
constexpr float kOfNormals =
    1.1774100225154747F;  // √(2 ln 2): what makes natural logarithms of those to base 2
__device__ inline std::uint32_t quick_normals(std::uint32_t radius_word, std::uint32_t angle_word) {
  const float unit = fmaf(static_cast<float>(radius_word), 0x1p-32F, 0x1p-33F);
  // Where the unit is next to 1, its logarithm may come out on the other side of 0.
  const float radius = -quick_root(fabsf(quick_log2(unit)));
  const float angle = fmaf(6.2831853071795865F, one_and_share(angle_word), -9.4247779607693797F);
  return pack(radius * quick_cosine(angle), radius * quick_sine(angle));
}

/// Philox of several counters at once: keys are made once for all.
template <int kCount>
__device__ void philox(Words (&c)[kCount], std::uint32_t key0, std::uint32_t key1) {
#pragma unroll
  for (int round = 0; round < math::kPhiloxRounds; ++round) {
#pragma unroll
    for (int i = 0; i < kCount; ++i) c[i] = philox_round(c[i], key0, key1);
    key0 += math::kPhiloxStep0;
    key1 += math::kPhiloxStep1;
  }
}

}  // namespace sluice::cuda
