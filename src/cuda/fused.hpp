/// Which kernel of fused_training.cuh trains a network of some shape, and how: how many threads, what memory, how its batches are dealt to workers. Shapes are sizes of register
/// arrays, so kernels are made ahead for some of them, and a network takes the next larger: nothing is compiled where they run, and tests run the same sources.
#pragma once

#include <algorithm>
#include <optional>

#include "fused_training.cuh"

namespace sluice::cuda {

struct FusedChoice {
  void (*kernel)(FusedNumbers, SharedPlan) = nullptr;
  SharedPlan shared{};
  int workers = 1, tiles_of_worker = 1;
  bool always_cluster = false;

  int threads() const { return shared.groups * kGroup; }
  std::size_t bytes() const { return static_cast<std::size_t>(shared.bytes()); }
  /// Blocks of a network, where so many train at once: bits are the same.
  int blocks(std::int64_t members, int processors) const {
    return always_cluster || members * workers <= processors ? workers : 1;
  }
};

namespace fused {

constexpr int kMostShared = 227 << 10;  // bytes that a block may have

using Kernel = void (*)(FusedNumbers, SharedPlan);
/// Panels of 64 units that a group has, groups, and the kernel for them; null: too many units.
struct Made {
  int panels, groups;
  Kernel kernel;
};
template <Bend kBend, int kSites, bool kReadout>
Made made_for(std::int64_t units) {
  const int panels = static_cast<int>((units + 63) / 64);
  if constexpr (beside(kSites))
    return {1, panels, panels <= 5 ? train_fused<kBend, kSites, 1, kReadout, 0, 5, 1> : nullptr};
  if constexpr (!beside(kSites)) {
    if constexpr (kReadout) {
      return {1, panels, panels <= 4 ? train_fused<kBend, kSites, 1, true, 0, 4, 1> : nullptr};
    } else {
      // As many blocks at once as registers allow for: of rectified units H is kept in halves alone.
      constexpr int kBlocks = kBend == Bend::relu ? 4 : 3;
      if (panels == 1) return {1, 1, train_fused<kBend, kSites, 1, false, 1, 1, 4>};
      if (panels == 2) return {2, 1, train_fused<kBend, kSites, 2, false, 1, 1, kBlocks>};
      return {2, (panels + 1) / 2, panels <= 8 ? train_fused<kBend, kSites, 2, false, 0, 4, 1> : nullptr};
    }
  }
}
template <int kSites, bool kReadout>
Made made_for(Unit unit, std::int64_t units) {
  if (unit == Unit::relu) return made_for<Bend::relu, kSites, kReadout>(units);
  if (unit == Unit::erf) return made_for<Bend::erf, kSites, kReadout>(units);
  return made_for<Bend::any, kSites, kReadout>(units);
}

}  // namespace fused

/// None: the network is too large, or has a pathway, and goes the plain way.
inline std::optional<FusedChoice> choose_fused(const gpu::EnsemblePlan& plan) {
  if (plan.exact || plan.pathway > 0) return std::nullopt;
  const auto pick = [&]<int kSites>() -> std::optional<FusedChoice> {
    const fused::Made made = plan.learns_readout ? fused::made_for<kSites, true>(plan.unit, plan.units)
                                                 : fused::made_for<kSites, false>(plan.unit, plan.units);
    if (made.kernel == nullptr) return std::nullopt;
    FusedChoice choice{made.kernel, {kSites, made.panels * 64 * made.groups, made.groups}};
    if (choice.shared.bytes() > fused::kMostShared) return std::nullopt;
    const auto tiles_of = [](std::int64_t rows) {
      return static_cast<int>((rows + kTileRows - 1) / kTileRows);
    };
    const int tiles = tiles_of(plan.first_class) + tiles_of(plan.training.batch - plan.first_class);
    choice.always_cluster = beside(kSites);
    choice.workers = choice.always_cluster ? 2 : tiles <= 16 ? 8 : 16;
    choice.workers = std::min(choice.workers, tiles);
    choice.tiles_of_worker = (tiles + choice.workers - 1) / choice.workers;
    return choice;
  };
  const std::int64_t columns = plan.inputs + 1;
  if (columns <= 48) return pick.template operator()<48>();
  if (columns <= 64) return pick.template operator()<64>();
  if (columns <= 112) return pick.template operator()<112>();
  return std::nullopt;
}

}  // namespace sluice::cuda
