/// Samples of `precision = "fast"`, drawn a tile at a time by the warpgroup that trains on them, between its products: they never leave the multiprocessor.
///
///   Y [64, n] = ε C'    ε of a cheap generator in registers, where they were drawn; summed in halves
///   X = law(Y)          in halves
///
/// What a sample is depends on its network's seed, its step and its row alone, but is not what the CPU draws there.
#pragma once

#include "ensemble_kernels.cuh"
#include "quick.cuh"
#include "tiles.cuh"

namespace sluice::cuda {

/// Of at most so many sites, in tiles of kSites.
template <int kMost, int kSites>
class QuickSamples {
 public:
  /// C of both classes.
  static constexpr int kMixBytes = 2 * kSites * kSites * 2;

  __device__ QuickSamples(std::uint64_t seed, int thread, std::uint8_t* mixes)
      : seed_(seed),
        thread_(thread),
        place_(place_of_cores(tile_of(nullptr, kSites), (thread >> 5) * 16, 0, thread & 31)),
        mixes_(mixes) {}

  /// A constant that the assembler does not know: it stays in a register, as instructions have room for one other.
  __device__ void hold(std::uint32_t of_angles) { of_angles_ = of_angles; }

  /// The words of the tile that a step sees as its i-th, when those of the one before were not drawn, or every sixteenth time.
  __device__ void begin(std::uint64_t step, unsigned i) {
    const Row row{seed_, step, i / kTilesOfWords * kGroup + static_cast<unsigned>(thread_),
                  math::Purpose::training};
    words_ = QuickWords(row.words(kCounter), static_cast<std::uint32_t>(seed_),
                        static_cast<std::uint32_t>(seed_ >> 32));
    for (unsigned skipped = i % kTilesOfWords * kFours; skipped > 0; --skipped) words_.next_four();
  }
  __device__ static bool begins(unsigned i) { return i % kTilesOfWords == 0; }

  /// ε as A, of modes that there are.
  __device__ void draw() {
#pragma unroll
    for (int i = 0; i < kFours; ++i) {
      const Words& words = words_.next_four();
#pragma unroll
      for (int m = 4 * i; m < 4 * i + 4 && m < kSites / 4; ++m)
        z_[m] = m < kPairs ? quicker_normals(words.w[m % 4], of_angles_) : 0;
    }
  }
  /// Y, when the product is done.
  __device__ void mix(int c) {
    multiply<kSites, kSites / 16>(y_, z_, tile_of(mixes_ + c * (kMixBytes / 2), kSites));
  }
  /// X; the last site is the bias's.
  struct Shape {
    bool bends;
    std::uint32_t factors;
  };
  __device__ static Shape shape_of(const Law& law) {
    return {law.map == Recipe::Map::erf, two_of(law.factor)};
  }
  __device__ void put(const Shape& shape, const Tile& to) const {
    if (shape.bends)
      put(to, [&](std::uint32_t y) { return times(shape.factors, quick_erfs_of_four(y)); });
    else
      put(to, [](std::uint32_t y) { return y; });
  }

 private:
  static constexpr unsigned kTilesOfWords = 16;
  static constexpr std::uint32_t kCounter = 1U << 30;  // behind counters of ε
  static constexpr int kPairs = (kMost + 7) / 8 * 2,
                       kFours = (kPairs + 3) / 4;  // that a thread draws of a tile

  template <class Bend>
  __device__ void put(const Tile& to, const Bend& bend) const {
    std::uint32_t x[kSites / 4];
#pragma unroll
    for (int m = 0; m < kSites / 4; ++m) x[m] = m < kPairs ? bend(y_[m]) : 0;
#pragma unroll
    for (int m = kSites / 4 - 2; m < kSites / 4; ++m)
      if ((thread_ & 3) == 3) x[m] = (x[m] & 0xFFFFU) | kHalfOne << 16;
#pragma unroll
    for (int s = 0; s < kSites / 16; ++s) store_cores_at(to.right_by(16 * s), place_, x + 4 * s);
  }

  std::uint64_t seed_;
  int thread_, place_;
  std::uint32_t of_angles_ = kOfAngles;
  std::uint8_t* mixes_;
  QuickWords words_;
  std::uint32_t z_[kSites / 4], y_[kSites / 4];
};

}  // namespace sluice::cuda
