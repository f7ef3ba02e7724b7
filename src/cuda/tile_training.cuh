/// Training of networks with one hidden layer on tiles of samples that were drawn ahead (drawn_tiles.cuh), one kernel for as many steps: products of a tile run on tensor cores
/// (tensor_cores.cuh), operands in half precision, sums in float.
///
///   H [64, units] = (X 1) (W b)'
///   ŷ [64] = σ(H) a                            σ(H) in registers, where H was
///   ∂ [units, n+1] += (σ'(H) · dL/dŷ)' (X 1)   the only one that needs samples of other warps: σ'(H) · dL/dŷ goes through shared memory
///
/// A block of kGroups warpgroups of 128 threads is a network, or one of its parts: every warpgroup has kUnits of its units, and their shares of ŷ are added over the cluster. Weights move in
/// float, in the device's cache; their halves stay in shared memory.
///
/// Sums over a batch do not depend on who computes: tiles are dealt to workers in order, derivatives of each worker's tiles are summed alone, and added worker by worker. A block may
/// be all workers, one after the other; or a cluster of blocks one each, for a network that has the device to itself.
#pragma once

#include "block.cuh"
#include "ensemble_kernels.cuh"
#include "quick.cuh"
#include "tiles.cuh"

namespace sluice::cuda {

/// What one launch does.
struct TrainingNumbers {
  EnsembleShape shape;
  Unit unit;
  gpu::TrainingPlan::Loss loss;
  Rule rule;
  RuleNumbers rule_numbers;
  const MemberNumbers* members;
  const std::uint8_t* tiles;  ///< [step, member, tile]
  const float* labels;        ///< [step, member, row], of one class; null: each has that of its class
  float *parameters, *first_memory, *second_memory;
  /// W, b and what is remembered of them, as threads have their derivatives: [member, which, part, core, thread].
  float4* moving;
  int moving_kinds;
  bool begins, ends;  ///< a stretch: what moves is read from the parameters, and written there
  const gpu::SharedNumbers* steps;
  int step_count;
  Batch batch;
  int tiles_of_worker;
  int workers, parts;  ///< blocks of a cluster that have tiles, or units, of their own: one of them is 1
};

/// Where things lie in shared memory, in bytes.
struct TrainingMemory {
  int sites, units, groups;  ///< units of a warpgroup
  bool readout;              ///< that learns

  /// Tiles of X: one that is read, one of which derivatives are summed, one that comes.
  static constexpr int kSlots = 3;
  __device__ __host__ constexpr int panels() const { return (units + 63) / 64; }
  __device__ __host__ constexpr int columns() const { return 64 * panels(); }
  __device__ __host__ constexpr int threads() const { return kGroup * groups; }

  __device__ __host__ constexpr int x() const { return 0; }
  __device__ __host__ constexpr int weights() const { return kSlots * tile_bytes(sites); }
  __device__ __host__ constexpr int gates() const { return weights() + groups * units * sites * 2; }
  __device__ __host__ constexpr int values() const { return gates() + groups * tile_bytes(columns()); }
  __device__ __host__ constexpr int shares() const {
    return values() + (readout ? groups * tile_bytes(columns()) : 0);
  }
  __device__ __host__ constexpr int readout_numbers() const { return shares() + groups * 8 * columns() * 2; }
  __device__ __host__ constexpr int readout_sums() const {
    return readout_numbers() + (groups * columns() + 4) * 4;
  }
  __device__ __host__ constexpr int offset_sums() const {
    return readout_sums() + (groups * columns() + 4) * 4;
  }
  __device__ __host__ constexpr int outputs() const { return offset_sums() + 16; }
  __device__ __host__ constexpr int arrivals() const {
    return outputs() + 2 * kMostParts * groups * kTileRows * 4;
  }
  __device__ __host__ constexpr int numbers_of_step() const { return arrivals() + 8 * 8; }
  __device__ __host__ constexpr int member() const { return numbers_of_step() + 8 * 4; }
  __device__ __host__ constexpr int totals() const {
    return member() + (static_cast<int>(sizeof(MemberNumbers)) + 15) / 16 * 16;
  }
  /// Cores of sums that a block has: all of them, or where workers are blocks those that it moves, of every worker.
  __device__ __host__ constexpr int own_cores(int blocks) const {
    return (panels() * sites / 8 + blocks - 1) / blocks;
  }
  __device__ __host__ constexpr int held(int blocks) const {
    return totals() + groups * own_cores(blocks) * blocks * kGroup * 16;
  }
  /// Where workers are blocks, each holds what it moves, and what is remembered of it.
  __device__ __host__ constexpr int bytes(bool workers, int blocks, int kinds) const {
    if (blocks > 1) return held(blocks) + groups * own_cores(blocks) * kinds * kGroup * 16;
    return workers ? held(1) : totals();
  }
  static constexpr int kMostParts = 4;
};

/// Units whose kernels are made for them; others choose at every tile.
enum class Bend { relu, erf, any };

template <Bend kBend, int kSites, int kUnits, int kGroups, bool kReadout>
class TileTraining {
 public:
  static constexpr TrainingMemory kMemory{kSites, kUnits, kGroups, kReadout};

  __device__ explicit TileTraining(const TrainingNumbers& numbers)
      : p_(numbers),
        rank_(rank_in_cluster(blocks())),
        e_(cluster_index(blocks())),
        memory_(shared_memory()),
        member_(*reinterpret_cast<const MemberNumbers*>(memory_ + kMemory.member())),
        of_member_(e_ * numbers.shape.parameters),
        n_(static_cast<int>(numbers.shape.inputs)),
        group_(kGroups == 1 ? 0 : thread_in_block() / kGroup),
        thread_(kGroups == 1 ? thread_in_block() : thread_in_block() % kGroup),
        warp_(thread_ / 32),
        lane_(thread_ % 32),
        first_row_(16 * warp_ + lane_ / 4),
        first_unit_((part() * kGroups + group_) * kUnits),
        share_(1.0F / static_cast<float>(numbers.shape.units)),
        of_row_(1.0F / static_cast<float>(numbers.shape.rows)) {}

  __device__ void run() {
    const int tiles = p_.batch.tiles();
    from_ = p_.workers > 1 ? min_of(rank_ * p_.tiles_of_worker, tiles) : 0;
    mine_ = p_.workers > 1 ? min_of(p_.tiles_of_worker, tiles - from_) : tiles;
    left_ = p_.step_count * mine_;
    fetched_.from = p_.tiles + (static_cast<std::int64_t>(e_) * tiles + from_) * tile_bytes(kSites);
    set_up();
    for (step_ = 0; step_ < p_.step_count; ++step_) {
      if (thread_in_block() < kNumbersOfStep)
        number_ = reinterpret_cast<const double*>(p_.steps + step_)[thread_in_block()];
      offset_slope_ = 0;
      if (mine_ == 0) keep_nothing();
      for (int first = 0; first < mine_; first += p_.tiles_of_worker) {
        const int behind = min_of(first + p_.tiles_of_worker, mine_);
        for (int i = first; i < behind; ++i) {
          forward();
          backward(from_ + i, i > first);
        }
        if (behind == mine_) break;
        wait_for_products<0>();
        keep(first == 0);
      }
      descend(mine_ <= p_.tiles_of_worker);
    }
    take_down();
  }

 private:
  static constexpr int kPanels = kMemory.panels();
  static constexpr int kAcross = kSites / 8;  // cores of a row of X
  static constexpr int kCores = kPanels * kAcross;
  static constexpr int kAhead = 6;  // cores that are on their way from memory
  static constexpr int kBiasSite = kSites - 1;
  static constexpr int kSlots = TrainingMemory::kSlots;

  /// kMemory for what is known when it runs.
  __device__ static constexpr TrainingMemory shape() { return kMemory; }
  __device__ static int min_of(int a, int b) { return a < b ? a : b; }
  __device__ int blocks() const { return p_.workers * p_.parts; }
  /// Networks that one warpgroup has room for have but one.
  __device__ int part() const { return kGroups > 1 && p_.parts > 1 ? rank_ : 0; }
  __device__ Tile x(int slot) const {
    return tile_of(memory_ + kMemory.x() + slot * tile_bytes(kSites), kSites);
  }
  __device__ Tile weights() const {
    return tile_of(memory_ + kMemory.weights() + group_ * kUnits * kSites * 2, kSites);
  }
  __device__ Tile gates() const {
    return tile_of(memory_ + kMemory.gates() + group_ * tile_bytes(kMemory.columns()), kMemory.columns());
  }
  __device__ Tile values() const {
    return tile_of(memory_ + kMemory.values() + group_ * tile_bytes(kMemory.columns()), kMemory.columns());
  }
  /// The readout as B' of a product of eight columns: what halves hold of its numbers in even rows, what is left of them in odd ones.
  __device__ Tile shares(std::uint8_t* memory) const {
    return tile_of(memory + kMemory.shares() + group_ * 8 * kMemory.columns() * 2, kMemory.columns());
  }
  /// Of this warpgroup's units; behind those of the last one, the offset.
  __device__ float* readout(std::uint8_t* memory) const {
    return reinterpret_cast<float*>(memory + kMemory.readout_numbers()) + group_ * kMemory.columns();
  }
  __device__ float* readout_sums(std::uint8_t* memory) const {
    return reinterpret_cast<float*>(memory + kMemory.readout_sums()) + group_ * kMemory.columns();
  }
  static constexpr int kOffset = kGroups * kMemory.columns();  // of the first warpgroup's
  /// Shares that warpgroups have in ŷ of a tile, every other time in the same place: [which][part, group][row].
  __device__ float* outputs(int which) const {
    return reinterpret_cast<float*>(memory_ + kMemory.outputs()) +
           which * TrainingMemory::kMostParts * kGroups * kTileRows;
  }
  /// Of X, by slot; of what other blocks send.
  __device__ std::uint64_t* arrival(int which) const {
    return reinterpret_cast<std::uint64_t*>(memory_ + kMemory.arrivals()) + which;
  }
  static constexpr int kOutputs = kSlots, kSums = kSlots + 2, kWeights = kSlots + 3;
  /// What members have in common of a step: it comes from memory while tiles are seen.
  __device__ double* numbers_of_step() const {
    return reinterpret_cast<double*>(memory_ + kMemory.numbers_of_step());
  }
  static constexpr int kNumbersOfStep = static_cast<int>(sizeof(gpu::SharedNumbers) / sizeof(double));
  /// Sums over tiles of this thread's core k, so many numbers behind each other.
  __device__ float4* totals() const {
    return reinterpret_cast<float4*>(memory_ + kMemory.totals()) + group_ * kCores * kGroup + thread_;
  }
  __device__ int units() const { return min_of(kUnits, static_cast<int>(p_.shape.units) - first_unit_); }
  __device__ float* parameters() const { return p_.parameters + of_member_; }
  __device__ float4& moving(int which, int k) const {
    const std::int64_t of_member = static_cast<std::int64_t>(e_) * p_.moving_kinds + which;
    const int of_part = (part() * kGroups + group_) * kCores + k;
    return p_.moving[(of_member * p_.parts * kGroups * kCores + of_part) * kGroup + thread_];
  }
  /// The same of core k of a block that is a worker.
  __device__ float4& held(int which, int k) const {
    const int at = which * shape().own_cores(p_.workers) + k / p_.workers;
    return reinterpret_cast<float4*>(memory_ +
                                     shape().held(p_.workers))[(at * kGroups + group_) * kGroup + thread_];
  }
  /// What a worker's tiles came to for core k, in the block that moves it.
  __device__ float4* sum_of(int worker, int k) const {
    const int at = k / p_.workers * p_.workers + worker;
    return reinterpret_cast<float4*>(memory_ + kMemory.totals()) + (at * kGroups + group_) * kGroup + thread_;
  }
  /// Where a parameter of a unit of this warpgroup's lies behind a member's first; none: −1.
  __device__ int place_of(int unit, int site) const {
    if (unit >= units()) return -1;
    if (site == kBiasSite) return static_cast<int>(p_.shape.bias()) + first_unit_ + unit;
    return site < n_ ? (first_unit_ + unit) * n_ + site : -1;
  }
  /// What a thread has of core k: rows of units, first_row_ and eight below, two sites each.
  __device__ int place_of_core(int k, int i) const {
    return place_of(k / kAcross * 64 + first_row_ + i / 2 * 8, k % kAcross * 8 + 2 * (lane_ % 4) + i % 2);
  }

  /// What moves where it moves, weights as halves, the first tiles on their way.
  __device__ void set_up() {
    static_assert(sizeof(MemberNumbers) % 4 == 0);
    for (int i = thread_in_block(); i < static_cast<int>(sizeof(MemberNumbers) / 4); i += kMemory.threads())
      reinterpret_cast<std::uint32_t*>(memory_ + kMemory.member())[i] =
          reinterpret_cast<const std::uint32_t*>(p_.members + e_)[i];
#pragma unroll
    for (int panel = 0; panel < kPanels; ++panel) {
#pragma unroll
      for (float& each : slopes_[panel]) each = 0;
      for (float& each : readout_slopes_[panel]) each = 0;
    }
    constexpr int kWordsOfTile = tile_bytes(kMemory.columns()) / 4;
    for (int i = thread_; i < kWordsOfTile; i += kGroup) {
      reinterpret_cast<std::uint32_t*>(gates().data)[i] = 0;
      if constexpr (kReadout) reinterpret_cast<std::uint32_t*>(values().data)[i] = 0;
    }
    for (int k = thread_; k < kMemory.columns(); k += kGroup) {
      const float share = k >= units() ? 0.0F
                          : kReadout   ? parameters()[p_.shape.readout() + first_unit_ + k]
                                       : 1.0F;
      put_share(memory_, k, share);
      if constexpr (kReadout) readout(memory_)[k] = share;
    }
    if (thread_in_block() == 0) {
      if constexpr (kReadout) readout(memory_)[kOffset] = parameters()[p_.shape.offset()];
      for (int which = 0; which <= kWeights; ++which) prepare_arrival(arrival(which));
    }
    if (p_.begins) take_up();
    wait_for_workers();
#pragma unroll
    for (int k = 0; k < kCores; ++k) put_halves(k, moving(0, k));
    if (p_.workers > 1) with_own_cores([&](int which, int k) { held(which, k) = moving(which, k); });
    show_to_products();
    wait_for_workers();
    for (int i = 0; i + 1 < kSlots; ++i) fetch_next();
  }
  __device__ void take_down() const {
    if (p_.workers > 1) with_own_cores([&](int which, int k) { moving(which, k) = held(which, k); });
    if (p_.ends)
      with_own_cores([&](int which, int k) {
        const float4 four = moving(which, k);
        const float each[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
        for (int i = 0; i < 4; ++i)
          if (float* parameter = parameter_of(which, k, i)) *parameter = each[i];
      });
    if (blocks() > 1) wait_for_cluster();  // nobody leaves while others read what it has
  }
  __device__ void take_up() const {
    with_own_cores([&](int which, int k) {
      float each[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const float* parameter = parameter_of(which, k, i);
        each[i] = parameter == nullptr ? 0.0F : *parameter;
      }
      moving(which, k) = make_float4(each[0], each[1], each[2], each[3]);
    });
  }
  template <class Visit>
  __device__ void with_own_cores(const Visit& visit) const {
    for (int which = 0; which < p_.moving_kinds; ++which)
      for (int k = p_.workers > 1 ? rank_ : 0; k < kCores; k += p_.workers) visit(which, k);
  }
  /// The i-th of the four that a thread has of core k, or what is remembered of it; null: there is none.
  __device__ float* parameter_of(int which, int k, int i) const {
    float* all = which == 0 ? p_.parameters : which == 1 ? p_.first_memory : p_.second_memory;
    const int at = place_of_core(k, i);
    return at < 0 ? nullptr : all + of_member_ + at;
  }
  __device__ void put_halves(int k, const float4& theta) const {
    with_halves(k, theta, [](std::uint32_t& place, std::uint32_t halves) { place = halves; });
  }
  /// Weights of core k, of units that there are.
  template <class Visit>
  __device__ void with_halves(int k, const float4& theta, const Visit& visit) const {
    const std::uint32_t halves[2] = {pack(theta.x, theta.y), pack(theta.z, theta.w)};
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      const int row = k / kAcross * 64 + 16 * warp_ + 8 * r;
      if (row < kUnits) visit(weights().pair(row, k % kAcross * 8, lane_), halves[r]);
    }
  }
  __device__ void put_share(std::uint8_t* memory, int k, float share) const {
    const std::uint32_t most = pack(share, 0.0F), left = pack(share - first_of(most), 0.0F);
    for (int row = 0; row < 8; ++row)
      shares(memory).at(row, k) = static_cast<std::uint16_t>(row % 2 == 0 ? most : left);
  }

  /// The next tile of all that this block sees, into the slot that was read longest ago.
  __device__ void fetch_next() {
    if (left_ == 0) return;
    --left_;
    if (thread_in_block() == 0)
      fetch(arrival(fetched_.slot), x(fetched_.slot).data, fetched_.from, tile_bytes(kSites));
    if (++fetched_.slot == kSlots) fetched_.slot = 0;
    fetched_.from += tile_bytes(kSites);
    if (++fetched_.tile < mine_) return;
    fetched_.tile = 0;
    fetched_.from += (p_.shape.members * p_.batch.tiles() - mine_) * tile_bytes(kSites);
  }

  /// σ(H), σ'(H), and what they come to in ŷ, of the tile that comes next.
  __device__ void forward() {
    wait_for_arrival(arrival(slot_), round_);
    float h[kPanels][32], outputs[kPanels][4];
    begin_forward(x(slot_), h);
    bend(h, outputs);
    wait_for_products<0>();
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      sums_[r] = outputs[0][2 * r] + outputs[0][2 * r + 1];
#pragma unroll
      for (int panel = 1; panel < kPanels; ++panel)
        sums_[r] += outputs[panel][2 * r] + outputs[panel][2 * r + 1];
    }
    if constexpr (kGroups > 1) add_over_groups();
  }
  /// Loss, and the last product, which is under way when this returns.
  __device__ void backward(int tile, bool add) {
    const Batch::Piece here = p_.batch.piece(tile);
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      const float slope = slope_of_loss(here, r, sums_[r]);
      offset_slope_ += slope;
      const std::uint32_t both = pack(slope, slope);
#pragma unroll
      for (int m = r; m < kWords; m += 2) {
        if constexpr (kReadout) kept_[m] = times(kept_[m], both);
        gates_[m] = times(gates_[m], both);
      }
    }
    if constexpr (kReadout) {
#pragma unroll
      for (int s = 0; s < kWords / 4; ++s) store_cores(values(), 16 * warp_, 16 * s, lane_, kept_ + 4 * s);
    }
#pragma unroll
    for (int s = 0; s < kWords / 4; ++s) store_cores(gates(), 16 * warp_, 16 * s, lane_, gates_ + 4 * s);
    if (thread_in_block() < kNumbersOfStep) numbers_of_step()[thread_in_block()] = number_;
    show_to_products();
    if constexpr (kGroups == 1)
      wait_for_block();
    else
      wait_for_group(group_);
    fetch_next();  // into the slot of the tile before: its products are done, as everybody has waited for later ones
    const Tile samples = x(slot_);
    begin_products();
#pragma unroll
    for (int panel = 0; panel < kPanels; ++panel) {
      multiply_across<kSites, 4>(slopes_[panel], gates().right_by(64 * panel), samples, add);
      if constexpr (kReadout)
        multiply_across<8, 4>(readout_slopes_[panel], values().right_by(64 * panel),
                              samples.right_by(kSites - 8), add);
    }
    end_products();
    if (++slot_ == kSlots) {
      slot_ = 0;
      ++round_;
    }
  }
  static constexpr int kWords = (kUnits + 15) / 16 * 4;  // of two units each, that a thread has of a tile's

  /// Units of a panel, and steps of sixteen that they make.
  __device__ __host__ static constexpr int units_of(int panel) {
    return kUnits - 64 * panel < 64 ? kUnits - 64 * panel : 64;
  }
  __device__ __host__ static constexpr int steps_of(int panel) { return (units_of(panel) + 15) / 16; }
  /// H of all panels, one after the other.
  template <int kPanel = 0>
  __device__ void begin_forward(const Tile& samples, float (*h)[32]) const {
    begin_products();
    multiply<units_of(kPanel), kSites / 16>(h[kPanel], samples, weights().down_by(64 * kPanel));
    end_products();
    if constexpr (kPanel + 1 < kPanels) begin_forward<kPanel + 1>(samples, h);
  }
  /// Panel by panel: products of the others are under way.
  template <int kPanel = 0>
  __device__ void bend(float (*h)[32], float (*outputs)[4]) {
    wait_for_products<kPanels - 1>();
    std::uint32_t values_here[4 * steps_of(kPanel)];
    bend_panel<units_of(kPanel)>(h[kPanel], values_here, gates_ + 16 * kPanel);
    if constexpr (kReadout) {
#pragma unroll
      for (int m = 0; m < 4 * steps_of(kPanel); ++m) kept_[16 * kPanel + m] = values_here[m];
    }
    begin_products();
    multiply<8, steps_of(kPanel)>(outputs[kPanel], values_here, shares(memory_).right_by(64 * kPanel));
    end_products();
    if constexpr (kPanel + 1 < kPanels) bend<kPanel + 1>(h, outputs);
  }
  /// Of so many units; of those that fill up sixteen, nothing.
  template <int kHere>
  __device__ void bend_panel(const float* h, std::uint32_t* values, std::uint32_t* slopes) const {
    const auto all = [&](auto activated) {
#pragma unroll
      for (int m = 0; m < kHere / 4; ++m) {
        const ValueAndSlope a = activated(h[2 * m]), b = activated(h[2 * m + 1]);
        values[m] = pack(a.value, b.value);
        slopes[m] = pack(a.slope, b.slope);
      }
    };
    if constexpr (kBend == Bend::relu) {
#pragma unroll
      for (int m = 0; m < kHere / 4; ++m) {
        values[m] = pack_positive_parts(h[2 * m], h[2 * m + 1]);
        slopes[m] = whether_positive(values[m]);
      }
    } else if constexpr (kBend == Bend::erf) {
      all([](float v) -> ValueAndSlope {
        return {quick_erf_of_four(0.17677669529663688F * v),
                quick_exp2(fmaf(-0.72134752044448170F, v * v, -0.32574806473616186F))};
      });
    } else {
      switch (p_.unit) {
        case Unit::tanh:
          all([](float v) -> ValueAndSlope {
            const float value = fmaf(2.0F, quick_sigmoid(2 * v), -1.0F);
            return {value, fmaf(-value, value, 1.0F)};
          });
          break;
        case Unit::sigmoid:
          all([](float v) -> ValueAndSlope {
            const float gate = quick_sigmoid(v);
            return {gate, gate * (1 - gate)};
          });
          break;
        case Unit::soft_relu:
          all([beta = p_.shape.beta](float v) -> ValueAndSlope {
            const float gate = quick_sigmoid(beta * v);
            return {v * gate, fmaf(beta * v, gate * (1 - gate), gate)};
          });
          break;
        default:
          all([](float v) -> ValueAndSlope { return {v, 1.0F}; });
      }
    }
#pragma unroll
    for (int m = kHere / 4; m < (kHere + 15) / 16 * 4; ++m) values[m] = slopes[m] = 0;
  }
  /// Sums of a thread's two rows over the units of all warpgroups, of all parts.
  __device__ void add_over_groups() {
    const int which = exchanges_ % 2, all = p_.parts * kGroups;
    float* here = outputs(which) + (part() * kGroups + group_) * kTileRows + first_row_;
    if (p_.parts > 1) {
      std::uint64_t* arrived = arrival(kOutputs + which);
      if (thread_in_block() == 0) expect(arrived, all * kTileRows * 4);
      for (int b = 0; b < p_.parts && lane_ % 4 == 0; ++b) {
        push(arrived, here, sums_[0], b);
        push(arrived, here + 8, sums_[1], b);
      }
      wait_for_arrival(arrived, exchanges_ / 2);
    } else {  // nobody can be sent anything by a block that is no cluster's
      if (lane_ % 4 == 0) {
        here[0] = sums_[0];
        here[8] = sums_[1];
      }
      wait_for_block();
    }
    ++exchanges_;
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      const float* of_groups = outputs(which) + first_row_ + 8 * r;
      sums_[r] = of_groups[0];
      for (int i = 1; i < all; ++i) sums_[r] += of_groups[i * kTileRows];
    }
  }
  /// dL/dŷ of row r of a thread's two.
  __device__ float slope_of_loss(const Batch::Piece& here, int r, float sum) const {
    const float output =
        kReadout ? sum + reinterpret_cast<const float*>(memory_ + kMemory.readout_numbers())[kOffset]
                 : share_ * sum;
    const int row = here.row + first_row_ + 8 * r, last = p_.batch.rows_of[here.c] - 1;
    const bool there = row <= last;
    float label = member_.laws[here.c].label;
    if (p_.labels != nullptr)
      label = p_.labels[(step_ * p_.shape.members + e_) * p_.shape.rows + min_of(row, last)];
    if (p_.loss == LossNumbers::Kind::half_squared) return there ? output - label : 0.0F;
    const LossNumbers loss{p_.loss, 1, member_.midpoint};
    return there ? loss.slope(&output, 0, label, 0.0F) : 0.0F;
  }

  /// What a worker's tiles came to, added to those before.
  __device__ void keep(bool first) {
#pragma unroll
    for (int k = 0; k < kCores; ++k)
      totals()[k * kGroup] = first ? slopes(k) : plus(totals()[k * kGroup], slopes(k));
    if constexpr (kReadout) keep_readout(first);
  }
  __device__ float4 slopes(int k) const {
    const float* t = slopes_[k / kAcross] + 4 * (k % kAcross);
    return make_float4(t[0], t[1], t[2], t[3]);
  }
  __device__ static float4 plus(const float4& a, const float4& b) {
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
  }
  /// Derivatives by the readout stand at the site of the bias.
  __device__ void keep_readout(bool first) {
    const auto add = [&](float& kept, float value) { kept = first ? value : kept + value; };
#pragma unroll
    for (int panel = 0; panel < kPanels; ++panel) {
#pragma unroll
      for (int r = 0; r < 2; ++r)
        if (lane_ % 4 == 3)
          add(readout_sums(memory_)[64 * panel + first_row_ + 8 * r], readout_slopes_[panel][2 * r + 1]);
    }
    float sum = offset_slope_;  // four threads have the same, and warpgroups too
    offset_slope_ = 0;
    for (int mask = 4; mask < 32; mask *= 2) sum += of_lane_across(sum, mask);
    float* of_warps = reinterpret_cast<float*>(memory_ + kMemory.offset_sums());
    if (group_ == 0 && lane_ == 0) of_warps[warp_] = sum;
    wait_for_block();
    if (group_ == 0 && thread_ == 0)
      add(readout_sums(memory_)[kOffset], of_warps[0] + of_warps[1] + of_warps[2] + of_warps[3]);
    wait_for_block();
  }

  /// A block of a cluster that has no tiles: nothing was ever added to its derivatives.
  __device__ void keep_nothing() const {
    if (thread_in_block() < kNumbersOfStep) numbers_of_step()[thread_in_block()] = number_;
    wait_for_block();
    if constexpr (kReadout)
      for (int k = thread_; k < kMemory.columns() + 4; k += kGroup) readout_sums(memory_)[k] = 0;
  }

  /// When the last worker's tiles have been seen; it may be the first, too. Every thread moves what it has the derivatives of; where workers are blocks, every block a share.
  __device__ void descend(bool first) {
    float4 thetas[kAhead];  // on their way while products are, and then while others move
    if (p_.workers == 1) {
#pragma unroll
      for (int k = 0; k < kAhead; ++k) thetas[k] = moving(0, k);
    }
    wait_for_products<0>();
    if (p_.workers == 1) {
      if constexpr (kReadout) keep_readout(first);
    } else {
      if (kReadout && mine_ > 0) keep_readout(true);
      send_sums();
    }
    switch (p_.rule) {
      case Rule::sgd:
        return descend_by<Rule::sgd>(first, thetas);
      case Rule::momentum:
        return descend_by<Rule::momentum>(first, thetas);
      case Rule::rmsprop:
        return descend_by<Rule::rmsprop>(first, thetas);
      case Rule::adam:
        return descend_by<Rule::adam>(first, thetas);
    }
  }
  template <Rule kRule>
  __device__ void descend_by(bool first, float4* thetas) {
    const double* now = numbers_of_step();
    const Descent<kRule> descent(p_.rule_numbers, {member_.rate * now[0], now[1], now[2]});
    if (p_.workers == 1) {
#pragma unroll
      for (int k = 0; k < kCores; ++k) {
        const float4 sum = first ? slopes(k) : plus(totals()[k * kGroup], slopes(k));
        const float4 before = thetas[k % kAhead];
        if (k + kAhead < kCores) thetas[k % kAhead] = moving(0, k + kAhead);
        put_halves(
            k, move_core(descent, k, sum, before, [&](int which) -> float4& { return moving(which, k); }));
      }
    } else {
      if (rank_ < kCores) wait_for_arrival(arrival(kSums), step_);
      for (int k = rank_; k < kCores; k += p_.workers) {
        const float4 theta = move_core(descent, k, over_workers(k), held(0, k),
                                       [&](int which) -> float4& { return held(which, k); });
        for (int b = 0; b < p_.workers; ++b) send_halves(k, theta, b);
      }
    }
    if constexpr (kReadout) descend_readout(descent);
    if (p_.workers > 1) {
      wait_for_arrival(arrival(kWeights), step_);
      if constexpr (kReadout) show_cluster_to_products();
    }
    show_to_products();
    if (kReadout && p_.workers > 1) {
      wait_for_cluster();
      show_to_products();  // what others wrote here
    } else {
      wait_for_block();
    }
  }
  /// To those that move the cores. A step's can be sent when weights of the step before have come from everybody: what is written over has been read.
  __device__ void send_sums() const {
    if (thread_in_block() == 0) {
      const int own = rank_ < kCores ? (kCores - rank_ + p_.workers - 1) / p_.workers : 0;
      if (own > 0) expect(arrival(kSums), own * p_.workers * kGroups * kGroup * 16);
      expect(arrival(kWeights), kGroups * kUnits * kSites * 2);
    }
#pragma unroll
    for (int k = 0; k < kCores; ++k) push(arrival(kSums), sum_of(rank_, k), slopes(k), k % p_.workers);
  }
  __device__ void send_halves(int k, const float4& theta, int block) const {
    with_halves(k, theta, [&](std::uint32_t& place, std::uint32_t halves) {
      push(arrival(kWeights), &place, halves, block);
    });
  }
  __device__ float4 over_workers(int k) const {
    float4 sum = *sum_of(0, k);
#pragma unroll 8
    for (int worker = 1; worker < p_.workers; ++worker) sum = plus(sum, *sum_of(worker, k));
    return sum;
  }
  __device__ void wait_for_workers() const {
    if (blocks() > 1)
      wait_for_cluster();
    else
      wait_for_block();
  }
  /// Core k, and what is remembered of it, at `place`.
  template <Rule kRule, class Place>
  __device__ float4 move_core(const Descent<kRule>& descent, int k, const float4& sum, const float4& before,
                              const Place& place) const {
    constexpr int kKept = kMemories<kRule>;
    float factors[2];
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      const int unit = 64 * (k / kAcross) + first_row_ + 8 * r;
      factors[r] = of_row_ * (kReadout ? readout(memory_)[unit] : share_);
      if (unit >= units()) factors[r] = 0;
    }
    float4 theta = before, first{}, second{};
    if constexpr (kKept > 0) first = place(1);
    if constexpr (kKept > 1) second = place(2);
    descent.move(factors[0] * sum.x, theta.x, first.x, second.x);
    descent.move(factors[0] * sum.y, theta.y, first.y, second.y);
    descent.move(factors[1] * sum.z, theta.z, first.z, second.z);
    descent.move(factors[1] * sum.w, theta.w, first.w, second.w);
    if (k % kAcross == kAcross - 1 && lane_ % 4 == 3 && !p_.shape.learns_bias) {
      theta.y = before.y;
      theta.w = before.w;
    }
    place(0) = theta;
    if constexpr (kKept > 0) place(1) = first;
    if constexpr (kKept > 1) place(2) = second;
    return theta;
  }
  /// a and c, when every unit has moved by the a of before.
  template <Rule kRule>
  __device__ void descend_readout(const Descent<kRule>& descent) const {
    wait_for_workers();
    for (int k = thread_ + (p_.workers > 1 ? rank_ : 0) * kGroup; k < units(); k += p_.workers * kGroup) {
      const float theta = move_readout(descent, k, first_unit_ + k);
      for (int b = 0; b < p_.workers; ++b) {
        std::uint8_t* memory = in_block(memory_, p_.workers > 1 ? b : rank_);
        readout(memory)[k] = theta;
        put_share(memory, k, theta);
      }
    }
    if (thread_in_block() != 0 || rank_ != 0) return;
    const float offset = move_readout(descent, kOffset, static_cast<int>(p_.shape.units));
    for (int b = 0; b < p_.workers; ++b)
      readout(in_block(memory_, p_.workers > 1 ? b : rank_))[kOffset] = offset;
  }
  /// The number that stands there among the sums, `place` behind the first of the readout's.
  template <Rule kRule>
  __device__ float move_readout(const Descent<kRule>& descent, int k, int place) const {
    constexpr int kKept = kMemories<kRule>;
    float sum = readout_sums(memory_)[k];
    for (int worker = 0; worker < p_.workers && p_.workers > 1; ++worker) {
      const float more = readout_sums(in_block(memory_, worker))[k];
      sum = worker == 0 ? more : sum + more;
    }
    const std::int64_t at = of_member_ + p_.shape.readout() + place;
    float first = 0, second = 0, theta = p_.parameters[at];
    if constexpr (kKept > 0) first = p_.first_memory[at];
    if constexpr (kKept > 1) second = p_.second_memory[at];
    descent.move(of_row_ * sum, theta, first, second);
    if constexpr (kKept > 0) p_.first_memory[at] = first;
    if constexpr (kKept > 1) p_.second_memory[at] = second;
    p_.parameters[at] = theta;
    return theta;
  }

  const TrainingNumbers& p_;
  int rank_, e_;
  std::uint8_t* memory_;
  const MemberNumbers& member_;  // in shared memory
  std::int64_t of_member_;
  int n_, group_, thread_, warp_, lane_;
  int first_row_;            // of the two that a thread has of a tile of D; the other is eight below
  int first_unit_;           // of this warpgroup's
  float share_, of_row_;     // of a unit in the mean of units, of a sample in that of a batch
  int from_ = 0, mine_ = 0;  // tiles of this block
  int step_ = 0, slot_ = 0, round_ = 0, exchanges_ = 0;
  double number_ = 0;  // of the step's, of some threads
  std::uint32_t gates_[kMemory.columns() / 4], kept_[kReadout ? kMemory.columns() / 4 : 1];
  float sums_[2];
  struct {
    const std::uint8_t* from;
    int tile = 0, slot = 0;
  } fetched_{};                        // the one that is fetched next
  int left_ = 0;                       // to be fetched
  float slopes_[kPanels][kSites / 2];  // ∂, of a worker's tiles
  float readout_slopes_[kPanels][4];
  float offset_slope_ = 0;
};

template <Bend kBend, int kSites, int kUnits, int kGroups, bool kReadout, int kBlocks>
__global__ void __launch_bounds__(kGroup* kGroups, kBlocks)
    train_on_tiles(const __grid_constant__ TrainingNumbers numbers) {
#ifdef SLUICE_TENSOR_CORES
  TileTraining<kBend, kSites, kUnits, kGroups, kReadout>(numbers).run();
#endif
}

}  // namespace sluice::cuda
