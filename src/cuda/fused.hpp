/// Which kernel of fused_training.cuh trains a network of some shape, and how: what memory it has, how its batches are dealt to workers. Shapes are sizes of register
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

  std::size_t bytes() const { return static_cast<std::size_t>(shared.bytes()); }
  /// Blocks of a network, where so many train at once: bits are the same.
  int blocks(std::int64_t members, int processors) const {
    return members * workers <= processors ? workers : 1;
  }
};

/// As many blocks at once on a multiprocessor as registers allow for: of rectified units H is kept in halves alone. Null: too many units.
template <Bend kBend, int kSites>
auto fused_kernel(std::int64_t units, bool readout) -> decltype(FusedChoice::kernel) {
  constexpr int kBlocks = kBend == Bend::relu ? 4 : 3;
  if (readout) return units <= 64 ? train_fused<kBend, kSites, 1, true, 3> : nullptr;
  if (units <= 64) return train_fused<kBend, kSites, 1, false, 4>;
  return units <= 128 ? train_fused<kBend, kSites, 2, false, kBlocks> : nullptr;
}
template <int kSites>
auto fused_kernel(Unit unit, std::int64_t units, bool readout) -> decltype(FusedChoice::kernel) {
  if (unit == Unit::relu) return fused_kernel<Bend::relu, kSites>(units, readout);
  if (unit == Unit::erf) return fused_kernel<Bend::erf, kSites>(units, readout);
  return fused_kernel<Bend::any, kSites>(units, readout);
}

/// None: the network is too large, or has a pathway, and goes the plain way.
inline std::optional<FusedChoice> choose_fused(const gpu::EnsemblePlan& plan) {
  const int columns = static_cast<int>(std::min<std::int64_t>(plan.inputs, 64)) + 1;
  if (plan.exact || plan.pathway > 0 || columns > 64) return std::nullopt;
  const auto kernel = columns <= 48 ? fused_kernel<48>(plan.unit, plan.units, plan.learns_readout)
                                    : fused_kernel<64>(plan.unit, plan.units, plan.learns_readout);
  if (kernel == nullptr) return std::nullopt;
  const auto tiles_of = [](std::int64_t rows) {
    return static_cast<int>((rows + kTileRows - 1) / kTileRows);
  };
  const int tiles = tiles_of(plan.first_class) + tiles_of(plan.training.batch - plan.first_class);
  const int workers = std::min(tiles <= 16 ? 8 : 16, tiles);
  return FusedChoice{.kernel = kernel,
                     .shared = {columns <= 48 ? 48 : 64, plan.units <= 64 ? 64 : 128},
                     .workers = workers,
                     .tiles_of_worker = (tiles + workers - 1) / workers};
}

}  // namespace sluice::cuda
