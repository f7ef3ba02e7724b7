/// Samples of many networks, drawn at their addresses as tiles (tiles.cuh), for some steps ahead: they do not depend on weights, so every multiprocessor draws, also for one network.
///
///   Y [64, n] = ε C'       ε in registers, where its pairs were drawn; halves, summed in float by tensor cores
///   X = law(√V Y)          rounded to halves
///
/// A block of 128 threads draws tiles of one class of one network; C stays in shared memory.
#pragma once

#include "block.cuh"
#include "ensemble_kernels.cuh"
#include "quick.cuh"
#include "tiles.cuh"

namespace sluice::cuda {

/// What one launch draws.
struct DrawingNumbers {
  EnsembleShape shape;
  const MemberNumbers* members;
  const std::uint8_t* mixes;  ///< C of the classes as tiles, [member, class] (tile_mixes)
  std::uint64_t first_step;
  int step_count, steps_of_block;
  Batch batch;
  /// [step, member, row]: what a sample has of its own beside ε (own_numbers); null: no law needs it.
  const std::uint32_t* own;
  std::uint8_t* tiles;  ///< [step, member, tile]

  __device__ __host__ int pieces() const { return (step_count + steps_of_block - 1) / steps_of_block; }
  __device__ __host__ std::int64_t blocks() const { return shape.members * 2 * pieces(); }
};

/// Radii of laws that have them, as bits of floats, and pulses (task/pulse.hpp) as start, length and whether inverted, for all samples of some steps.
static __global__ void own_numbers(EnsembleShape shape, const MemberNumbers* members,
                                   std::uint64_t first_step, int steps, std::int64_t of_first,
                                   std::uint32_t* own) {
  const std::int64_t at = thread_index(), r = at % shape.rows, e = at / shape.rows % shape.members;
  const std::int64_t step = at / shape.rows / shape.members;
  if (step >= steps) return;
  const Law& law = members[e].laws[r < of_first ? 0 : 1];
  OwnNumbers numbers({members[e].seed, first_step + static_cast<std::uint64_t>(step),
                      static_cast<std::uint32_t>(r), math::Purpose::training});
  own[at] = law.kind == Recipe::Kind::pulse
                ? Pulse(law, static_cast<int>(shape.inputs), numbers).word()
                : bits_of(static_cast<float>(sqrt(square_of_radius(law, numbers))));
}

/// Which ε stands at a column of C: a thread has four in a row, of one counter, two at each of its two places of A.
__device__ inline int mode_at(int column) {
  const int in_step = column % 16;
  return column / 16 * 16 + in_step % 8 / 2 * 4 + in_step / 8 * 2 + in_step % 2;
}
/// How much of a gain is in C, a fourth for quick_erf_of_four: as much as halves have room for.
__device__ inline float gain_in_mix(const Law& law) {
  return law.map == Recipe::Map::erf ? fminf(law.gain, 1024.0F) : 1.0F;
}
/// C of every member and class in halves, as products read it, times what is missing from quick_normals. Quick samples (quick_samples.cuh) have modes in order.
static __global__ void tile_mixes(EnsembleShape shape, const MemberNumbers* members, const float* first,
                                  const float* second, int sites, bool fast, std::uint8_t* mixes) {
#ifdef SLUICE_TENSOR_CORES
  const std::int64_t at = thread_index(), of_class = std::int64_t{sites} * sites, e = at / (2 * of_class);
  if (e >= shape.members) return;
  const int c = static_cast<int>(at / of_class % 2), i = static_cast<int>(at % of_class),
            n = static_cast<int>(shape.inputs);
  const int site = i / sites, mode = fast ? i % sites : mode_at(i % sites);
  const Law& law = members[e].laws[c];
  const float scale = kOfNormals * (law.map == Recipe::Map::erf ? 0.25F * gain_in_mix(law) : 1.0F);
  const float value = site < n && mode < n ? (c == 0 ? first : second)[(e * n + site) * n + mode] : 0.0F;
  tile_of(mixes + (2 * e + c) * of_class * 2, sites).at(site, i % sites) =
      static_cast<std::uint16_t>(pack(scale * value, 0.0F));
#endif
}

template <int kSites>
class TileDrawing {
 public:
  static constexpr int kBytes = kSites * kSites * 2;  // of shared memory

  __device__ explicit TileDrawing(const DrawingNumbers& numbers)
      : p_(numbers),
        c_(block_index() % 2),
        e_(block_index() / 2 / numbers.pieces()),
        first_(block_index() / 2 % numbers.pieces() * numbers.steps_of_block),
        law_(numbers.members[e_].laws[c_]),
        seed_(numbers.members[e_].seed),
        n_(static_cast<int>(numbers.shape.inputs)),
        thread_(thread_in_block()),
        lane_(thread_ % 32),
        mixing_(tile_of(shared_memory(), kSites)) {}

  __device__ void run() {
    set_up();
    const float factor = law_.factor,
                rest = law_.map == Recipe::Map::erf ? law_.gain / gain_in_mix(law_) : 1.0F;
    if (law_.kind == Recipe::Kind::pulse) {
      with_tiles([&] { draw_pulses(); });
    } else if (law_.map == Recipe::Map::erf && law_.radius == Recipe::Radius::none && rest == 1) {
      with_normals([&](const std::uint32_t* z) {
        mix(z, [=](float v, int) { return factor * quick_erf_of_four(v); });
      });
    } else if (law_.map == Recipe::Map::identity && law_.radius == Recipe::Radius::none) {
      with_normals([&](const std::uint32_t* z) { mix(z, [](float v, int) { return v; }); });
    } else {
      const Recipe::Map map = law_.map;
      with_normals([&](const std::uint32_t* z) {
        const float first = rest * radius(z, 0), second = rest * radius(z, 1);
        mix(z, [=](float v, int r) {
          const float scaled = (r == 0 ? first : second) * v;
          if (map == Recipe::Map::erf) return factor * quick_erf_of_four(scaled);
          if (map == Recipe::Map::sign) return v == 0 ? 0.0F : copysignf(factor, v);
          return fminf(fmaxf(scaled, -kLargestHalf), kLargestHalf);
        });
      });
    }
  }

 private:
  static constexpr int kAcross = kSites / 8;  // cores of a row
  static constexpr int kChunk = kSites == 112 ? 56
                                : kSites < 64 ? kSites
                                              : 64;  // sites that are mixed at once

  __device__ void set_up() const {
    const uint4* from =
        reinterpret_cast<const uint4*>(p_.mixes + (2 * static_cast<std::int64_t>(e_) + c_) * kBytes);
    for (int i = thread_; i < kBytes / 16; i += kGroup) reinterpret_cast<uint4*>(mixing_.data)[i] = from[i];
    show_to_products();
    wait_for_block();
  }

  /// All tiles of this block, one after the other.
  template <class Draw>
  __device__ void with_tiles(const Draw& draw) {
    const int tiles = Batch::tiles_of(p_.batch.rows_of[c_]);
    const int tiles_before = c_ == 0 ? 0 : Batch::tiles_of(p_.batch.rows_of[0]);
    const int row = (c_ == 0 ? 0 : p_.batch.rows_of[0]) + thread_ / 32 * 16 + lane_ / 4;
    const int last = first_ + p_.steps_of_block < p_.step_count ? first_ + p_.steps_of_block : p_.step_count;
    for (int step = first_; step < last; ++step) {
      const std::int64_t of_member = (step * p_.shape.members + e_) * p_.batch.tiles() + tiles_before;
      here_ = Here{step, row, reinterpret_cast<std::uint32_t*>(p_.tiles + of_member * tile_bytes(kSites))};
      for (int tile = 0; tile < tiles; ++tile) {
        draw();
        here_.row += kTileRows;
        here_.to += tile_bytes(kSites) / 4;
      }
    }
  }
  template <class Mix>
  __device__ void with_normals(const Mix& mix) {
    with_tiles([&] {
      std::uint32_t z[kSites / 4];
      draw_normals(z);
      mix(z);
    });
  }
  __device__ float radius(const std::uint32_t* z, int i) const {
    return law_.radius == Recipe::Radius::none    ? 1.0F
           : law_.radius == Recipe::Radius::shell ? shell(z, i)
                                                  : of_bits(own(i));
  }
  template <class Shape>
  __device__ void mix(const std::uint32_t* z, const Shape& shape) const {
#pragma unroll
    for (int chunk = 0; chunk < kSites / kChunk; ++chunk) {
      float y[kChunk / 2];
      begin_products();
      multiply<kChunk, kSites / 16>(y, z, mixing_.down_by(chunk * kChunk));
      end_products();
      wait_for_products<0>();
#pragma unroll
      for (int j = 0; j < kChunk / 8; ++j) {
#pragma unroll
        for (int r = 0; r < 2; ++r) {
          const int core = chunk * (kChunk / 8) + j;
          std::uint32_t both = 0;
          if (core < kAcross - 2 || 8 * core < n_)
            both = pack(shape(y[4 * j + 2 * r], r), shape(y[4 * j + 2 * r + 1], r));
          put(core, r, both);
        }
      }
    }
  }
  /// What a thread has of a core; in the last one the bias's site is 1.
  __device__ void put(int core, int r, std::uint32_t both) const {
    if (core == kAcross - 1 && lane_ % 4 == 3) both = (both & 0xFFFFU) | kHalfOne << 16;
    here_.to[((thread_ / 32 * 2 + r) * kAcross + core) * 32 + lane_] = both;
  }

  /// ε as A, a step being sixteen of them.
  __device__ void draw_normals(std::uint32_t* z) const {
    const int counters = (n_ + 3) / 4;
#pragma unroll
    for (int s = 0; s < kSites / 16; s += 2) {
      const int left = counters - 4 * s;
      if (s + 1 < kSites / 16 && left > 6) {
        draw_steps<2>(s, z + 4 * s);
        continue;
      }
      draw_few(left, s, z + 4 * s);
      if (s + 1 < kSites / 16) draw_few(left - 4, s + 1, z + 4 * s + 4);
    }
  }
  /// An address of row i of the two that a thread draws.
  __device__ Words address(int i, int counter) const {
    return Row{seed_, p_.first_step + static_cast<std::uint64_t>(here_.step),
               static_cast<std::uint32_t>(here_.row + 8 * i), math::Purpose::training}
        .address(static_cast<std::uint32_t>(counter));
  }
  __device__ void draw_few(int left, int s, std::uint32_t* z) const {
    if (left > 2) {
      draw_steps<1>(s, z);
    } else if (left > 0) {
      draw_half_step(s, z);
    } else {
      z[0] = z[1] = z[2] = z[3] = 0;
    }
  }
  template <int kSteps>
  __device__ void draw_steps(int s, std::uint32_t* z) const {
    Words words[2 * kSteps];
#pragma unroll
    for (int i = 0; i < 2 * kSteps; ++i) words[i] = address(i % 2, 4 * (s + i / 2) + lane_ % 4);
    philox(words, static_cast<std::uint32_t>(seed_), static_cast<std::uint32_t>(seed_ >> 32));
#pragma unroll
    for (int i = 0; i < 2 * kSteps; ++i) {
      z[i / 2 * 4 + i % 2] = quick_normals(words[i].w[0], words[i].w[1]);
      z[i / 2 * 4 + i % 2 + 2] = quick_normals(words[i].w[2], words[i].w[3]);
    }
  }
  /// Where at most two counters are left, half of the threads draw the other row.
  __device__ void draw_half_step(int s, std::uint32_t* z) const {
    const int q = lane_ % 4;
    Words words[1] = {address(q / 2, 4 * s + q % 2)};
    philox(words, static_cast<std::uint32_t>(seed_), static_cast<std::uint32_t>(seed_ >> 32));
    z[0] = quick_normals(words[0].w[0], words[0].w[1]);
    z[2] = quick_normals(words[0].w[2], words[0].w[3]);
    z[1] = of_lane(z[0], lane_ | 2);
    z[3] = of_lane(z[2], lane_ | 2);
  }
  /// √(n/|ε|²) of a row.
  __device__ float shell(const std::uint32_t* z, int i) const {
    float sum = 0;
#pragma unroll
    for (int s = 0; s < kSites / 16; ++s) {
#pragma unroll
      for (int pair = 0; pair < 2; ++pair) {
        const std::uint32_t both = z[4 * s + i + 2 * pair];
        const int mode = 16 * s + lane_ % 4 * 4 + 2 * pair;
        if (mode < n_) sum = fmaf(first_of(both), first_of(both), sum);
        if (mode + 1 < n_) sum = fmaf(second_of(both), second_of(both), sum);
      }
    }
    sum += of_lane_across(sum, 1);
    sum += of_lane_across(sum, 2);
    return quick_root(static_cast<float>(n_) * quick_inverse(kOfNormals * kOfNormals * sum));
  }
  __device__ std::uint32_t own(int i) const {
    const std::int64_t row = here_.row + 8 * i, last = p_.shape.rows - 1;
    return p_.own[(here_.step * p_.shape.members + e_) * p_.shape.rows + (row < last ? row : last)];
  }
  __device__ void draw_pulses() const {
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      const Pulse pulse(own(r));
      for (int core = 0; core < kAcross; ++core) {
        const int site = 8 * core + 2 * (lane_ % 4);
        put(core, r,
            pack(site < n_ ? pulse.at(site, n_, law_.off) : 0.0F,
                 site + 1 < n_ ? pulse.at(site + 1, n_, law_.off) : 0.0F));
      }
    }
  }

  const DrawingNumbers& p_;
  int c_, e_, first_;
  const Law& law_;
  std::uint64_t seed_;
  int n_, thread_, lane_;
  Tile mixing_;
  struct Here {
    int step, row;      // of the two that a thread draws the first; the other is eight below
    std::uint32_t* to;  // the tile
  };
  Here here_{};
};

template <int kSites, int kBlocks>
__global__ void __launch_bounds__(kGroup, kBlocks)
    draw_tiles(const __grid_constant__ DrawingNumbers numbers) {
#ifdef SLUICE_TENSOR_CORES
  TileDrawing<kSites>(numbers).run();
#endif
}

}  // namespace sluice::cuda
