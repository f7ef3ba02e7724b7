/// How a batch is cut into blocks that fit the cache, and blocks into chunks that threads take.
///
/// The cut depends on the batch alone, never on the number of threads: each chunk has its own accumulator and chunks
/// are added in order, so every sum has one order of additions and every record one set of bits.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sluice/math/lanes.hpp"

namespace sluice::learn {

struct Block {
  int which_class;         ///< a block never holds both classes, unless the batch does not know them apart
  std::int64_t first_row;  ///< of the batch; the sample's address in the random stream
  std::int64_t rows;
};

struct BlockPlan {
  static constexpr std::int64_t kBlockRows = math::kBlockSamples;
  static constexpr std::int64_t kFewestChunks = 8;
  static constexpr std::int64_t kMostChunks = 24;  ///< shared evenly by 2, 3, 4, 6, 8 or 12 threads

  std::vector<Block> blocks;
  std::int64_t chunks = 0;

  /// `accumulator` is how many floats each chunk accumulates into; large ones make fewer chunks, because clearing and
  /// adding them would cost more than an uneven share of the work.
  BlockPlan(std::int64_t batch, std::int64_t rows_of_first_class, std::size_t accumulator = 0) {
    for (int which_class : {0, 1}) {
      const std::int64_t end = which_class == 0 ? rows_of_first_class : batch;
      for (std::int64_t row = which_class == 0 ? 0 : rows_of_first_class; row < end; row += kBlockRows) {
        blocks.push_back({which_class, row, std::min(kBlockRows, end - row)});
      }
    }
    constexpr std::int64_t kMostFloats = 1 << 18;
    const std::int64_t affordable =
        accumulator == 0 ? kMostChunks : kMostFloats / static_cast<std::int64_t>(accumulator);
    chunks = std::min(
        {kMostChunks, static_cast<std::int64_t>(blocks.size()), std::max(kFewestChunks, affordable)});
  }

  /// Blocks of one chunk: [first, last).
  std::int64_t first(std::int64_t chunk) const {
    return chunk * static_cast<std::int64_t>(blocks.size()) / chunks;
  }
  std::int64_t last(std::int64_t chunk) const { return first(chunk + 1); }
};

}  // namespace sluice::learn
