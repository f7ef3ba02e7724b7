/// Which kernels draw tiles for networks of some shape and train on them (drawn_tiles.cuh, tile_training.cuh), and how: what memory they have, how batches are dealt to workers and units to
/// parts. Shapes are sizes of register arrays, so kernels are made ahead for some of them, and a network takes the next larger: nothing is compiled where they run, and tests
/// run the same sources.
#pragma once

#include <algorithm>
#include <bit>
#include <optional>

#include "drawn_tiles.cuh"
#include "tile_training.cuh"

namespace sluice::cuda {

struct TileChoice {
  void (*draw)(DrawingNumbers) = nullptr;
  void (*train)(TrainingNumbers) = nullptr;
  TrainingMemory memory{};
  int parts = 1, cores_of_part = 0;
  int workers = 1;

  std::size_t drawing_bytes() const { return static_cast<std::size_t>(memory.sites) * memory.sites * 2; }
  /// A worker has its multiprocessor to itself: no others draw there.
  std::size_t training_bytes() const {
    return static_cast<std::size_t>(workers > 1 ? kMostShared : memory.bytes(1, 1));
  }
  /// Of TrainingNumbers::moving, for one kind of a network.
  std::int64_t moving() const {
    return std::int64_t{parts} * memory.groups * memory.columns() * memory.sites / 4;
  }
  static constexpr int kMostShared = 227 << 10;  // of a block, where compute capability is 9.0
};

/// Units of every warpgroup, warpgroups, and blocks at once on a multiprocessor, as registers and shared memory have room for.
template <int kSites, int kUnits, int kGroups, int kBlocks, bool kReadout, int kFast = 0>
void choose_training(TileChoice& choice, const gpu::EnsemblePlan& plan) {
  choice.train =
      plan.unit == Unit::relu  ? train_on_tiles<Bend::relu, kSites, kUnits, kGroups, kReadout, kFast, kBlocks>
      : plan.unit == Unit::erf ? train_on_tiles<Bend::erf, kSites, kUnits, kGroups, kReadout, kFast, kBlocks>
                               : train_on_tiles<Bend::any, kSites, kUnits, kGroups, kReadout, kFast, kBlocks>;
  choice.memory = {kSites, kUnits, kGroups, kReadout, kFast > 0};
  choice.parts = static_cast<int>((plan.units + kUnits * kGroups - 1) / (kUnits * kGroups));
  choice.cores_of_part = static_cast<int>((plan.units + 8 * choice.parts - 1) / (8 * choice.parts));
}
/// Of a panel's units one is none (TileTraining::show_sums).
inline void choose_fast_training(TileChoice& choice, const gpu::EnsemblePlan& plan) {
  static_assert(gpu::EnsemblePlan::kFastInputs == 47 && gpu::EnsemblePlan::kFastUnits == 127);
  if (plan.units < 64) return choose_training<48, 64, 1, 4, false, 47>(choice, plan);
  if (plan.inputs > 40) return choose_training<48, 128, 1, 4, false, 47>(choice, plan);
  choose_training<48, 128, 1, 4, false, 40>(choice, plan);
}
inline void choose_training(TileChoice& choice, const gpu::EnsemblePlan& plan, int sites) {
  if (plan.fast) return choose_fast_training(choice, plan);
  const std::int64_t units = plan.units;
  if (plan.learns_readout) {
    if (sites > 112) return choose_training<256, 64, 2, 1, true>(choice, plan);
    if (sites > 64) return choose_training<112, 56, 3, 1, true>(choice, plan);
    if (units <= 64) return choose_training<64, 64, 1, 3, true>(choice, plan);
    if (units <= 128) return choose_training<64, 128, 1, 2, true>(choice, plan);
    return choose_training<64, 128, 2, 1, true>(choice, plan);
  }
  if (sites > 112) return choose_training<256, 64, 2, 1, false>(choice, plan);
  if (sites > 64) return choose_training<112, 56, 3, 1, false>(choice, plan);
  if (units > 128) return choose_training<64, 128, 2, 1, false>(choice, plan);
  if (sites > 48 && units > 64) return choose_training<64, 128, 1, 2, false>(choice, plan);
  if (sites > 48) return choose_training<64, 64, 1, 3, false>(choice, plan);
  if (units > 104) return choose_training<48, 128, 1, 3, false>(choice, plan);
  if (units > 64) return choose_training<48, 104, 1, 3, false>(choice, plan);
  if (units > 8) return choose_training<48, 64, 1, 4, false>(choice, plan);
  return choose_training<48, 8, 1, 4, false>(choice, plan);
}

/// None: the network is too large, or has a pathway, and goes the plain way.
inline std::optional<TileChoice> choose_tiles(const gpu::EnsemblePlan& plan) {
  const std::int64_t columns = plan.inputs + 1;
  if (plan.exact || plan.pathway > 0 || columns > 256) return std::nullopt;
  TileChoice choice;
  choose_training(choice, plan, columns <= 48 ? 48 : columns <= 64 ? 64 : columns <= 112 ? 112 : 256);
  if (choice.parts > choice.memory.most_parts()) return std::nullopt;
  choice.draw = choice.memory.sites == 48    ? draw_tiles<48, 8>
                : choice.memory.sites == 64  ? draw_tiles<64, 5>
                : choice.memory.sites == 112 ? draw_tiles<112, 5>
                                             : draw_tiles<256, 1>;
  const int tiles = Batch::tiles_of(static_cast<int>(plan.first_class)) +
                    Batch::tiles_of(static_cast<int>(plan.training.batch - plan.first_class));
  const auto most = static_cast<unsigned>(std::min(tiles <= 16 ? 8 : 16, tiles));
  const auto workers = static_cast<int>(std::bit_floor(most));
  if (plan.alone && choice.parts == 1 &&
      choice.memory.bytes(workers, 1 + plan.training.memories()) <= TileChoice::kMostShared)
    choice.workers = workers;
  return choice;
}

}  // namespace sluice::cuda
