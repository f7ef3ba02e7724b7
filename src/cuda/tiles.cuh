/// Batches as tiles of 64 samples of one class, in half precision, as tensor cores read them: what draws them (drawn_tiles.cuh) and what trains on them (tile_training.cuh)
/// both speak of.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "tensor_cores.cuh"

namespace sluice::cuda {

constexpr int kTileRows = 64;
constexpr int kGroup = 128;  // threads of a warpgroup

/// Sites of a tile, whole sixteens of them: those of the task, then none, and the bias's, which is the last and 1.
__device__ __host__ constexpr int tile_bytes(int sites) { return kTileRows * sites * 2; }

/// Tiles of the first class come first; the last one of a class may have rows that nobody looks at.
struct Batch {
  int rows_of[2];   ///< by class
  int first_tiles;  ///< of the first class

  static Batch of(int first, int second) { return {{first, second}, tiles_of(first)}; }
  __device__ __host__ static int tiles_of(int rows) { return (rows + kTileRows - 1) / kTileRows; }
  __device__ __host__ int tiles() const { return first_tiles + tiles_of(rows_of[1]); }

  __device__ int class_of(int tile) const { return tile < first_tiles ? 0 : 1; }
  /// Rows of the tile's class from its first on.
  __device__ int rows_from(int tile) const {
    return (tile < first_tiles ? rows_of[0] : rows_of[1] + first_tiles * kTileRows) - tile * kTileRows;
  }
};

}  // namespace sluice::cuda
