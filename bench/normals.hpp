/// The normals of which a device makes samples (src/cuda/quick.cuh), in halves and at the addresses at which src/cuda/drawn_tiles.cuh draws them: very many, of which counts and sums are kept.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sluice/math/random.hpp"

namespace sluice::bench {

/// A sample has 40 of them, four of each counter; a step has 1000 samples.
constexpr int kCounters = 10, kRowsOfStep = 1000;
constexpr std::int64_t kNormalsOfStep = 4 * kCounters * kRowsOfStep;

/// What is used of the two words of a pair. With less than all of it normals are worse, and whoever judges them has to see it.
struct WordBits {
  std::uint32_t radius = ~0U, angle = ~0U;
};

/// Whose independence is looked at: the two of a pair, the two pairs of a counter, and what stands at the same place of the next counter and of the next row.
enum class Beside { in_pair, in_counter, next_counter, next_row };
constexpr int kBesides = 4;

struct NormalSums {
  std::int64_t count = 0;
  /// How often every half was drawn, [bits of the half], as the first of a pair and as the second.
  std::array<std::vector<std::uint64_t>, 2> counts;
  /// Of a and b beside each other.
  struct Products {
    std::int64_t count = 0;
    double sum = 0;         ///< Σ ab
    double of_squares = 0;  ///< Σ (a² − 1)(b² − 1)
  };
  std::array<Products, kBesides> products;
};

/// Those of so many steps of one network.
NormalSums draw_normals(std::uint64_t seed, std::int64_t steps, const WordBits& bits = {});

/// Those of some rows as they are, pairs of halves, smaller than normals by √(2 ln 2): [row, counter, 2].
std::vector<std::uint32_t> normals_of_rows(const math::Address& first, int rows);

}  // namespace sluice::bench
