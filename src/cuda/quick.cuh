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
__device__ inline float of_bits(std::uint32_t bits) { return __uint_as_float(bits); }
__device__ inline std::uint32_t bits_of(float value) { return __float_as_uint(value); }
#else
inline float quick_exp2(float x) { return exp2f(x); }
inline float quick_log2(float x) { return log2f(x); }
inline float quick_root(float x) { return sqrtf(x); }
inline float quick_inverse(float x) { return 1 / x; }
inline float quick_sine(float x) { return sinf(x); }
inline float quick_cosine(float x) { return cosf(x); }
inline float of_bits(std::uint32_t bits) { return std::bit_cast<float>(bits); }
inline std::uint32_t bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }
#endif

/// 1/(1 + e^{−x})
__device__ inline float quick_sigmoid(float x) {
  return quick_inverse(1 + quick_exp2(-1.4426950408889634F * x));
}

/// factor·erf(gain·x), its numbers made once. erf x = tanh(x P(x²)) = 1 − 2/(1 + e^{2xP}), P of degree two: 3.7·10⁻⁵ at most.
struct QuickErf {
  float first, third, fifth, largest, factor, twice;

  __device__ QuickErf(float gain, float scale) : factor(scale), twice(-2 * scale) {
    constexpr float kTwice = 2.8853900817779268F;  // 2 log₂ e
    const float square = gain * gain;
    first = 1.12814303F * kTwice * gain;
    third = 0.10408253F * kTwice * gain * square;
    fifth = -0.00178728F * kTwice * gain * square * square;
    largest = 16 / square;
  }
  __device__ float operator()(float x) const {
    const float square = fminf(x * x, largest);
    const float slope = fmaf(fmaf(fifth, square, third), square, first);
    return fmaf(twice, quick_inverse(1 + quick_exp2(x * slope)), factor);
  }
};

/// box_muller of random.cuh, as a pair. Of the angle the upper 23 bits; a turn counts from −½, which turns signs around.
__device__ inline std::uint32_t quick_normals(std::uint32_t radius_word, std::uint32_t angle_word) {
  const float unit =
      fmaf(static_cast<float>(static_cast<std::int32_t>(radius_word >> 1)), 0x1p-31F, 0x1p-32F);
  // Where the unit is next to 1, its logarithm may come out on the other side of 0.
  const float radius = -quick_root(fabsf(1.3862943611198906F * quick_log2(unit)));
  const float angle = 6.2831853071795865F * (of_bits(angle_word >> 9 | 0x3F800000U) - 1.5F);
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
