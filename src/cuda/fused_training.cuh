/// Training of a network with one hidden layer in one kernel, for as many steps as nobody looks: samples are drawn, mixed, seen and forgotten in shared memory and
/// registers, a tile of 64 of one class at a time; the three products of a tile run on tensor cores (tensor_cores.cuh), operands in half precision, sums in float.
///
///   Y [64, n] = ε C'             ε in registers, where its pairs were drawn
///   H [units, 64] = (W b) (X 1)'
///   ∂ [units, n+1] += (σ'(H) · dL/dŷ) (X 1)    σ'(H) in registers, where H was
///
/// A block of 128 threads, one warpgroup, is a network of kPanels · 64 units at most. Weights move in float, in the device's cache; their halves stay in shared memory.
///
/// Sums over a batch do not depend on who computes: tiles are dealt to workers in order, derivatives of each worker's tiles are summed alone, and added worker by worker. A block may
/// be all workers, one after the other; or a cluster of blocks one each, for a network that has the device to itself.
#pragma once

#include "block.cuh"
#include "ensemble_kernels.cuh"
#include "quick.cuh"
#include "tensor_cores.cuh"

namespace sluice::cuda {

constexpr int kTileRows = 64;
constexpr int kGroup = 128;  // threads

/// What one launch does.
struct FusedNumbers {
  EnsembleShape shape;
  Unit unit;
  gpu::TrainingPlan::Loss loss;
  Rule rule;
  RuleNumbers rule_numbers;
  const MemberNumbers* members;
  const float* mixes[2];  ///< of the classes, [member, site, mode]
  float *parameters, *first_memory, *second_memory;
  const gpu::SharedNumbers* steps;
  std::uint64_t first_step;
  int step_count;
  int rows_of[2];  ///< of a batch, by class
  int tiles_of_worker, blocks;
  const std::uint32_t*
      own;  ///< [step, member, row]: what a sample has of its own beside ε (own_numbers); null: no law needs it

  __device__ int tiles_of_first() const { return (rows_of[0] + kTileRows - 1) / kTileRows; }
  __device__ int tiles() const { return tiles_of_first() + (rows_of[1] + kTileRows - 1) / kTileRows; }
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

/// Where things lie in shared memory, in bytes.
struct SharedPlan {
  int sites, units;  ///< sites with the one behind, in whole sixteens; units in whole panels
  __device__ __host__ int weights() const { return kTileRows * sites * 2; }
  __device__ __host__ int mixes() const { return weights() + units * sites * 2; }
  __device__ __host__ int totals() const { return mixes() + 2 * sites * sites * 2; }
  __device__ __host__ int parts() const { return totals() + units * sites * 4; }
  __device__ __host__ int readout() const { return parts() + 2 * 4 * kTileRows * 4; }
  __device__ __host__ int readout_sums() const { return readout() + (units + 4) * 4; }
  __device__ __host__ int member() const { return readout_sums() + (units + 4) * 4; }
  __device__ __host__ int bytes() const { return member() + static_cast<int>(sizeof(MemberNumbers)); }
};

/// Units whose kernels are made for them; others choose at every tile.
enum class Bend { relu, erf, any };
template <Bend kBend>
__device__ ValueAndSlope quick_activated(Unit unit, float h, float beta) {
  if constexpr (kBend == Bend::relu) return {fmaxf(h, 0.0F), h};  // the slope is whether this is negative
  if constexpr (kBend == Bend::erf)
    return {QuickErf(0.70710678118654752F, 1.0F)(h),
            0.79788456080286536F * quick_exp2(-0.72134752044448170F * h * h)};
  if (unit == Unit::linear) return {h, 1.0F};
  if (unit == Unit::tanh) {
    const float value = fmaf(2.0F, quick_sigmoid(2 * h), -1.0F);
    return {value, fmaf(-value, value, 1.0F)};
  }
  const float sharp = unit == Unit::soft_relu ? beta * h : h;
  const float gate = quick_sigmoid(sharp), change = gate * (1 - gate);
  if (unit == Unit::sigmoid) return {gate, change};
  return {h * gate, fmaf(sharp, change, gate)};
}

template <Bend kBend, int kSites, int kPanels, bool kReadout>
class FusedTraining {
 public:
  __device__ FusedTraining(const FusedNumbers& numbers, const SharedPlan& plan)
      : p_(numbers),
        plan_(plan),
        rank_(rank_in_cluster(numbers.blocks)),
        e_(cluster_index(numbers.blocks)),
        member_(*reinterpret_cast<const MemberNumbers*>(shared_memory() + plan.member())),
        seed_(numbers.members[e_].seed),
        of_member_(e_ * numbers.shape.parameters),
        parameters_(numbers.parameters + of_member_),
        n_(static_cast<int>(numbers.shape.inputs)),
        thread_(thread_in_block()),
        warp_(thread_ / 32),
        lane_(thread_ % 32),
        first_row_(16 * warp_ + lane_ / 4),
        memory_(shared_memory()) {}

  __device__ void run() {
    set_up();
    const bool alone = p_.blocks == 1;
    const int from = alone ? 0 : rank_ * p_.tiles_of_worker;
    const int last = alone ? p_.tiles() : min_of(from + p_.tiles_of_worker, p_.tiles());
    for (step_ = 0; step_ < p_.step_count; ++step_) {
      forget();
      for (int tile = from; tile < last; ++tile) {
        draw(tile);
        wait_for_block();
        see(tile);
        if ((tile + 1) % p_.tiles_of_worker == 0 || tile + 1 == last) keep(tile);
      }
      if (!alone && from >= last) keep_nothing();
      descend();
    }
    if (!alone) wait_for_cluster();  // nobody leaves while others read what it has
  }

 private:
  static constexpr int kWritten = kSites / 8 - 2;  // cores of a row that are written for whatever n
  static constexpr int kCores = kPanels * kSites / 8;

  __device__ static int min_of(int a, int b) { return a < b ? a : b; }
  __device__ Tile x() const { return tile_of(memory_, kSites); }
  __device__ Tile weights() const { return tile_of(memory_ + plan_.weights(), kSites); }
  __device__ Tile mixing(int c) const {
    return tile_of(memory_ + plan_.mixes() + c * kSites * kSites * 2, kSites);
  }
  /// Sums over workers: of this thread's panel and core k, so many numbers behind each other.
  __device__ float4* totals() const { return reinterpret_cast<float4*>(memory_ + plan_.totals()) + thread_; }
  __device__ float* readout(std::uint8_t* memory) const {
    return reinterpret_cast<float*>(memory + plan_.readout());
  }
  __device__ float* readout_sums(std::uint8_t* memory) const {
    return reinterpret_cast<float*>(memory + plan_.readout_sums());
  }
  __device__ int units() const { return static_cast<int>(p_.shape.units); }

  /// Weights and mixes as halves, tiles with their column of ones.
  __device__ void set_up() {
    static_assert(sizeof(MemberNumbers) % 4 == 0);
    for (int i = thread_; i < static_cast<int>(sizeof(MemberNumbers) / 4); i += kGroup)
      reinterpret_cast<std::uint32_t*>(memory_ + plan_.member())[i] =
          reinterpret_cast<const std::uint32_t*>(p_.members + e_)[i];
#pragma unroll
    for (int panel = 0; panel < kPanels; ++panel) {
#pragma unroll
      for (int i = 0; i < kSites / 2; ++i) slopes_[panel][i] = 0;
    }
    for (int i = thread_; i < kTileRows * kSites; i += kGroup)
      x().at(i / kSites, i % kSites) = i % kSites == n_ ? kHalfOne : 0;
    for (int i = thread_; i < plan_.units * kSites; i += kGroup) {
      const int unit = i / kSites, site = i % kSites;
      const float* theta = parameters_;
      const float w = unit >= units() || site > n_ ? 0.0F
                      : site == n_                 ? theta[p_.shape.bias() + unit]
                                                   : theta[unit * n_ + site];
      weights().at(unit, site) = static_cast<std::uint16_t>(pack(w, 0.0F));
    }
    for (int c = 0; c < 2; ++c) {
      const float* from = p_.mixes[c] + static_cast<std::int64_t>(e_) * n_ * n_;
      for (int i = thread_; i < kSites * kSites; i += kGroup) {
        const int site = i / kSites, mode = mode_at(i % kSites);
        mixing(c).at(site, i % kSites) =
            static_cast<std::uint16_t>(pack(site < n_ && mode < n_ ? from[site * n_ + mode] : 0.0F, 0.0F));
      }
    }
    if constexpr (kReadout)
      for (int k = thread_; k < plan_.units + 1; k += kGroup)
        readout(memory_)[k] = k < units()        ? parameters_[p_.shape.readout() + k]
                              : k == plan_.units ? parameters_[p_.shape.offset()]
                                                 : 0.0F;
    show_to_products();
    wait_for_block();
    if (p_.blocks > 1) wait_for_cluster();
  }
  /// Which ε stands at a column of A: a thread has four in a row, of one counter, two at each of its two places.
  __device__ static int mode_at(int column) {
    const int in_step = column % 16;
    return column / 16 * 16 + in_step % 8 / 2 * 4 + in_step / 8 * 2 + in_step % 2;
  }

  __device__ void forget() {
    fresh_ = true;
    if constexpr (kReadout) {
#pragma unroll
      for (int panel = 0; panel < kPanels; ++panel) readout_slopes_[panel][0] = readout_slopes_[panel][1] = 0;
      offset_slope_ = 0;
    }
  }

  /// Class, and first row of that class in a batch.
  struct Piece {
    int c, row;
  };
  __device__ Piece piece(int tile) const {
    const int of_first = p_.tiles_of_first();
    return tile < of_first ? Piece{0, tile * kTileRows} : Piece{1, (tile - of_first) * kTileRows};
  }
  /// The address of row i of the two that a thread draws.
  __device__ Row row(const Piece& piece, int i) const {
    const int in_batch = (piece.c == 0 ? 0 : p_.rows_of[0]) + piece.row + first_row_ + 8 * i;
    return {seed_, p_.first_step + static_cast<std::uint64_t>(step_), static_cast<std::uint32_t>(in_batch),
            math::Purpose::training};
  }

  /// What a thread has of a tile before it has its place: Y, and √V of its two rows.
  struct Draft {
    float y[kSites / 2];
    float radii[2] = {1, 1};
  };
  /// A tile of samples, in its place when all have seen the one before; while the last product of that runs, ε is drawn. One place to wait for each kind of law: Y
  /// need not outlive a choice, which would cost registers.
  __device__ void draw(int tile) {
    const Piece here = piece(tile);
    const Law& law = member_.laws[here.c];
    if (law.kind == Recipe::Kind::pulse) {
      wait_for_all();
      draw_pulses(here, law);
    } else {
      Draft draft;
      mix(here, law, draft);
      wait_for_all();
      place(law, draft);
    }
    if (n_ % 8 != 0 || n_ / 8 < kWritten) {  // else nobody has written over it
      wait_for_warp();
      if (lane_ < 16) x().at(16 * warp_ + lane_, n_) = kHalfOne;
    }
    show_to_products();
  }
  __device__ void wait_for_all() const {
    wait_for_products<0>();
    wait_for_block();
  }
  __device__ void mix(const Piece& here, const Law& law, Draft& draft) const {
    std::uint32_t z[kSites / 4];
    draw_normals(here, z);
    if (law.radius != Recipe::Radius::none) {
#pragma unroll
      for (int i = 0; i < 2; ++i)
        draft.radii[i] = law.radius == Recipe::Radius::shell ? shell(z, i) : of_bits(own(here, i));
    }
    begin_products();
    multiply<kSites, kSites / 16>(draft.y, z, mixing(here.c));
    end_products();
    wait_for_products<0>();
  }
  /// ε as A, a step being sixteen of them.
  __device__ void draw_normals(const Piece& here, std::uint32_t* z) const {
    const int counters = (n_ + 3) / 4;
    const Row rows[2] = {row(here, 0), row(here, 1)};
#pragma unroll
    for (int s = 0; s < kSites / 16; s += 2) {
      const int left = counters - 4 * s;
      if (s + 1 < kSites / 16 && left > 6) {
        draw_steps<2>(rows, s, z + 4 * s);
        continue;
      }
      draw_few(rows, left, s, z + 4 * s);
      if (s + 1 < kSites / 16) draw_few(rows, left - 4, s + 1, z + 4 * s + 4);
    }
  }
  __device__ void draw_few(const Row* rows, int left, int s, std::uint32_t* z) const {
    if (left > 2) {
      draw_steps<1>(rows, s, z);
    } else if (left > 0) {
      draw_half_step(rows, s, z);
    } else {
      z[0] = z[1] = z[2] = z[3] = 0;
    }
  }
  template <int kSteps>
  __device__ void draw_steps(const Row* rows, int s, std::uint32_t* z) const {
    Words words[2 * kSteps];
#pragma unroll
    for (int i = 0; i < 2 * kSteps; ++i)
      words[i] = rows[i % 2].address(static_cast<std::uint32_t>(4 * (s + i / 2) + lane_ % 4));
    philox(words, static_cast<std::uint32_t>(seed_), static_cast<std::uint32_t>(seed_ >> 32));
#pragma unroll
    for (int i = 0; i < 2 * kSteps; ++i) {
      z[i / 2 * 4 + i % 2] = quick_normals(words[i].w[0], words[i].w[1]);
      z[i / 2 * 4 + i % 2 + 2] = quick_normals(words[i].w[2], words[i].w[3]);
    }
  }
  /// Where at most two counters are left, half of the threads draw the other row.
  __device__ void draw_half_step(const Row* rows, int s, std::uint32_t* z) const {
    const int q = lane_ % 4;
    Words words[1] = {(q < 2 ? rows[0] : rows[1]).address(static_cast<std::uint32_t>(4 * s + q % 2))};
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
    return quick_root(static_cast<float>(n_) * quick_inverse(sum));
  }
  __device__ std::uint32_t own(const Piece& here, int i) const {
    const std::int64_t in_batch = (here.c == 0 ? 0 : p_.rows_of[0]) + here.row + first_row_ + 8 * i;
    const std::int64_t last = p_.shape.rows - 1;
    return p_.own[(step_ * p_.shape.members + e_) * p_.shape.rows + (in_batch < last ? in_batch : last)];
  }
  /// X of √V Y.
  __device__ void place(const Law& law, const Draft& draft) const {
    const Tile to = x();
    const float *y = draft.y, *radii = draft.radii;
    const auto put = [&](auto shape) {
#pragma unroll
      for (int j = 0; j < kSites / 8; ++j) {
        if (j >= kWritten && 8 * j >= n_) break;
#pragma unroll
        for (int r = 0; r < 2; ++r) {
          const float first = shape(y[4 * j + 2 * r], radii[r]),
                      second = shape(y[4 * j + 2 * r + 1], radii[r]);
          to.pair(16 * warp_ + 8 * r, 8 * j, lane_) = pack(first, second);
        }
      }
    };
    const auto within = [](float v) { return fminf(fmaxf(v, -kLargestHalf), kLargestHalf); };
    if (law.map == Recipe::Map::erf && law.radius == Recipe::Radius::none)
      put([erf = QuickErf(law.gain, law.factor)](float v, float) { return erf(v); });
    else if (law.map == Recipe::Map::erf)
      put([erf = QuickErf(law.gain, law.factor)](float v, float radius) { return erf(radius * v); });
    else if (law.map == Recipe::Map::sign)
      put([&](float v, float) { return copysignf(law.factor, v); });
    else
      put([&](float v, float radius) { return within(radius * v); });
  }
  __device__ void draw_pulses(const Piece& here, const Law& law) const {
    const Tile to = x();
    for (int r = 0; r < 2; ++r) {
      const Pulse pulse(own(here, r));
      for (int j = 0; j < kWritten || 8 * j < n_; ++j) {
        const int site = 8 * j + 2 * (lane_ % 4);
        to.pair(16 * warp_ + 8 * r, 8 * j, lane_) =
            pack(pulse.at(site, n_, law.off), pulse.at(site + 1, n_, law.off));
      }
    }
  }

  /// Forward, loss, and the last product, which is under way when this returns.
  __device__ void see(int tile) {
    std::uint32_t bent[kPanels][16];
    std::uint32_t slope;
    if constexpr (kBend == Bend::relu && !kReadout) {
      slope = rectify(tile, bent);
      weigh(bent, nullptr, slope);
    } else {
      std::uint32_t values[kReadout ? kPanels : 1][16];
      slope = bend(tile, bent, values);
      weigh(bent, values, slope);
    }
    begin_products();
#pragma unroll
    for (int panel = 0; panel < kPanels; ++panel)
      add_product<kSites, 4>(slopes_[panel], bent[panel], x(), !fresh_);
    end_products();
    fresh_ = false;
  }
  /// Of rectified units H itself is kept, for its signs, and is summed in halves, as what it is made of is halves: over a warp's units, thirty-two or sixteen of them.
  __device__ std::uint32_t rectify(int tile, std::uint32_t (&bent)[kPanels][16]) {
    begin_products();
#pragma unroll
    for (int panel = 0; panel < kPanels; ++panel)
      multiply<kSites / 16>(bent[panel], weights().down_by(64 * panel), x());
    end_products();
    wait_for_products<0>();
    std::uint32_t sums[8];
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      sums[j] = plus(positive_part(bent[0][2 * j]), positive_part(bent[0][2 * j + 1]));
#pragma unroll
      for (int panel = 1; panel < kPanels; ++panel)
        sums[j] =
            plus(sums[j], plus(positive_part(bent[panel][2 * j]), positive_part(bent[panel][2 * j + 1])));
    }
    halve<4, 16>(sums);
    halve<2, 8>(sums);
    halve<1, 4>(sums);
    return slopes_of_losses(tile, first_of(sums[0]), second_of(sums[0]));
  }
  __device__ std::uint32_t bend(int tile, std::uint32_t (&bent)[kPanels][16], std::uint32_t (*values)[16]) {
    float sums[16];
#pragma unroll
    for (float& sum : sums) sum = 0;
#pragma unroll
    for (int panel = 0; panel < kPanels; ++panel) {
      float h[32];
      begin_products();
      multiply<kSites / 16>(h, weights().down_by(64 * panel), x());
      end_products();
      wait_for_products<0>();
      float share[2] = {1, 1};
      if constexpr (kReadout) {
#pragma unroll
        for (int r = 0; r < 2; ++r) share[r] = readout(memory_)[64 * panel + first_row_ + 8 * r];
      }
#pragma unroll
      for (int m = 0; m < 16; ++m) {
        const ValueAndSlope a = quick_activated<kBend>(p_.unit, h[2 * m], p_.shape.beta);
        const ValueAndSlope b = quick_activated<kBend>(p_.unit, h[2 * m + 1], p_.shape.beta);
        bent[panel][m] = pack(a.slope, b.slope);
        float &first = sums[m / 2 * 2], &second = sums[m / 2 * 2 + 1];
        if constexpr (kReadout) {
          values[panel][m] = pack(a.value, b.value);
          first = fmaf(share[m % 2], a.value, first);
          second = fmaf(share[m % 2], b.value, second);
        } else {
          first += a.value;
          second += b.value;
        }
      }
    }
    halve<8, 16>(sums);
    halve<4, 8>(sums);
    halve<2, 4>(sums);
    return slopes_of_losses(tile, sums[0], sums[1]);
  }
  /// The sums of two threads, of which each keeps half.
  template <int kHalf, int kBit, class T>
  __device__ void halve(T* sums) const {
    const bool upper = (lane_ & kBit) != 0;
#pragma unroll
    for (int i = 0; i < kHalf; ++i) {
      const T mine = upper ? sums[i + kHalf] : sums[i], theirs = upper ? sums[i] : sums[i + kHalf];
      sums[i] = plus(mine, of_lane_across(theirs, kBit));
    }
  }
  /// dL/dŷ of samples 2·lane and the next, from sums over the units of a warp.
  __device__ std::uint32_t slopes_of_losses(int tile, float first, float second) {
    float* parts = reinterpret_cast<float*>(memory_ + plan_.parts()) + tile % 2 * 4 * kTileRows;
    float* mine = parts + warp_ * kTileRows + 2 * lane_;
    mine[0] = first;
    mine[1] = second;
    wait_for_block();
    const Piece here = piece(tile);
    const float share = kReadout ? 1.0F : 1.0F / static_cast<float>(units());
    float slopes[2];
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      float sum = 0;
      for (int w = 0; w < 4; ++w) sum += parts[w * kTileRows + 2 * lane_ + i];
      if (kBend == Bend::any && !kReadout && p_.unit == Unit::sigmoid)
        sum -= 0.5F * static_cast<float>(plan_.units - units());  // those that are not there
      float output = share * sum;
      if constexpr (kReadout) output += readout(memory_)[plan_.units];
      const LossNumbers loss{p_.loss, 1, member_.midpoint};
      const bool there = here.row + 2 * lane_ + i < p_.rows_of[here.c];
      slopes[i] = there ? loss.slope(&output, 0, member_.laws[here.c].label, 0.0F) : 0.0F;
    }
    if constexpr (kReadout) offset_slope_ += slopes[0] + slopes[1];
    return pack(slopes[0], slopes[1]);
  }
  /// σ'(h) dL/dŷ in place of σ'(h).
  __device__ void weigh(std::uint32_t (&bent)[kPanels][16],
                        [[maybe_unused]] const std::uint32_t (*values)[16], std::uint32_t slope) {
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      const std::uint32_t both = of_lane(slope, 4 * j + lane_ % 4);
#pragma unroll
      for (int panel = 0; panel < kPanels; ++panel) {
#pragma unroll
        for (int r = 0; r < 2; ++r) {
          std::uint32_t& here = bent[panel][2 * j + r];
          here = kBend == Bend::relu ? where_open(here, both) : times(here, both);
          if constexpr (kReadout) {
            const std::uint32_t value = values[panel][2 * j + r];
            readout_slopes_[panel][r] = fmaf(first_of(both), first_of(value), readout_slopes_[panel][r]);
            readout_slopes_[panel][r] = fmaf(second_of(both), second_of(value), readout_slopes_[panel][r]);
          }
        }
      }
    }
  }

  /// What a worker's tiles came to, added to those before; and from 0 again. A block of a cluster is one worker, and the first of its own.
  __device__ void keep(int tile) {
    wait_for_products<0>();
    const bool first = p_.blocks > 1 || tile < p_.tiles_of_worker;
    float4* total = totals();
    if (first) {
#pragma unroll
      for (int k = 0; k < kCores; ++k) total[k * kGroup] = slopes(k);
    } else {
#pragma unroll
      for (int k = 0; k < kCores; ++k) total[k * kGroup] = plus(total[k * kGroup], slopes(k));
    }
    if constexpr (kReadout) keep_readout(first);
    forget();
  }
  __device__ float4 slopes(int k) const {
    const float* s = slopes_[k / (kSites / 8)] + 4 * (k % (kSites / 8));
    return make_float4(s[0], s[1], s[2], s[3]);
  }
  __device__ static float4 plus(const float4& a, const float4& b) {
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
  }
  __device__ static float plus(float a, float b) { return a + b; }
  __device__ static std::uint32_t plus(std::uint32_t a, std::uint32_t b) { return cuda::plus(a, b); }
  __device__ void keep_readout(bool first) {
    float* kept = readout_sums(memory_);
    const auto add = [&](int k, float value) { kept[k] = first ? value : kept[k] + value; };
#pragma unroll
    for (int panel = 0; panel < kPanels; ++panel) {
#pragma unroll
      for (int r = 0; r < 2; ++r) {
        float sum = readout_slopes_[panel][r];
        sum += of_lane_across(sum, 1);
        sum += of_lane_across(sum, 2);
        if (lane_ % 4 == 0) add(64 * panel + first_row_ + 8 * r, sum);
      }
    }
    float sum = offset_slope_;
    for (int mask = 1; mask < 32; mask *= 2) sum += of_lane_across(sum, mask);
    if (thread_ == 0) add(plan_.units, sum);
  }
  __device__ void keep_nothing() {
    float4* total = totals();
    for (int k = 0; k < kCores; ++k) total[k * kGroup] = make_float4(0, 0, 0, 0);
    if constexpr (kReadout)
      for (int k = thread_; k < plan_.units + 1; k += kGroup) readout_sums(memory_)[k] = 0;
  }

  __device__ void descend() {
    switch (p_.rule) {
      case Rule::sgd:
        return descend_by<Rule::sgd>();
      case Rule::momentum:
        return descend_by<Rule::momentum>();
      case Rule::rmsprop:
        return descend_by<Rule::rmsprop>();
      case Rule::adam:
        return descend_by<Rule::adam>();
    }
  }
  /// Every thread moves what it has the derivatives of; of a cluster, every block a share.
  template <Rule kRule>
  __device__ void descend_by() {
    const gpu::SharedNumbers& now = p_.steps[step_];
    const Descent<kRule> descent(p_.rule_numbers,
                                 {member_.rate * now.share, now.first_share, now.second_share});
    const float of_row = 1.0F / static_cast<float>(p_.shape.rows);
    const float of_unit = of_row / static_cast<float>(units());
    if (kReadout || p_.blocks > 1) wait_for_workers();
#pragma unroll 2
    for (int k = rank_; k < kCores; k += p_.blocks) {
      const float4 sum = over_cluster(k);
      const int panel = k / (kSites / 8), site = k % (kSites / 8) * 8 + 2 * (lane_ % 4);
      const float sums[4] = {sum.x, sum.y, sum.z, sum.w};
      std::uint32_t halves[2];
#pragma unroll
      for (int r = 0; r < 2; ++r) {
        const int unit = 64 * panel + first_row_ + 8 * r;
        const bool there = unit < units();
        float factor = of_unit;
        if constexpr (kReadout) factor = of_row * readout(memory_)[unit];
        const float first = there ? move(descent, unit, site, factor * sums[2 * r]) : 0.0F;
        const float second = there ? move(descent, unit, site + 1, factor * sums[2 * r + 1]) : 0.0F;
        halves[r] = pack(first, second);
      }
#pragma unroll
      for (int r = 0; r < 2; ++r) {
        std::uint32_t* here = &weights().pair(64 * panel + 16 * warp_ + 8 * r, site, lane_);
        if (p_.blocks == 1) *here = halves[r];
        for (int b = 0; p_.blocks > 1 && b < p_.blocks; ++b) *in_block(here, b) = halves[r];
      }
    }
    if constexpr (kReadout) descend_readout(descent, of_row);
    if (p_.blocks > 1)
      show_cluster_to_products();
    else
      show_to_products();
    wait_for_workers();
    if (p_.blocks > 1) show_to_products();  // what others wrote here
  }
  __device__ void wait_for_workers() const {
    if (p_.blocks > 1)
      wait_for_cluster();
    else
      wait_for_block();
  }
  __device__ float4 over_cluster(int k) const {
    if (p_.blocks == 1) return totals()[k * kGroup];
    if (p_.blocks == 8) return over<8>(k);
    if (p_.blocks == 16) return over<16>(k);
    float4 sum = in_block(totals(), 0)[k * kGroup];
    for (int block = 1; block < p_.blocks; ++block) sum = plus(sum, in_block(totals(), block)[k * kGroup]);
    return sum;
  }
  /// All at once on their way.
  template <int kAtOnce>
  __device__ float4 over(int k) const {
    float4 parts[kAtOnce];
#pragma unroll
    for (int block = 0; block < kAtOnce; ++block) parts[block] = in_block(totals(), block)[k * kGroup];
#pragma unroll
    for (int block = 1; block < kAtOnce; ++block) parts[0] = plus(parts[0], parts[block]);
    return parts[0];
  }
  /// One parameter along its derivative.
  template <Rule kRule>
  __device__ float move_at(const Descent<kRule>& descent, int at, float derivative) const {
    constexpr int kKept = kMemories<kRule>;
    float first = 0, second = 0, theta = parameters_[at];
    if constexpr (kKept > 0) first = p_.first_memory[of_member_ + at];
    if constexpr (kKept > 1) second = p_.second_memory[of_member_ + at];
    descent.move(derivative, theta, first, second);
    if constexpr (kKept > 0) p_.first_memory[of_member_ + at] = first;
    if constexpr (kKept > 1) p_.second_memory[of_member_ + at] = second;
    parameters_[at] = theta;
    return theta;
  }
  template <Rule kRule>
  __device__ float move(const Descent<kRule>& descent, int unit, int site, float derivative) const {
    if (site > n_) return 0;
    if (site < n_) return move_at(descent, unit * n_ + site, derivative);
    const int at = units() * n_ + unit;
    return p_.shape.learns_bias ? move_at(descent, at, derivative) : parameters_[at];
  }
  /// a and c, when every unit has moved by the a of before.
  template <Rule kRule>
  __device__ void descend_readout(const Descent<kRule>& descent, float of_row) const {
    wait_for_workers();
    for (int k = thread_ + rank_ * kGroup; k < plan_.units + 1; k += p_.blocks * kGroup) {
      if (k >= units() && k < plan_.units) continue;
      float sum = readout_sums(memory_)[k];
      for (int worker = 0; worker < p_.blocks && p_.blocks > 1; ++worker) {
        const float more = readout_sums(in_block(memory_, worker))[k];
        sum = worker == 0 ? more : sum + more;
      }
      const float moved =
          move_at(descent, static_cast<int>(p_.shape.readout()) + min_of(k, units()), of_row * sum);
      for (int b = 0; b < p_.blocks; ++b) readout(in_block(memory_, p_.blocks > 1 ? b : rank_))[k] = moved;
    }
  }

  const FusedNumbers& p_;
  SharedPlan plan_;
  int rank_, e_;
  const MemberNumbers& member_;  // in shared memory
  std::uint64_t seed_;
  std::int64_t of_member_;
  float* parameters_;
  int n_, thread_, warp_, lane_;
  int first_row_;  // of the two that a thread has of a tile of D; the other is eight below
  std::uint8_t* memory_;
  int step_ = 0;
  float slopes_[kPanels][kSites / 2];  // ∂, of a worker's tiles
  float readout_slopes_[kPanels][2];
  float offset_slope_ = 0;
  bool fresh_ = true;  // ∂ is of no tile yet
};

template <Bend kBend, int kSites, int kPanels, bool kReadout, int kBlocks>
__global__ void __launch_bounds__(kGroup, kBlocks) train_fused(FusedNumbers numbers, SharedPlan plan) {
#ifdef SLUICE_TENSOR_CORES
  FusedTraining<kBend, kSites, kPanels, kReadout>(numbers, plan).run();
#endif
}

}  // namespace sluice::cuda
