/// Pairs of half-precision numbers in one word, as tensor cores take them: the first in the lower half.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace sluice::cuda {

constexpr std::uint32_t kHalfOne = 0x3C00;
constexpr float kLargestHalf = 65504;

#ifdef __CUDACC__

__device__ inline std::uint32_t pack(float first, float second) {
  std::uint32_t pair;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(second), "f"(first));
  return pair;
}
__device__ inline float first_of(std::uint32_t pair) {
  float value;
  asm("{.reg .b16 l, h; mov.b32 {l, h}, %1; cvt.f32.f16 %0, l;}" : "=f"(value) : "r"(pair));
  return value;
}
__device__ inline float second_of(std::uint32_t pair) {
  float value;
  asm("{.reg .b16 l, h; mov.b32 {l, h}, %1; cvt.f32.f16 %0, h;}" : "=f"(value) : "r"(pair));
  return value;
}
__device__ inline std::uint32_t times(std::uint32_t a, std::uint32_t b) {
  std::uint32_t pair;
  asm("mul.rn.f16x2 %0, %1, %2;" : "=r"(pair) : "r"(a), "r"(b));
  return pair;
}
__device__ inline std::uint32_t added(std::uint32_t a, std::uint32_t b) {
  std::uint32_t pair;
  asm("add.rn.f16x2 %0, %1, %2;" : "=r"(pair) : "r"(a), "r"(b));
  return pair;
}
__device__ inline std::uint32_t times_plus(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  std::uint32_t pair;
  asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(pair) : "r"(a), "r"(b), "r"(c));
  return pair;
}
__device__ inline std::uint32_t positive_parts(std::uint32_t a) {
  std::uint32_t pair;
  asm("max.f16x2 %0, %1, %2;" : "=r"(pair) : "r"(a), "r"(0U));
  return pair;
}
/// To 2⁻¹¹ of 1.
__device__ inline std::uint32_t quick_tanhs(std::uint32_t a) {
  std::uint32_t pair;
  asm("tanh.approx.f16x2 %0, %1;" : "=r"(pair) : "r"(a));
  return pair;
}
__device__ inline std::uint32_t quick_exp2s(std::uint32_t a) {
  std::uint32_t pair;
  asm("ex2.approx.f16x2 %0, %1;" : "=r"(pair) : "r"(a));
  return pair;
}
/// max(a, 0) of both.
__device__ inline std::uint32_t pack_positive_parts(float first, float second) {
  std::uint32_t pair;
  asm("cvt.rn.relu.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(second), "f"(first));
  return pair;
}
/// 1 where a is positive, 0 elsewhere.
__device__ inline std::uint32_t whether_positive(std::uint32_t a) {
  std::uint32_t open;
  asm("set.gt.f16x2.f16x2 %0, %1, %2;" : "=r"(open) : "r"(a), "r"(0U));
  return open;
}

#else

/// Rounded to even; numbers below 2⁻¹⁴ keep fewer bits.
inline std::uint16_t to_half(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000U);
  const float size = std::fabs(value);
  if (value != value) return 0x7FFF;
  if (size >= 65520.0F) return static_cast<std::uint16_t>(sign | 0x7C00U);
  if (size < 0x1p-14F)
    return static_cast<std::uint16_t>(sign | static_cast<std::uint16_t>(std::lrint(size * 0x1p24F)));
  const std::uint32_t body = (bits & 0x7FFFFFFFU) + 0xFFFU + (bits >> 13 & 1U);
  return static_cast<std::uint16_t>(sign | ((body >> 13) - (112U << 10)));
}
inline float of_half(std::uint16_t half) {
  const std::uint32_t sign = (half & 0x8000U) << 16, body = half & 0x7FFFU;
  if (body >= 0x7C00U) return std::bit_cast<float>(sign | 0x7F800000U | (body & 1023U) << 13);
  if (body >= 0x400U) return std::bit_cast<float>(sign | ((body << 13) + (112U << 23)));
  const float size = static_cast<float>(body) * 0x1p-24F;
  return sign != 0 ? -size : size;
}
inline std::uint32_t pack(float first, float second) {
  return to_half(first) | std::uint32_t{to_half(second)} << 16;
}
inline float first_of(std::uint32_t pair) { return of_half(static_cast<std::uint16_t>(pair)); }
inline float second_of(std::uint32_t pair) { return of_half(static_cast<std::uint16_t>(pair >> 16)); }
inline std::uint32_t times(std::uint32_t a, std::uint32_t b) {
  return pack(first_of(a) * first_of(b), second_of(a) * second_of(b));
}
inline std::uint32_t added(std::uint32_t a, std::uint32_t b) {
  return pack(first_of(a) + first_of(b), second_of(a) + second_of(b));
}
inline std::uint32_t times_plus(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  return pack(fmaf(first_of(a), first_of(b), first_of(c)), fmaf(second_of(a), second_of(b), second_of(c)));
}
inline std::uint32_t positive_parts(std::uint32_t a) {
  return pack(std::fmax(first_of(a), 0.0F), std::fmax(second_of(a), 0.0F));
}
inline std::uint32_t quick_tanhs(std::uint32_t a) { return pack(tanhf(first_of(a)), tanhf(second_of(a))); }
inline std::uint32_t quick_exp2s(std::uint32_t a) { return pack(exp2f(first_of(a)), exp2f(second_of(a))); }
inline std::uint32_t pack_positive_parts(float first, float second) {
  return pack(std::fmax(first, 0.0F), std::fmax(second, 0.0F));
}
inline std::uint32_t whether_positive(std::uint32_t a) {
  return pack(first_of(a) > 0 ? 1.0F : 0.0F, second_of(a) > 0 ? 1.0F : 0.0F);
}

#endif

/// b by the signs of a.
__device__ inline std::uint32_t with_signs_of(std::uint32_t a, std::uint32_t b) {
  return (a & 0x80008000U) ^ b;
}
__device__ inline std::uint32_t two_of(float value) { return pack(value, value); }

}  // namespace sluice::cuda
