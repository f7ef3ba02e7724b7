/// Random numbers with addresses.
///
/// Every random number of a run sits at (seed, purpose, step, row, position); asking for it twice gives the same
/// number, asking in another order or from another thread changes nothing.
#pragma once

#include <cstdint>

#include "sluice/math/lanes.hpp"

namespace sluice::math {

/// Which part of a run a number belongs to. Values are part of the record's reproducibility: never renumber.
enum class Purpose : std::uint8_t {
  initial_weights = 1,  ///< step 0, one row per hidden unit
  training = 2,         ///< step = training step, one row per sample of the batch
  evaluation = 3,       ///< step 0, one row per sample of the fixed evaluation set
};

struct Address {
  std::uint64_t seed = 0;
  Purpose purpose = Purpose::training;
  std::uint64_t step = 0;  ///< below 2^56
  std::uint32_t row = 0;
};

/// The fourth word of the counter: purpose and the high bits of the step.
constexpr std::uint32_t address_tag(const Address& address) {
  return (std::uint32_t{static_cast<std::uint8_t>(address.purpose)} << 24) |
         (static_cast<std::uint32_t>(address.step >> 32) & 0xFFFFFFU);
}

/// Independent standard normals: sample r of the block is the row first.row + r, and its numbers depend on its address
/// and the site alone. Site 4j + k is the k-th normal of counter j. Box–Muller in float; tails reach 6.6 standard
/// deviations.
void fill_normals(const Address& first, const Lanes& out);

}  // namespace sluice::math
