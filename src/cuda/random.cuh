/// The random numbers of math/random.hpp at their addresses, on the device: the same words; what is made of them differs by rounding.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "sluice/math/random.hpp"

namespace sluice::cuda {

struct Words {
  std::uint32_t w[4];
};
/// math/philox.hpp
__device__ inline Words philox_round(const Words& c, std::uint32_t key0, std::uint32_t key1) {
  const std::uint64_t a = std::uint64_t{math::kPhiloxFirst} * c.w[0];
  const std::uint64_t b = std::uint64_t{math::kPhiloxSecond} * c.w[2];
  return {{static_cast<std::uint32_t>(b >> 32) ^ c.w[1] ^ key0, static_cast<std::uint32_t>(b),
           static_cast<std::uint32_t>(a >> 32) ^ c.w[3] ^ key1, static_cast<std::uint32_t>(a)}};
}
__device__ inline Words philox(Words c, std::uint32_t key0, std::uint32_t key1) {
#pragma unroll
  for (int round = 0; round < math::kPhiloxRounds; ++round) {
    c = philox_round(c, key0, key1);
    key0 += math::kPhiloxStep0;
    key1 += math::kPhiloxStep1;
  }
  return c;
}

/// Whose numbers: all of an address but the counter.
struct Row {
  std::uint64_t seed, step;
  std::uint32_t row;
  math::Purpose purpose;

  /// What is mixed up with the seed.
  __device__ Words address(std::uint32_t counter) const {
    const std::uint32_t tag = (std::uint32_t{static_cast<std::uint8_t>(purpose)} << 24) |
                              (static_cast<std::uint32_t>(step >> 32) & 0xFFFFFFU);
    return {{counter, row, static_cast<std::uint32_t>(step), tag}};
  }
  __device__ Words words(std::uint32_t counter) const {
    return philox(address(counter), static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32));
  }
};

/// sin and cos of 2π·turn/2³²: the nearest quarter turn exactly, the rest by Taylor polynomials on ±π/4, as math/vector_functions.inc has them.
__device__ inline void sin_cos_of_turn(std::uint32_t turn, float& sine, float& cosine) {
  const std::uint32_t quarter = (turn + (1U << 29)) >> 30;
  const float rest =
      static_cast<float>(static_cast<std::int32_t>(turn - (quarter << 30))) * 1.4629180792671596e-9F;
  const float square = rest * rest;
  const float s = rest * fmaf(fmaf(fmaf(fmaf(1.0F / 362880, square, -1.0F / 5040), square, 1.0F / 120),
                                   square, -1.0F / 6),
                              square, 1.0F);
  const float c = fmaf(fmaf(fmaf(fmaf(1.0F / 40320, square, -1.0F / 720), square, 1.0F / 24), square, -0.5F),
                       square, 1.0F);
  const bool swap = (quarter & 1U) != 0;
  sine = (quarter & 2U) != 0 ? -(swap ? c : s) : (swap ? c : s);
  cosine = ((quarter + 1) & 2U) != 0 ? -(swap ? s : c) : (swap ? s : c);
}

/// Two normals from two words; tails reach 6.6 standard deviations.
__device__ inline void box_muller(std::uint32_t radius_word, std::uint32_t angle_word, float& first,
                                  float& second) {
  const float unit =
      fmaf(static_cast<float>(static_cast<std::int32_t>(radius_word >> 1)), 0x1p-31F, 0x1p-32F);
  const float radius = sqrtf(-2.0F * logf(unit));
  float sine, cosine;
  sin_cos_of_turn(angle_word, sine, cosine);
  first = radius * cosine;
  second = radius * sine;
}

/// math::RowNumbers
class OwnNumbers {
 public:
  __device__ explicit OwnNumbers(const Row& row) : row_(row) {}

  __device__ double uniform() {
    if (left_ == 0) {
      words_ = row_.words(counter_++);
      left_ = 2;
    }
    --left_;
    const std::uint64_t bits = (std::uint64_t{words_.w[2 * left_]} << 32 | words_.w[2 * left_ + 1]) >> 12;
    return (static_cast<double>(bits) + 0.5) * 0x1p-52;
  }
  __device__ int below(int count) { return static_cast<int>(uniform() * count); }
  __device__ double normal() {
    const double radius = sqrt(-2 * log(uniform()));
    return radius * cos(6.283185307179586477 * uniform());
  }
  __device__ double gamma(double shape) {
    const double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);
    for (;;) {
      const double z = normal(), root = 1 + c * z;
      if (root <= 0) continue;
      const double v = root * root * root;
      if (log(uniform()) < z * z / 2 + d * (1 - v + log(v))) return d * v;
    }
  }

 private:
  Row row_;
  std::uint32_t counter_ = std::uint32_t{1} << 31;
  Words words_{};
  int left_ = 0;
};

}  // namespace sluice::cuda
