/// The normals of which a device makes samples (src/cuda/quick.cuh), in halves and at the addresses at which src/cuda/drawn_tiles.cuh draws them, and those of `precision = "fast"`, which
/// src/cuda/quick_samples.cuh draws in streams: very many, of which counts and sums are kept.
#pragma once

#include <array>
#include <cstdint>
#include <string>
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
    std::string where;  ///< "in a pair"
    std::int64_t count = 0;
    double sum = 0;         ///< Σ ab
    double of_squares = 0;  ///< Σ (a² − 1)(b² − 1)
  };
  std::vector<Products> products;  ///< those in a pair first, then as Beside or InStream has them
};

/// Those of so many steps of one network.
NormalSums draw_normals(std::uint64_t seed, std::int64_t steps, const WordBits& bits = {});

/// Those of some rows as they are, pairs of halves, smaller than normals by √(2 ln 2): [row, counter, 2].
std::vector<std::uint32_t> normals_of_rows(const math::Address& first, int rows);

/// A thread of `precision = "fast"` has a stream of words for 16 tiles, at most twelve of each, a pair of normals of each word; a step has a stream of each of 128 threads.
constexpr int kWordsOfTile = 12, kTilesOfStream = 16, kStreamsOfStep = 128;
constexpr std::int64_t kNormalsOfStream = 2 * kWordsOfTile * kTilesOfStream,
                       kNormalsOfStreams = kStreamsOfStep * kNormalsOfStream;

/// Whose independence is looked at there: the two of a pair, words of a tile that are 1, …, 11 apart, and what stands at the same place of the next tile, of the next thread's stream and of the next step's.
enum class InStream { in_pair, next_word, next_tile = kWordsOfTile, next_thread, next_step };
constexpr int kInStream = kWordsOfTile + 3;

/// What is used of a word, of a thread's number and of a step's. With less, normals are worse or the same again.
struct StreamBits {
  std::uint32_t word = ~0U, thread = ~0U;
  std::uint64_t step = ~std::uint64_t{0};
};

struct StreamSums {
  NormalSums normals;
  double cosines = 0, sines = 0;  ///< of angles of pairs, their sums
  /// How often a word with this upper byte was followed by one with that, [first byte, second byte]: of words 2k and 2k + 1 of a stream, and of 2k + 1 and 2k + 2.
  std::array<std::vector<std::uint64_t>, 2> words;
};
StreamSums draw_streams(std::uint64_t seed, std::int64_t steps, const StreamBits& bits = {});

/// Those of some streams as they are, from that of the thread `first.row` on: [stream, tile, 12].
std::vector<std::uint32_t> normals_of_streams(const math::Address& first, int streams);

}  // namespace sluice::bench
