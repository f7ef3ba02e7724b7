/// A permutation of 0, …, size−1 that is computed, not stored: the i-th element of a shuffled epoch at an address.
///
/// A Feistel network over the smallest even number of bits that holds the size, its round function a 64-bit mix of the key;
/// values that land outside are sent round again (cycle walking, less than four turns on average). A bijection for every
/// key, so every epoch visits every sample once, and no generator state has to be kept.
#pragma once

#include <bit>
#include <cstdint>

namespace sluice::math {

/// splitmix64's finaliser: every bit of the result depends on every bit of the argument.
constexpr std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

class Permutation {
 public:
  Permutation(std::uint64_t size, std::uint64_t seed, std::uint64_t epoch)
      : size_(size),
        half_bits_(static_cast<int>((std::bit_width(size > 1 ? size - 1 : 1) + 1) / 2)),
        mask_((std::uint64_t{1} << half_bits_) - 1),
        key_(mix(mix(seed + 0x9E3779B97F4A7C15ULL) + epoch)) {}

  /// Where the i-th place of the order points, i < size.
  std::uint64_t operator()(std::uint64_t i) const {
    do i = turn(i);
    while (i >= size_);
    return i;
  }

 private:
  static constexpr int kRounds = 6;

  std::uint64_t turn(std::uint64_t value) const {
    std::uint64_t left = value >> half_bits_;
    std::uint64_t right = value & mask_;
    for (int round = 0; round < kRounds; ++round) {
      const std::uint64_t next =
          left ^ (mix(key_ + right * kRounds + static_cast<std::uint64_t>(round)) & mask_);
      left = right;
      right = next;
    }
    return left << half_bits_ | right;
  }

  std::uint64_t size_;
  int half_bits_;
  std::uint64_t mask_;
  std::uint64_t key_;
};

}  // namespace sluice::math
