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
/// The lower half of a word behind the upper byte of another one.
__device__ inline std::uint32_t lower_half_behind(std::uint32_t upper, std::uint32_t word) {
  return __byte_perm(word, upper, 0x7104);
}
/// Both halves of a product; a shift would cost an instruction.
__device__ inline void multiply_wide(std::uint32_t a, std::uint32_t b, std::uint32_t& low,
                                     std::uint32_t& high) {
  asm("{.reg .b64 all; mul.wide.u32 all, %2, %3; mov.b64 {%0, %1}, all;}"
      : "=r"(low), "=r"(high)
      : "r"(a), "r"(b));
}
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
inline std::uint32_t lower_half_behind(std::uint32_t upper, std::uint32_t word) {
  return (upper & 0xFF0000FFU) | (word & 0xFFFFU) << 8;
}
inline void multiply_wide(std::uint32_t a, std::uint32_t b, std::uint32_t& low, std::uint32_t& high) {
  const std::uint64_t all = std::uint64_t{a} * b;
  low = static_cast<std::uint32_t>(all);
  high = static_cast<std::uint32_t>(all >> 32);
}
inline std::uint32_t bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }
#endif

/// 1/(1 + e^{−x})
__device__ inline float quick_sigmoid(float x) {
  return quick_inverse(1 + quick_exp2(-1.4426950408889634F * x));
}

/// erf(4x). erf x = tanh(x P(x²)), P of degree two: 3.7·10⁻⁵ at most, beside what quick_tanh has. Beyond |4x| = 4, P stays as it is there.
__device__ inline float quick_erf_of_four(float x, float square_within_one) {
  return quick_tanh(x *
                    fmaf(fmaf(-1.83017472F, square_within_one, 6.66128192F), square_within_one, 4.51257212F));
}
__device__ inline float quick_erf_of_four(float x) { return quick_erf_of_four(x, within_one(x * x)); }

/// box_muller of random.cuh, as a pair, by kOfNormals too small. Of the angle the upper 23 bits; a turn counts from −½, which turns signs around.
constexpr float kOfNormals =
    1.1774100225154747F;  // √(2 ln 2): what makes natural logarithms of those to base 2
__device__ inline std::uint32_t quick_normals(std::uint32_t radius_word, std::uint32_t angle_word) {
  const float unit =
      fmaf(static_cast<float>(static_cast<std::int32_t>(radius_word >> 1)), 0x1p-31F, 0x1p-32F);
  // Where the unit is next to 1, its logarithm may come out on the other side of 0.
  const float radius = -quick_root(fabsf(quick_log2(unit)));
  const float angle = fmaf(6.2831853071795865F, one_and_share(angle_word), -9.4247779607693797F);
  return pack(radius * quick_cosine(angle), radius * quick_sine(angle));
}

/// A pair from one word, of `precision = "fast"`: of the radius 23 bits (tails reach 5.77 standard deviations). The lower half of the word is an angle of thousands of turns in steps of ¼ or ½,
/// which stand evenly on the circle, but for 2·10⁻⁴.
constexpr std::uint32_t kOfAngles = 0x46000000;  // 2¹³, whose upper byte is that of all of them
__device__ inline std::uint32_t quicker_normals(std::uint32_t word, std::uint32_t of_angles) {
  const float radius = quick_root(fabsf(quick_log2(one_and_share(word) - (1 - 0x1p-24F))));
  const float angle = of_bits(lower_half_behind(of_angles, word));
  return pack(radius * quick_cosine(angle), radius * quick_sine(angle));
}
/// erf(4x) of a pair = tanh(x P(x²)), P of degree one: 2.9·10⁻⁴ at most, beside what halves have.
__device__ inline std::uint32_t quick_erfs_of_four(std::uint32_t x) {
  return quick_tanhs(times(x, times_plus(times(x, x), two_of(6.3867329F), two_of(4.5187032F))));
}

/// Words at a fraction of Philox's price, for `precision = "fast"`: all of Philox's rounds once, then two more for every four words. A word costs two instructions.
class QuickWords {
 public:
  QuickWords() = default;
  __device__ QuickWords(const Words& words, std::uint32_t key0, std::uint32_t key1)
      : words_(words), key0_(key0), key1_(key1) {}

  __device__ const Words& next_four() {
    go_on(key0_, key1_);
    go_on(key1_, key0_);
    return words_;
  }

 private:
  /// philox_round
  __device__ void go_on(std::uint32_t key0, std::uint32_t key1) {
    const Words c = words_;
    std::uint32_t first = 0, second = 0;
    multiply_wide(math::kPhiloxFirst, c.w[0], words_.w[3], first);
    multiply_wide(math::kPhiloxSecond, c.w[2], words_.w[1], second);
    words_.w[0] = second ^ c.w[1] ^ key0;
    words_.w[2] = first ^ c.w[3] ^ key1;
  }

  Words words_{};
  std::uint32_t key0_ = 0, key1_ = 0;
};

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
