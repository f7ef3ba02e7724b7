/// Random numbers with addresses.
///
/// Every random number of a run sits at (seed, purpose, step, row, position); asking for it twice gives the
/// same number, asking in another order or from another thread changes nothing.
#pragma once

#include <cstdint>
#include <span>

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

/// Independent standard normals for the rows first.row, first.row + 1, …: `out` holds rows × n numbers, row
/// by row. A row's numbers depend on its address and on n only. Box–Muller in float: tails reach 6.6 standard
/// deviations.
void fill_normals(const Address& first, std::int64_t n, std::span<float> out);

}  // namespace sluice::math
