/// Training of networks with one hidden layer on tiles of samples that were drawn ahead (drawn_tiles.cuh), one kernel for as many steps: products of a tile run on tensor cores
/// (tensor_cores.cuh), operands in half precision, sums in float.
///
///   H [64, units] = (X 1) (W b)'
///   ŷ [64] = σ(H) a                            σ(H) in registers, where H was
///   ∂ [units, n+1] += (σ'(H) · dL/dŷ)' (X 1)   the only one that needs samples of other warps: σ'(H) · dL/dŷ goes through shared memory
///
/// `precision = "fast"`: units are D's rows, and in halves, so that σ'(H) · dL/dŷ is A of the last product where it is; what has to come together is ŷ.
///
///   H' [units, 64] = (W b) (X 1)'
///   ŷ' [64] = a' σ(H')
///   ∂ [units, n+1] += (σ'(H') · dL/dŷ) (X 1)
///
/// A block of kGroups warpgroups of 128 threads is a network, or one of its parts: every warpgroup has kUnits of its units, and their shares of ŷ are added over the cluster. Weights move in
/// float, in the device's cache; their halves stay in shared memory.
///
/// Where a network has the device to itself, it is a cluster of blocks, workers, to which tiles are dealt in order: each moves some of the weights by what all have summed.
#pragma once

#include "block.cuh"
#include "ensemble_kernels.cuh"
#include "quick.cuh"
#include "quick_samples.cuh"
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
  std::uint64_t first_step;   ///< of the run, as quick samples know it
  const std::uint8_t* mixes;  ///< of quick samples: C of the classes as tiles, [member, class] (tile_mixes)
  Batch batch;
  int workers, parts;  ///< blocks of a cluster that have tiles, or units, of their own: one of them is 1
  int log_of_workers;  ///< to base 2, a whole number
  int cores_of_part;   ///< of units: eights, the last of which may have fewer
};

/// Where things lie in shared memory, in bytes.
struct TrainingMemory {
  int sites, units, groups;  ///< units of a warpgroup
  bool readout;              ///< that learns
  bool fast = false;         ///< one warpgroup, whole panels of units

  /// Where a block has several warpgroups, there is room for units of two tiles: those of the next one are found while others send their shares of ŷ of this one.
  __device__ __host__ constexpr bool ahead() const { return groups > 1 && !readout && sites <= 112; }
  /// Tiles of X: one or two that are read, one of which derivatives are summed, others that come.
  __device__ __host__ constexpr int slots() const { return ahead() ? 5 : fast ? 2 : 3; }
  __device__ __host__ constexpr int panels() const { return (units + 63) / 64; }
  __device__ __host__ constexpr int columns() const { return 64 * panels(); }
  __device__ __host__ constexpr int threads() const { return kGroup * groups; }

  __device__ __host__ constexpr int x() const { return 0; }
  __device__ __host__ constexpr int weights() const { return slots() * tile_bytes(sites); }
  __device__ __host__ constexpr int gates() const { return weights() + groups * units * sites * 2; }
  __device__ __host__ constexpr int values() const {
    return gates() + (fast ? 0 : groups * tile_bytes(columns()));
  }
  __device__ __host__ constexpr int shares() const {
    return values() + (readout ? groups * tile_bytes(columns()) : 0);
  }
  __device__ __host__ constexpr int readout_numbers() const {
    return shares() + (fast ? 0 : groups * 8 * columns() * 2);
  }
  __device__ __host__ constexpr int readout_sums() const {
    return readout_numbers() + (groups * columns() + 4) * 4;
  }
  __device__ __host__ constexpr int offset_sums() const {
    return readout_sums() + (groups * columns() + 4) * 4;
  }
  __device__ __host__ constexpr int outputs() const { return offset_sums() + 16; }
  __device__ __host__ constexpr int arrivals() const {
    return outputs() + (fast          ? 4 * kTileRows * 2 + sites * 2  // of warps, and of all samples
                        : groups == 1 ? 0
                                      : kTurns * most_parts() * groups * kTileRows * 4);
  }
  __device__ __host__ constexpr int numbers_of_step() const { return arrivals() + 12 * 8; }
  __device__ __host__ constexpr int mixes() const { return numbers_of_step() + groups * 8 * 4; }
  __device__ __host__ constexpr int member() const { return mixes() + (fast ? 2 * sites * sites * 2 : 0); }
  __device__ __host__ constexpr int sums() const {
    return member() + (static_cast<int>(sizeof(MemberNumbers)) + 15) / 16 * 16;
  }
  /// A strip: sixteen units, which one warp has the sums of; [core, lane] of four numbers.
  __device__ __host__ constexpr int strips_of_group() const { return (units + 15) / 16; }
  __device__ __host__ constexpr int strip_bytes() const { return sites / 8 * 32 * 16; }
  /// That a worker moves, at most.
  __device__ __host__ constexpr int own_strips(int workers) const {
    return (groups * strips_of_group() + workers - 1) / workers;
  }
  /// A worker has the sums of all workers for the strips that it moves, these, and what is remembered of them.
  __device__ __host__ constexpr int bytes(int workers, int kinds) const {
    return sums() + (workers > 1 ? (workers + kinds) * own_strips(workers) * strip_bytes() : 0);
  }
  /// Outputs that are sent while those of tiles before are read: who sends a tile's has seen what others sent two tiles before, which they did when they had read what they were sent
  /// four tiles before.
  static constexpr int kTurns = 4;
  __device__ __host__ constexpr int most_parts() const { return readout ? 1 : 4; }
};

/// Units whose kernels are made for them; others choose at every tile.
enum class Bend { relu, erf, any };

template <Bend kBend, int kSites, int kUnits, int kGroups, bool kReadout, int kFast>
class TileTraining {
 public:
  static constexpr TrainingMemory kMemory{kSites, kUnits, kGroups, kReadout, kFast > 0};
  static_assert(kFast == 0 || (kGroups == 1 && !kReadout && kUnits % 64 == 0));

  __device__ explicit TileTraining(const TrainingNumbers& numbers)
      : p_(numbers),
        rank_(rank_in_cluster(blocks())),
        e_(cluster_index(blocks())),
        n_(static_cast<int>(numbers.shape.inputs)),
        group_(group_of_thread()),
        thread_(kGroups == 1 ? thread_in_block() : thread_in_block() % kGroup),
        warp_(thread_ >> 5),
        lane_(thread_ & 31),
        first_row_(16 * warp_ + (lane_ >> 2)),
        samples_(numbers.members[e_].seed, thread_, shared_memory() + kMemory.mixes()),
        share_(1.0F / static_cast<float>(numbers.shape.units)),
        of_row_(1.0F / static_cast<float>(numbers.shape.rows)),
        turns_(2 * static_cast<unsigned>(min_of(numbers.batch.first_tiles,
                                                numbers.batch.tiles() - numbers.batch.first_tiles))) {
    if constexpr (kFast > 0) {
      float above = 1;
      while (above < static_cast<float>(numbers.shape.units)) above *= 2;
      of_sums_ = two_of(1 / above);
      of_slopes_ = static_cast<float>(numbers.shape.units) / above;
      of_row_ /= of_slopes_;
    }
  }

  __device__ void run() {
    const int tiles = p_.batch.tiles(), of_worker = (tiles + p_.workers - 1) >> p_.log_of_workers;
    from_ = p_.workers > 1 ? min_of(rank_ * of_worker, tiles) : 0;
    mine_ = min_of(of_worker, tiles - from_);
    set_up();
    for (step_ = 0; step_ < p_.step_count; ++step_) {
      if (thread_of_numbers() < kNumbersOfStep)
        number_ = reinterpret_cast<const double*>(p_.steps + step_)[thread_of_numbers()];
      offset_slope_ = 0;
      if (mine_ > 0)
        see_tiles();
      else
        see_nothing();
      descend();
    }
    take_down();
  }

 private:
  using Samples = QuickSamples<kFast, (kFast > 0) ? kSites : 16>;
  /// σ' of a relu is half its sign and a half: derivatives are twice as large, less what all samples come to.
  static constexpr bool kSigns = kFast > 0 && kBend == Bend::relu;
  /// What H is times: erf(h/√2) is that of four times h/√32, and its slope √(2/π) e^{−16 (h/√32)²}.
  static constexpr float kOfH = kBend == Bend::erf ? 0.17677669529663688F : 1.0F;
  static constexpr float kLog2OfSlope = -23.083120654223414F, kLog2OfFirstSlope = -0.32574806473616186F;
  static constexpr int kPanels = kMemory.panels();
  /// Three warpgroups that wait for each other at every tile, and whose units take most of it: they have as many units each, add σ(H) up where it is found (of no unit it is 0), see tiles by
  /// twos and wait for each other's ŷ alone, not for each other at the end of a step. Together that is 7 % of a step of (100, 300).
  static constexpr bool kCrowded = kBend == Bend::erf && kMemory.ahead() && kPanels == 1;
  static constexpr int kAcross = kSites / 8;  // cores of a row of X
  static constexpr int kCores = kPanels * kAcross;
  static constexpr int kAhead = kFast > 0 ? 3 : 6;  // cores that are on their way from memory
  static constexpr int kBiasSite = kSites - 1;
  static constexpr int kSlots = kMemory.slots();
  static constexpr bool kAheadOne = kMemory.ahead();

  static constexpr int kStripsOfGroup = kMemory.strips_of_group();
  static constexpr int kStrips = kGroups * kStripsOfGroup;
  static constexpr int kWords = (kUnits + 15) / 16 * 4;  // of two units each, that a thread has of a tile's

  __device__ static int min_of(int a, int b) { return a < b ? a : b; }
  __device__ static int group_of_thread() {
    if constexpr (kGroups == 1) return 0;
    const int group = thread_in_block() / kGroup;
    // Asked of the first lane, so that the compiler knows that a warp has but one, and keeps what follows from it once.
    return kCrowded ? static_cast<int>(of_lane(static_cast<std::uint32_t>(group), 0)) : group;
  }
  __device__ int blocks() const { return p_.workers * p_.parts; }
  __device__ static const MemberNumbers& member() {
    return *reinterpret_cast<const MemberNumbers*>(shared_memory() + kMemory.member());
  }
  /// Where the parameters of this member begin.
  __device__ std::int64_t of_member() const { return e_ * p_.shape.parameters; }
  /// Networks that one warpgroup has room for have but one.
  __device__ int part() const { return kGroups > 1 && p_.parts > 1 ? rank_ : 0; }
  __device__ Tile x(int slot) const {
    return tile_of(shared_memory() + kMemory.x() + slot * tile_bytes(kSites), kSites);
  }
  __device__ Tile weights(int group) const {
    return tile_of(shared_memory() + kMemory.weights() + group * kUnits * kSites * 2, kSites);
  }
  __device__ Tile slopes_tile() const {
    return tile_of(shared_memory() + kMemory.gates() + group_ * tile_bytes(kMemory.columns()),
                   kMemory.columns());
  }
  __device__ Tile values() const {
    return tile_of(shared_memory() + kMemory.values() + group_ * tile_bytes(kMemory.columns()),
                   kMemory.columns());
  }
  /// The readout as B' of a product of eight columns: what halves hold of its numbers in even rows, what is left of them in odd ones.
  __device__ Tile shares(std::uint8_t* memory) const {
    return tile_of(memory + kMemory.shares() + group_ * 8 * kMemory.columns() * 2, kMemory.columns());
  }
  /// Of a warpgroup's units; behind those of the last one, the offset.
  __device__ float* readout(std::uint8_t* memory, int group) const {
    return reinterpret_cast<float*>(memory + kMemory.readout_numbers()) + group * kMemory.columns();
  }
  __device__ float* readout_sums(std::uint8_t* memory) const {
    return reinterpret_cast<float*>(memory + kMemory.readout_sums()) + group_ * kMemory.columns();
  }
  static constexpr int kOffset = kGroups * kMemory.columns();  // of the first warpgroup's
  /// Shares that warpgroups have in ŷ of a tile, [part, group, pair of a thread's rows], every fourth time in the same place.
  __device__ float2* outputs(unsigned turn) const {
    return reinterpret_cast<float2*>(shared_memory() + kMemory.outputs()) +
           turn % kTurns * kMostParts * kGroups * kPairs;
  }
  static constexpr int kPairs = kTileRows / 2;
  static constexpr int kMostParts = kMemory.most_parts();
  /// Of X, by slot; of what other blocks send.
  __device__ std::uint64_t* arrival(int which) const {
    return reinterpret_cast<std::uint64_t*>(shared_memory() + kMemory.arrivals()) + which;
  }
  static constexpr unsigned kTurns = TrainingMemory::kTurns;
  static constexpr int kOutputs = kSlots, kSums = kSlots + TrainingMemory::kTurns, kWeights = kSums + 1;
  /// What members have in common of a step: it comes from memory while tiles are seen. Crowded warpgroups have it each for itself.
  __device__ double* numbers_of_step() const {
    return reinterpret_cast<double*>(shared_memory() + kMemory.numbers_of_step()) +
           (kCrowded ? 4 * group_ : 0);
  }
  __device__ int thread_of_numbers() const { return kCrowded ? thread_ : thread_in_block(); }
  static constexpr int kNumbersOfStep = static_cast<int>(sizeof(gpu::SharedNumbers) / sizeof(double));
  static_assert(kNumbersOfStep <= 4);
  __device__ void put_numbers_of_step() const {
    if (thread_of_numbers() < kNumbersOfStep) numbers_of_step()[thread_of_numbers()] = number_;
  }
  __device__ float* parameters() const { return p_.parameters + of_member(); }

  /// Four numbers of a network, of which one thread has the derivatives: units 64·(k/kAcross) + 16·warp + lane/4 of a warpgroup's and the one eight below, two sites each.
  struct Core {
    int group, k, warp, lane;

    __device__ int unit(int r) const { return k / kAcross * 64 + 16 * warp + lane / 4 + 8 * r; }
    __device__ int site(int i) const { return k % kAcross * 8 + 2 * (lane % 4) + i; }
  };
  __device__ Core core(int k) const { return {group_, k, warp_, lane_}; }
  /// Where a warpgroup's units begin, and how many they may be. Eights are dealt to crowded ones, to the first ones one more than to others.
  __device__ int first_unit(int group) const {
    if constexpr (!kCrowded) return (part() * kGroups + group) * kUnits;
    const int each = p_.cores_of_part / kGroups, more = p_.cores_of_part % kGroups;
    return 8 * (part() * p_.cores_of_part + group * each + min_of(group, more));
  }
  __device__ int room(int group) const {
    if constexpr (!kCrowded) return kUnits;
    return 8 * (p_.cores_of_part / kGroups + (group < p_.cores_of_part % kGroups ? 1 : 0));
  }
  __device__ int units(int group) const {
    return min_of(room(group), static_cast<int>(p_.shape.units) - first_unit(group));
  }
  __device__ float4& moving(int which, const Core& core) const {
    const std::int64_t of_kind = static_cast<std::int64_t>(e_) * p_.moving_kinds + which;
    const int of_part = (part() * kGroups + core.group) * kCores + core.k;
    return p_.moving[(of_kind * p_.parts * kGroups * kCores + of_part) * kGroup + 32 * core.warp + core.lane];
  }
  /// Where a parameter of a core lies behind a member's first; none: −1.
  __device__ int place_of(const Core& core, int r, int i) const {
    const int unit = core.unit(r), site = core.site(i), first = first_unit(core.group);
    if (unit >= units(core.group)) return -1;
    if (site == kBiasSite) return static_cast<int>(p_.shape.bias()) + first + unit;
    return site < n_ ? (first + unit) * n_ + site : -1;
  }

  /// A worker moves some strips: number r, where r is its rank, r + workers, …, the j-th of which is cores i from j·kItems on.
  static constexpr int kItems = kAcross * 32;
  template <class Visit>
  __device__ void with_own_strips(const Visit& visit) const {
    for (int strip = rank_, j = 0; strip < kStrips; strip += p_.workers, ++j) visit(strip, j);
  }
  template <class Visit>
  __device__ void with_own_items(const Visit& visit) const {
    with_own_strips([&](int strip, int j) {
      const int group = strip / kStripsOfGroup, in_group = strip % kStripsOfGroup;
      for (int i = thread_in_block(); i < kItems; i += kMemory.threads())
        visit(Core{group, in_group / 4 * kAcross + i / 32, in_group % 4, i % 32}, j * kItems + i);
    });
  }
  __device__ int own_strips() const { return (kStrips + p_.workers - 1) >> p_.log_of_workers; }
  __device__ float4& held(int which, int i) const {
    return reinterpret_cast<float4*>(shared_memory() +
                                     kMemory.sums())[(p_.workers + which) * own_strips() * kItems + i];
  }
  /// What a worker's tiles came to for item i of the block that moves it.
  __device__ float4* sum_of(int worker, int i) const {
    return reinterpret_cast<float4*>(shared_memory() + kMemory.sums()) + worker * own_strips() * kItems + i;
  }
  __device__ static int rows_of_strip(int strip) {
    return min_of(16, kUnits - 16 * (strip % kStripsOfGroup));
  }

  /// What moves where it moves, weights as halves, the first tiles on their way.
  __device__ void set_up() {
    static_assert(sizeof(MemberNumbers) % 4 == 0);
    for (int i = thread_in_block(); i < static_cast<int>(sizeof(MemberNumbers) / 4); i += kMemory.threads())
      reinterpret_cast<std::uint32_t*>(shared_memory() + kMemory.member())[i] =
          reinterpret_cast<const std::uint32_t*>(p_.members + e_)[i];
#pragma unroll
    for (int panel = 0; panel < kPanels; ++panel) {
      if constexpr (kFast > 0) {
#pragma unroll
        for (std::uint32_t& each : slope_words_[panel]) each = 0;
      } else {
#pragma unroll
        for (float& each : slopes_[panel]) each = 0;
        for (float& each : readout_slopes_[panel]) each = 0;
      }
    }
    constexpr int kWordsOfTile = kFast > 0 ? 0 : tile_bytes(kMemory.columns()) / 4;
    for (int i = thread_; i < kWordsOfTile; i += kGroup) {
      reinterpret_cast<std::uint32_t*>(slopes_tile().data)[i] = 0;
      if constexpr (kReadout) reinterpret_cast<std::uint32_t*>(values().data)[i] = 0;
    }
    for (int k = thread_; k < (kFast > 0 ? 0 : kMemory.columns()); k += kGroup) {
      const float share = k >= units(group_) ? 0.0F
                          : kReadout         ? parameters()[p_.shape.readout() + first_unit(group_) + k]
                                             : 1.0F;
      put_share(shared_memory(), k, share);
      if constexpr (kReadout) readout(shared_memory(), group_)[k] = share;
    }
    if (thread_in_block() == 0) {
      if constexpr (kReadout) readout(shared_memory(), 0)[kOffset] = parameters()[p_.shape.offset()];
      for (int which = 0; which <= kWeights; ++which) prepare_arrival(arrival(which));
    }
    if (p_.begins) take_up();
    wait_for_workers();
#pragma unroll
    for (int k = 0; k < kCores; ++k) put_halves(core(k), moving(0, core(k)));
    if (p_.workers > 1) {
      for (int which = 0; which < p_.moving_kinds; ++which)
        with_own_items([&](const Core& core, int i) { held(which, i) = moving(which, core); });
    }
    show_to_products();
    wait_for_workers();
    if constexpr (kFast > 0)
      draw_first();
    else
      for (int i = 0; i < kSlots - kDone; ++i) fetch_tile(0, i, i);
  }
  __device__ void draw_first() {
    const auto* from =
        reinterpret_cast<const uint4*>(p_.mixes + static_cast<std::int64_t>(e_) * Samples::kMixBytes);
    for (int i = thread_; i < Samples::kMixBytes / 16; i += kGroup)
      reinterpret_cast<uint4*>(shared_memory() + kMemory.mixes())[i] = from[i];
    auto* words = reinterpret_cast<std::uint32_t*>(shared_memory() + kMemory.outputs());
    words[thread_] = kOfAngles;
    show_to_products();
    wait_for_block();
    samples_.hold(words[thread_ ^ 1]);
    step_ = -1;
    draw_behind(mine_);
    wait_for_products<0>();
    put_drawn(Samples::shape_of(law_of(tile_)));
  }
  __device__ void take_down() const {
    if (p_.workers > 1) {
      for (int which = 0; which < p_.moving_kinds; ++which)
        with_own_items([&](const Core& core, int i) { moving(which, core) = held(which, i); });
    }
    if (p_.ends)
      with_own_cores([&](int which, const Core& core) {
        const float4 four = moving(which, core);
        const float each[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
        for (int i = 0; i < 4; ++i)
          if (float* parameter = parameter_of(which, core, i)) *parameter = each[i];
      });
    if (blocks() > 1) wait_for_cluster();  // nobody leaves while others read what it has
  }
  __device__ void take_up() const {
    with_own_cores([&](int which, const Core& core) {
      float each[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const float* parameter = parameter_of(which, core, i);
        each[i] = parameter == nullptr ? 0.0F : *parameter;
      }
      moving(which, core) = make_float4(each[0], each[1], each[2], each[3]);
    });
  }
  template <class Visit>
  __device__ void with_own_cores(const Visit& visit) const {
    for (int which = 0; which < p_.moving_kinds; ++which) {
      if (p_.workers == 1)
        for (int k = 0; k < kCores; ++k) visit(which, core(k));
      else
        with_own_items([&](const Core& core, int) { visit(which, core); });
    }
  }
  /// The i-th of the four numbers of a core, or what is remembered of it; null: there is none.
  __device__ float* parameter_of(int which, const Core& core, int i) const {
    float* all = which == 0 ? p_.parameters : which == 1 ? p_.first_memory : p_.second_memory;
    const int at = place_of(core, i / 2, i % 2);
    return at < 0 ? nullptr : all + of_member() + at;
  }
  /// Weights of a core, of units that there are.
  __device__ void put_halves(const Core& core, const float4& theta) const {
    const std::uint32_t halves[2] = {pack(kOfH * theta.x, kOfH * theta.y),
                                     pack(kOfH * theta.z, kOfH * theta.w)};
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      const int row = core.k / kAcross * 64 + 16 * core.warp + 8 * r;
      if (row < kUnits) weights(core.group).pair(row, core.k % kAcross * 8, core.lane) = halves[r];
    }
  }
  __device__ void put_share(std::uint8_t* memory, int k, float share) const {
    const std::uint32_t most = pack(share, 0.0F), left = pack(share - first_of(most), 0.0F);
    for (int row = 0; row < 8; ++row)
      shares(memory).at(row, k) = static_cast<std::uint16_t>(row % 2 == 0 ? most : left);
  }

  /// Tile i of this block's, counted from those of a step on, into a slot that nobody reads.
  __device__ void fetch_tile(int step, int i, int slot) const {
    if (thread_in_block() != 0 || mine_ == 0) return;
    for (; i >= mine_; i -= mine_) ++step;
    if (step >= p_.step_count) return;
    const std::int64_t of_step = step * p_.shape.members + e_;
    fetch(arrival(slot), x(slot).data,
          p_.tiles + (of_step * p_.batch.tiles() + from_ + i) * tile_bytes(kSites), tile_bytes(kSites));
  }

  /// The next tile that is not there, into a slot whose products are done in every warp: that of the tile before tile i, as this block has waited for products behind them; or where
  /// units of the next tile are found first that of the one before it, as what all know of tile i was sent behind them.
  static constexpr int kDone = kAheadOne ? 2 : 1;
  __device__ void fetch_behind(int i) const {
    fetch_tile(step_, i + kSlots - kDone, (seen_ + kSlots - kDone) % kSlots);
  }

  /// All tiles of a step.
  __device__ void see_tiles() {
    if constexpr (kFast > 0) {
      see_tiles_fast();
    } else if constexpr (!kAheadOne) {
      for (int i = 0; i < mine_; ++i) {
        forward(gates_);
        backward(i, gates_);
      }
    } else {
      std::uint32_t other[kMemory.columns() / 4];
      forward(gates_);
      if (p_.parts == 1) wait_for_block();
      int i = 0;
      for (; kCrowded && i + 2 < mine_; i += 2) {  // σ' of a tile stays in the registers where it was found
        forward(other);
        backward(i, gates_);
        forward(gates_);
        backward(i + 1, other);
      }
      for (; i + 1 < mine_; ++i) {
#pragma unroll
        for (int m = 0; m < kWords; ++m) other[m] = gates_[m];
        forward(gates_);
        backward(i, other);
      }
      put_numbers_of_step();
      wait_for_products<0>();  // σ' of the tile before is still read
      wait_for_own();
      backward(mine_ - 1, gates_);
    }
  }
  /// σ(H), σ'(H), and what they come to in ŷ, of the tile that comes next.
  __device__ void forward(std::uint32_t* gates) {
    wait_for_arrival(arrival(slot_), round_);
    float h[kPanels][32], outputs[kPanels][4];
    begin_forward(x(slot_), h);
    bend(h, outputs, gates);
    wait_for_products<0>();
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      sums_[r] = outputs[0][2 * r] + outputs[0][2 * r + 1];
#pragma unroll
      for (int panel = 1; panel < kPanels; ++panel)
        sums_[r] += outputs[panel][2 * r] + outputs[panel][2 * r + 1];
    }
    if constexpr (kGroups > 1) share_outputs();
    if (++slot_ == kSlots) {
      slot_ = 0;
      ++round_;
    }
  }
  /// While products are under way, the next tile is drawn.
  __device__ void see_tiles_fast() {
    put_numbers_of_step();
    for (int i = 0; i < mine_; ++i) {
      const int tile = tile_, slot = slot_;
      wait_for_products<0>();
      wait_for_block();  // X has come
      begin_products();
#pragma unroll
      for (int panel = 0; panel < kPanels; ++panel)
        multiply<64, kSites / 16>(units_ + 16 * panel, weights(0).down_by(64 * panel), x(slot));
      end_products();
      draw_behind(i);
      wait_for_products<1>();
      std::uint32_t* of_warps =
          reinterpret_cast<std::uint32_t*>(shared_memory() + kMemory.outputs()) + 4 * lane_;
      of_warps[warp_] = bend_units();
      const std::uint32_t there = which_are_there(tile),
                          less_labels = two_of(-of_slopes_ * law_of(tile).label);
      wait_for_block();
      const uint4 all = *reinterpret_cast<const uint4*>(of_warps);
      const std::uint32_t both =
          slopes_of_pair(tile, less_labels, added(added(all.x, all.y), added(all.z, all.w))) & there;
      std::uint32_t of_pairs[8];
#pragma unroll
      for (int j = 0; j < 8; ++j) of_pairs[j] = of_four(both, j);
#pragma unroll
      for (int m = 0; m < 16 * kPanels; ++m) bend_slope(m, of_pairs[m % 16 / 2]);
      const typename Samples::Shape shape = Samples::shape_of(law_of(tile_));
      begin_products();
#pragma unroll
      for (int panel = 0; panel < kPanels; ++panel)
        multiply_behind<kSites, 4>(slope_words_[panel], gates_ + 16 * panel, x(slot), i > 0);
      end_products();
      wait_for_products<1>();
      put_drawn(shape);
    }
  }
  /// Of samples 2·lane and the next of a tile.
  __device__ std::uint32_t which_are_there(int tile) const {
    const int left = p_.batch.rows_from(tile) - 2 * lane_;
    return left > 1 ? ~0U : left > 0 ? 0xFFFFU : 0U;
  }
  __device__ const Law& law_of(int tile) const { return member().laws[p_.batch.class_of(tile)]; }
  /// Their dL/dŷ, times of_slopes_, from sums of units.
  __device__ std::uint32_t slopes_of_pair(int tile, std::uint32_t less_labels, std::uint32_t sums) {
    if (p_.loss == LossNumbers::Kind::half_squared) return times_plus(sums, of_sums_, less_labels);
    sums_[0] = first_of(sums);
    sums_[1] = second_of(sums);
    float slopes[2];
    slopes_of_loss(tile, 2 * lane_, 1, slopes);
    return pack(of_slopes_ * slopes[0], of_slopes_ * slopes[1]);
  }
  /// The tile that a step sees as its i-th: classes take turns, so that sums stay small.
  __device__ int tile_at(unsigned i) const {
    const unsigned first = static_cast<unsigned>(p_.batch.first_tiles);
    return static_cast<int>(i >= turns_ ? i - (first > turns_ / 2 ? turns_ / 2 : 0)
                                        : (i >> 1) + ((i & 1U) == 0 ? 0 : first));
  }
  /// ε of the tile behind this block's i-th, which may be the next step's, and Y under way.
  __device__ void draw_behind(int i) {
    const bool of_step = i + 1 < mine_;
    const auto next = static_cast<unsigned>(from_ + (of_step ? i + 1 : 0));
    tile_ = tile_at(next);
    if (!of_step || samples_.begins(next))
      samples_.begin(p_.first_step + static_cast<std::uint64_t>(step_ + (of_step ? 0 : 1)), next);
    samples_.draw();
    begin_products();
    samples_.mix(p_.batch.class_of(tile_));
    end_products();
  }
  __device__ void put_drawn(const typename Samples::Shape& shape) {
    slot_ ^= 1;
    samples_.put(shape, x(slot_));
    show_to_products();
  }
  /// What all samples come to stands where there is no unit, at the last one.
  __device__ void show_sums() const {
    if (warp_ == 3 && lane_ >= 28) {
#pragma unroll
      for (int c = 0; c < kAcross; ++c) sum_of_samples(c) = slope_words_[kPanels - 1][2 * c + 1];
    }
    wait_for_block();
  }
  __device__ std::uint32_t& sum_of_samples(int c) const {
    return reinterpret_cast<std::uint32_t*>(shared_memory() + kMemory.outputs() +
                                            4 * kTileRows * 2)[4 * c + (lane_ & 3)];
  }
  /// What a warp's units come to in ŷ of two samples, 2·lane and the next.
  __device__ std::uint32_t bend_units() {
    std::uint32_t sums[8];
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      sums[j] = added(bend_pair(2 * j), bend_pair(2 * j + 1));
      if constexpr (kPanels == 2)
        sums[j] = added(sums[j], added(bend_pair(16 + 2 * j), bend_pair(16 + 2 * j + 1)));
    }
    // Over lanes of the same samples, by halves: who has a bit of the lane keeps the second one.
#pragma unroll
    for (int half = 4; half > 0; half /= 2) {
      const bool second = (lane_ & 4 * half) != 0;
#pragma unroll
      for (int j = 0; j < half; ++j) {
        const std::uint32_t kept = second ? sums[j + half] : sums[j],
                            sent = second ? sums[j] : sums[j + half];
        sums[j] = added(kept, of_lane_across(sent, 4 * half));
      }
    }
    return sums[0];
  }
  /// σ of a pair of samples; σ' is kept in `gates_`, but that of relu, which is found when it is needed.
  __device__ std::uint32_t bend_pair(int m) {
    const std::uint32_t h = units_[m];
    if constexpr (kBend == Bend::relu) {
      return positive_parts(h);
    } else if constexpr (kBend == Bend::erf) {
      gates_[m] = quick_exp2s(times_plus(two_of(kLog2OfSlope), times(h, h), two_of(kLog2OfFirstSlope)));
      return quick_erfs_of_four(h);
    } else {
      const float pair[2] = {first_of(h), second_of(h)};
      std::uint32_t values[4], slopes[4];
      bend_panel<4>(pair, values, slopes, nullptr);
      gates_[m] = slopes[0];
      return m / 16 * 64 + first_row_ + m % 2 * 8 < units(0) ? values[0] : 0;
    }
  }
  __device__ void bend_slope(int m, std::uint32_t of_pair) {
    gates_[m] = kSigns ? with_signs_of(units_[m], of_pair) : times(gates_[m], of_pair);
  }
  /// Loss, and the last product, which is under way when this returns.
  __device__ void backward(int i, std::uint32_t* gates) {
    if (kGroups > 1 && !kAheadOne && p_.parts == 1) wait_for_block();
    if constexpr (kGroups > 1) add_over_groups();
    float slopes[2];
    slopes_of_loss(from_ + i, first_row_, 8, slopes);
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      offset_slope_ += slopes[r];
      const std::uint32_t both = pack(slopes[r], slopes[r]);
#pragma unroll
      for (int m = r; m < kWords; m += 2) {
        if constexpr (kReadout) kept_[m] = times(kept_[m], both);
        gates[m] = times(gates[m], both);
      }
    }
    if constexpr (kReadout) {
#pragma unroll
      for (int s = 0; s < kWords / 4; ++s) store_cores(values(), 16 * warp_, 16 * s, lane_, kept_ + 4 * s);
    }
#pragma unroll
    for (int s = 0; s < kWords / 4; ++s) store_cores(slopes_tile(), 16 * warp_, 16 * s, lane_, gates + 4 * s);
    if constexpr (!kAheadOne) put_numbers_of_step();
    show_to_products();
    if (kAheadOne && p_.parts > 1)
      wait_for_group(group_);
    else
      wait_for_block();
    const Tile samples = x(seen_);
    begin_products();
#pragma unroll
    for (int panel = 0; panel < kPanels; ++panel) {
      multiply_across<kSites, 4>(slopes_[panel], slopes_tile().right_by(64 * panel), samples, i > 0);
      if constexpr (kReadout)
        multiply_across<8, 4>(readout_slopes_[panel], values().right_by(64 * panel),
                              samples.right_by(kSites - 8), i > 0);
    }
    end_products();
    fetch_behind(i);
    if (++seen_ == kSlots) seen_ = 0;
  }

  /// Units of a panel, and steps of sixteen that they make.
  __device__ __host__ static constexpr int units_of(int panel) {
    return kUnits - 64 * panel < 64 ? kUnits - 64 * panel : 64;
  }
  __device__ __host__ static constexpr int steps_of(int panel) { return (units_of(panel) + 15) / 16; }
  /// H of all panels, one after the other.
  template <int kPanel = 0>
  __device__ void begin_forward(const Tile& samples, float (*h)[32]) const {
    begin_products();
    multiply<units_of(kPanel), kSites / 16>(h[kPanel], samples, weights(group_).down_by(64 * kPanel));
    end_products();
    if constexpr (kPanel + 1 < kPanels) begin_forward<kPanel + 1>(samples, h);
  }
  /// Panel by panel: products of the others are under way.
  template <int kPanel = 0>
  __device__ void bend(float (*h)[32], float (*outputs)[4], std::uint32_t* gates) {
    wait_for_products<kPanels - 1>();
    std::uint32_t values_here[4 * steps_of(kPanel)], *gates_here = gates + 16 * kPanel;
    // Of the last eight many warpgroups have none (first_unit).
    constexpr int kAll = units_of(kPanel), kFewer = kCrowded ? kAll - 8 : kAll;
    if (kFewer < kAll && units(group_) - 64 * kPanel <= kFewer) {
      bend_panel<kFewer>(h[kPanel], values_here, gates_here, outputs[kPanel]);
#pragma unroll
      for (int m = (kFewer + 15) / 16 * 4; m < 4 * steps_of(kPanel); ++m) values_here[m] = gates_here[m] = 0;
    } else {
      bend_panel<kAll>(h[kPanel], values_here, gates_here, outputs[kPanel]);
    }
    if constexpr (kReadout) {
#pragma unroll
      for (int m = 0; m < 4 * steps_of(kPanel); ++m) kept_[16 * kPanel + m] = values_here[m];
    }
    if constexpr (kCrowded) {
#pragma unroll
      for (int mask = 1; mask < 4; mask *= 2) {
#pragma unroll
        for (int r = 0; r < 2; ++r) outputs[kPanel][2 * r] += of_lane_across(outputs[kPanel][2 * r], mask);
      }
    } else {
      begin_products();
      multiply<8, steps_of(kPanel)>(outputs[kPanel], values_here,
                                    shares(shared_memory()).right_by(64 * kPanel));
      end_products();
    }
    if constexpr (kPanel + 1 < kPanels) bend<kPanel + 1>(h, outputs, gates);
  }
  /// Of so many units; of those that fill up sixteen, nothing. Where values are added, `sums` are those of a thread's two rows, in even places.
  template <int kHere>
  __device__ void bend_panel(const float* h, std::uint32_t* values, std::uint32_t* slopes,
                             float* sums) const {
    const auto all = [&](auto activated) {
      [[maybe_unused]] float added[2][2] = {};
#pragma unroll
      for (int m = 0; m < kHere / 4; ++m) {
        const ValueAndSlope a = activated(h[2 * m]), b = activated(h[2 * m + 1]);
        values[m] = pack(a.value, b.value);
        slopes[m] = pack(a.slope, b.slope);
        if constexpr (kCrowded) {
          added[m % 2][0] += a.value;
          added[m % 2][1] += b.value;
        }
      }
      if constexpr (kCrowded) {
#pragma unroll
        for (int r = 0; r < 2; ++r) {
          sums[2 * r] = added[r][0] + added[r][1];
          sums[2 * r + 1] = 0;
        }
      }
    };
    if constexpr (kBend == Bend::relu) {
#pragma unroll
      for (int m = 0; m < kHere / 4; ++m) {
        values[m] = pack_positive_parts(h[2 * m], h[2 * m + 1]);
        slopes[m] = whether_positive(values[m]);
      }
    } else if constexpr (kBend == Bend::erf) {
      all([](float small) -> ValueAndSlope {
        const float square = within_one(small * small);
        return {quick_erf_of_four(small, square), quick_exp2(fmaf(kLog2OfSlope, square, kLog2OfFirstSlope))};
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
  /// What this warpgroup's units come to in ŷ, for all warpgroups of all parts: four threads have the same, and each sends it to one part.
  __device__ void share_outputs() {
    float2* here = outputs(sent_) + (part() * kGroups + group_) * kPairs + first_row_ % 8 + 8 * warp_;
    const float2 sums = make_float2(sums_[0], sums_[1]);
    const int to = (lane_ & 3);
    if (p_.parts > 1) {
      std::uint64_t* arrived = arrival(kOutputs + static_cast<int>(sent_ % kTurns));
      if (thread_in_block() == 0) expect(arrived, p_.parts * kGroups * kTileRows * 4);
      if (to < p_.parts) push(arrived, here, sums, to);
    } else if (to == 0) {  // nobody can be sent anything by a block that is no cluster's
      *here = sums;
    }
    ++sent_;
  }
  /// Sums of a thread's two rows over all of them.
  __device__ void add_over_groups() {
    if (p_.parts > 1)
      wait_for_arrival(arrival(kOutputs + static_cast<int>(added_ % kTurns)),
                       static_cast<int>(added_ / kTurns));
    const float2* of_groups = outputs(added_) + first_row_ % 8 + 8 * warp_;
    sums_[0] = sums_[1] = 0;
#pragma unroll 2
    for (int part = 0; part < p_.parts; ++part) {
      float2 shares[kGroups];
#pragma unroll
      for (float2& each : shares) {
        each = *of_groups;
        of_groups += kPairs;
      }
#pragma unroll
      for (const float2& each : shares) {
        sums_[0] += each.x;
        sums_[1] += each.y;
      }
    }
    ++added_;
  }
  /// dL/dŷ of two rows of a tile, so many apart; of those that are not there, 0.
  __device__ void slopes_of_loss(int tile, int first_row, int apart, float* slopes) const {
    const int left = p_.batch.rows_from(tile) - first_row;
    float labels[2];
    labels[0] = labels[1] = law_of(tile).label;
    if (p_.labels != nullptr) {
      const int row = tile * kTileRows + first_row, last = p_.batch.rows_of[0] - 1;
#pragma unroll
      for (int r = 0; r < 2; ++r)
        labels[r] =
            p_.labels[(step_ * p_.shape.members + e_) * p_.shape.rows + min_of(row + apart * r, last)];
    }
    const float outputs[2] = {output(sums_[0]), output(sums_[1])};
    if (p_.loss == LossNumbers::Kind::half_squared) {
      slopes[0] = outputs[0] - labels[0];
      slopes[1] = outputs[1] - labels[1];
    } else {
      const LossNumbers loss{p_.loss, 1, member().midpoint};
#pragma unroll
      for (int r = 0; r < 2; ++r) slopes[r] = loss.slope(outputs + r, 0, labels[r], 0.0F);
    }
#pragma unroll
    for (int r = 0; r < 2; ++r)
      if (left <= apart * r) slopes[r] = 0;
  }
  __device__ float output(float sum) const {
    return kReadout
               ? sum + reinterpret_cast<const float*>(shared_memory() + kMemory.readout_numbers())[kOffset]
               : share_ * sum;
  }

  __device__ float4 slopes(int k) const {
    if constexpr (kFast > 0) {
      const std::uint32_t* words = slope_words_[k / kAcross] + 2 * (k % kAcross);
      const float4 sums =
          make_float4(first_of(words[0]), second_of(words[0]), first_of(words[1]), second_of(words[1]));
      if constexpr (!kSigns) return sums;
      const float first = first_of(sum_of_samples(k % kAcross)),
                  second = second_of(sum_of_samples(k % kAcross));
      return make_float4(sums.x + first, sums.y + second, sums.z + first, sums.w + second);
    }
    const float* t = slopes_[k / kAcross] + 4 * (k % kAcross);
    return make_float4(t[0], t[1], t[2], t[3]);
  }
  __device__ static float4 plus(const float4& a, const float4& b) {
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
  }
  /// Derivatives by the readout stand at the site of the bias.
  __device__ void keep_readout() {
#pragma unroll
    for (int panel = 0; panel < kPanels; ++panel) {
#pragma unroll
      for (int r = 0; r < 2; ++r)
        if ((lane_ & 3) == 3)
          readout_sums(shared_memory())[64 * panel + first_row_ + 8 * r] = readout_slopes_[panel][2 * r + 1];
    }
    float sum = offset_slope_;  // four threads have the same, and warpgroups too
    offset_slope_ = 0;
    for (int mask = 4; mask < 32; mask *= 2) sum += of_lane_across(sum, mask);
    float* of_warps = reinterpret_cast<float*>(shared_memory() + kMemory.offset_sums());
    if (group_ == 0 && lane_ == 0) of_warps[warp_] = sum;
    wait_for_block();
    if (group_ == 0 && thread_ == 0)
      readout_sums(shared_memory())[kOffset] = of_warps[0] + of_warps[1] + of_warps[2] + of_warps[3];
    wait_for_block();
  }

  /// A worker that has no tiles: nothing was ever added to its derivatives.
  __device__ void see_nothing() const {
    put_numbers_of_step();
    wait_for_block();
    if constexpr (kReadout)
      for (int k = thread_; k < kMemory.columns() + 4; k += kGroup) readout_sums(shared_memory())[k] = 0;
  }

  /// When all tiles have been seen. Every thread moves what it has the derivatives of; where there are workers, each moves a share.
  __device__ void descend() {
    // No switch: its table would be looked up in memory.
    if (p_.rule == Rule::sgd) return descend_by<Rule::sgd>();
    if (p_.rule == Rule::momentum) return descend_by<Rule::momentum>();
    if (p_.rule == Rule::rmsprop) return descend_by<Rule::rmsprop>();
    descend_by<Rule::adam>();
  }
  template <Rule kRule>
  __device__ void descend_by() {
    const double* now = numbers_of_step();
    const Descent<kRule> descent(p_.rule_numbers, {member().rate * now[0], now[1], now[2]});
    float4 thetas[kAhead];  // on their way while products are, and then while others move
    if (p_.workers == 1) {
#pragma unroll
      for (int k = 0; k < kAhead; ++k) thetas[k] = moving(0, core(k));
    }
    wait_for_products<0>();
    if constexpr (kSigns) show_sums();
    if (p_.workers == 1) {
      if constexpr (kReadout) keep_readout();
    } else {
      if (kReadout && mine_ > 0) keep_readout();
      send_sums();
    }
    if (p_.workers == 1) {
#pragma unroll
      for (int k = 0; k < kCores; ++k) {
        const float4 before = thetas[k % kAhead];
        if (k + kAhead < kCores) thetas[k % kAhead] = moving(0, core(k + kAhead));
        put_halves(core(k), move_core(descent, core(k), slopes(k), before,
                                      [&](int which) -> float4& { return moving(which, core(k)); }));
      }
    } else {
      if (rank_ < kStrips) wait_for_arrival(arrival(kSums), step_);
      with_own_items([&](const Core& core, int i) {
        put_halves(core, move_core(descent, core, over_workers(i), held(0, i),
                                   [&](int which) -> float4& { return held(which, i); }));
      });
    }
    if constexpr (kReadout) descend_readout(descent);
    if (kReadout && p_.workers > 1) show_cluster_to_products();
    show_to_products();
    wait_for_own();
    if (p_.workers == 1) return;
    send_weights();
    wait_for_arrival(arrival(kWeights), step_);
    if constexpr (kReadout) {
      wait_for_cluster();
      show_to_products();  // what others wrote here
    }
  }
  /// To those that move the strips. A step's can be sent when weights of the step before have come from everybody: what is written over has been read.
  __device__ void send_sums() const {
    if (thread_in_block() == 0) {
      int sums = 0, halves = kGroups * kUnits * kSites * 2;
      with_own_strips([&](int strip, int) {
        sums += p_.workers * kItems * 16;
        halves -= rows_of_strip(strip) * kSites * 2;
      });
      if (sums > 0) expect(arrival(kSums), sums);
      expect(arrival(kWeights), halves);
    }
#pragma unroll
    for (int panel = 0; panel < kPanels; ++panel) {
      const int in_group = 4 * panel + warp_, strip = group_ * kStripsOfGroup + in_group;
      if (in_group >= kStripsOfGroup) continue;
#pragma unroll
      for (int c = 0; c < kAcross; ++c)
        push(arrival(kSums), sum_of(rank_, (strip >> p_.log_of_workers) * kItems + 32 * c + lane_),
             slopes(panel * kAcross + c), strip & (p_.workers - 1));
    }
  }
  /// What this block has moved, to all others: every warp to some.
  __device__ void send_weights() const {
    for (int b = thread_in_block() / 32; b < p_.workers; b += kMemory.threads() / 32) {
      if (b == rank_ || lane_ != 0) continue;
      with_own_strips([&](int strip, int) {
        send(arrival(kWeights), weights(strip / kStripsOfGroup).down_by(16 * (strip % kStripsOfGroup)).data,
             rows_of_strip(strip) * kSites * 2, b);
      });
    }
  }
  __device__ float4 over_workers(int i) const {
    float4 sum = *sum_of(0, i);
#pragma unroll 8
    for (int worker = 1; worker < p_.workers; ++worker) sum = plus(sum, *sum_of(worker, i));
    return sum;
  }
  /// Crowded warpgroups of a network of several parts share X and ŷ alone, and wait for those.
  __device__ void wait_for_own() const {
    if (kCrowded && p_.parts > 1)
      wait_for_group(group_);
    else
      wait_for_block();
  }
  __device__ void wait_for_workers() const {
    if (blocks() > 1)
      wait_for_cluster();
    else
      wait_for_block();
  }
  /// A core, and what is remembered of it, at `place`.
  template <Rule kRule, class Place>
  __device__ float4 move_core(const Descent<kRule>& descent, const Core& core, const float4& sum,
                              const float4& before, const Place& place) const {
    constexpr int kKept = kMemories<kRule>;
    float factors[2];
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      factors[r] = (kSigns ? 0.5F : 1.0F) * of_row_ *
                   (kReadout ? readout(shared_memory(), core.group)[core.unit(r)] : share_);
      if (core.unit(r) >= units(core.group)) factors[r] = 0;
    }
    float4 theta = before, first{}, second{};
    if constexpr (kKept > 0) first = place(1);
    if constexpr (kKept > 1) second = place(2);
    descent.move(factors[0] * sum.x, theta.x, first.x, second.x);
    descent.move(factors[0] * sum.y, theta.y, first.y, second.y);
    descent.move(factors[1] * sum.z, theta.z, first.z, second.z);
    descent.move(factors[1] * sum.w, theta.w, first.w, second.w);
    if (core.site(1) == kBiasSite && !p_.shape.learns_bias) {
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
    for (int k = thread_ + (p_.workers > 1 ? rank_ : 0) * kGroup; k < units(group_);
         k += p_.workers * kGroup) {
      const float theta = move_readout(descent, k, first_unit(group_) + k);
      for (int b = 0; b < p_.workers; ++b) {
        std::uint8_t* memory = in_block(shared_memory(), p_.workers > 1 ? b : rank_);
        readout(memory, group_)[k] = theta;
        put_share(memory, k, theta);
      }
    }
    if (thread_in_block() != 0 || rank_ != 0) return;
    const float offset = move_readout(descent, kOffset, static_cast<int>(p_.shape.units));
    for (int b = 0; b < p_.workers; ++b)
      readout(in_block(shared_memory(), p_.workers > 1 ? b : rank_), 0)[kOffset] = offset;
  }
  /// The number that stands there among the sums, `place` behind the first of the readout's.
  template <Rule kRule>
  __device__ float move_readout(const Descent<kRule>& descent, int k, int place) const {
    constexpr int kKept = kMemories<kRule>;
    float sum = readout_sums(shared_memory())[k];
    for (int worker = 0; worker < p_.workers && p_.workers > 1; ++worker) {
      const float more = readout_sums(in_block(shared_memory(), worker))[k];
      sum = worker == 0 ? more : sum + more;
    }
    const std::int64_t at = of_member() + p_.shape.readout() + place;
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
  int n_, group_, thread_, warp_, lane_;
  int first_row_;  // of the two that a thread has of a tile of D; the other is eight below
  Samples samples_;
  float share_, of_row_;  // of a unit in the mean of units, of a sample in that of a batch
  /// A sum of K units comes to ŷ by 1/K, which is no half: fast networks divide it by a power of 2, and have slopes of the loss that are K over that power.
  std::uint32_t of_sums_ = 0;
  float of_slopes_ = 1;
  unsigned turns_;           // tiles that classes see by turns
  int from_ = 0, mine_ = 0;  // tiles of this block
  int step_ = 0;
  int slot_ = 0, round_ = 0,
      seen_ = 0;              // of the tile that comes next, and of the one whose derivatives are next
  int sent_ = 0, added_ = 0;  // outputs
  double number_ = 0;         // of the step's, of some threads
  std::uint32_t gates_[kMemory.columns() / 4], kept_[kReadout ? kMemory.columns() / 4 : 1];
  std::uint32_t units_[kFast > 0 ? kMemory.columns() / 4 : 1];  // H'
  float sums_[2];
  float slopes_[kFast > 0 ? 1 : kPanels][kSites / 2];  // ∂
  std::uint32_t slope_words_[kFast > 0 ? kPanels : 1][kSites / 4];
  int tile_ = 0;  // that was drawn
  float readout_slopes_[kPanels][4];
  float offset_slope_ = 0;
};

template <Bend kBend, int kSites, int kUnits, int kGroups, bool kReadout, int kFast, int kBlocks>
__global__ void __launch_bounds__(kGroup* kGroups, kBlocks)
    train_on_tiles(const __grid_constant__ TrainingNumbers numbers) {
#ifdef SLUICE_TENSOR_CORES
  TileTraining<kBend, kSites, kUnits, kGroups, kReadout, kFast>(numbers).run();
#endif
}

}  // namespace sluice::cuda
