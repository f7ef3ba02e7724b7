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
  int rows_of[2];  ///< by class

  __device__ __host__ static int tiles_of(int rows) { return (rows + kTileRows - 1) / kTileRows; }
  __device__ __host__ int tiles() const { return tiles_of(rows_of[0]) + tiles_of(rows_of[1]); }

  /// Class, and first row of that class.
  struct Piece {
    int c, row;
  };
  __device__ Piece piece(int tile) const {
    const int of_first = tiles_of(rows_of[0]);
    return tile < of_first ? Piece{0, tile * kTileRows} : Piece{1, (tile - of_first) * kTileRows};
  }
};

}  // namespace sluice::cuda
