/// How a batch is cut into blocks that fit the cache, and blocks into chunks that threads take.
///
/// The cut depends on the batch alone, never on the number of threads: each chunk has its own accumulator and
/// chunks are added in order, so every sum has one order of additions and every record one set of bits.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace sluice::learn {

struct Block {
  int which_class;         ///< the first half of the batch is class 0, the second half class 1
  std::int64_t first_row;  ///< of the batch; the sample's address in the random stream
  std::int64_t rows;
};

struct BlockPlan {
  static constexpr std::int64_t kBlockRows =
      64;  ///< 64 × (40 inputs + 2·100 hidden) floats: 60 KiB, second-level cache
  static constexpr std::int64_t kMostChunks = 32;

  std::vector<Block> blocks;
  std::int64_t chunks = 0;

  explicit BlockPlan(std::int64_t batch) {
    for (int which_class : {0, 1}) {
      const std::int64_t end = (batch / 2) * (which_class + 1);
      for (std::int64_t row = (batch / 2) * which_class; row < end; row += kBlockRows) {
        blocks.push_back({which_class, row, std::min(kBlockRows, end - row)});
      }
    }
    chunks = std::min(kMostChunks, static_cast<std::int64_t>(blocks.size()));
  }

  /// Blocks of one chunk: [first, last).
  std::int64_t first(std::int64_t chunk) const {
    return chunk * static_cast<std::int64_t>(blocks.size()) / chunks;
  }
  std::int64_t last(std::int64_t chunk) const { return first(chunk + 1); }
};

}  // namespace sluice::learn
