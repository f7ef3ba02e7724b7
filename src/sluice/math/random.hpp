/// Random numbers with addresses.
///
/// Every random number of a run sits at (seed, purpose, step, row, position); asking for it twice gives the same
/// number, asking in another order or from another thread changes nothing.
#pragma once

#include <cstdint>

#include "sluice/math/lanes.hpp"
#include "sluice/math/philox.hpp"

namespace sluice::math {

/// Which part of a run a number belongs to. Values are part of the record's reproducibility: never renumber.
enum class Purpose : std::uint8_t {
  initial_weights = 1,  ///< step 0, one row per hidden unit
  training = 2,         ///< step = training step, one row per sample of the batch
  evaluation = 3,       ///< step 0, one row per sample of the fixed evaluation set
  dataset = 4,          ///< step 0, one row per sample of a finite set
  mean_labels = 5,      ///< step 0, samples on which a teacher's mean labels are measured
  initial_readout = 6,  ///< step 0, one row per hidden unit
  initial_gates = 7,    ///< step = layer, one row per unit of a gating network
  random_gates = 8,     ///< step = layer, one row per sample
  expectation = 16,     ///< step = class, one row per sample of a sampled response operator
  moments = 17,         ///< step 0, samples on which the moments of a law that nobody states are measured
  random_labels = 32,   ///< step 0 for training, 1 for testing; one row per image of the file
  random_pixels = 33,   ///< step 0 for training, 1 for testing; one row per image of the set
  augmentation = 34,    ///< step = training step, one row per sample of the batch: flips and crops
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

/// Independent uniform numbers in (0, 1], at the addresses of fill_normals: a row has the one or the other. 31 bits each,
/// rounded to float, so that small numbers keep their resolution of 2⁻³¹.
void fill_uniforms(const Address& first, const Lanes& out);

/// The numbers of one row beside its normals, drawn in turn: for tasks that need a few per sample (a radius, the start
/// of a pulse). Their counters begin at 2³¹, where those of fill_normals never come, so they share the row's whole
/// address (training and evaluation stay apart) and never its numbers.
class RowNumbers {
 public:
  /// The row first.row + r.
  RowNumbers(const Address& first, std::uint32_t r)
      : key_{static_cast<std::uint32_t>(first.seed), static_cast<std::uint32_t>(first.seed >> 32)},
        row_(first.row + r),
        step_(static_cast<std::uint32_t>(first.step)),
        tag_(address_tag(first)) {}

  /// In (0, 1), 52 bits.
  double uniform();
  /// One of 0, …, count − 1, each equally likely up to 2⁻⁵².
  std::int64_t below(std::int64_t count);
  double normal();
  /// Gamma with this shape ≥ 1 and scale 1 (Marsaglia and Tsang 2000): 2·gamma(ν/2) is χ²_ν for every real ν ≥ 2.
  double gamma(double shape);

 private:
  PhiloxKey key_;
  std::uint32_t row_;
  std::uint32_t step_;
  std::uint32_t tag_;
  std::uint32_t counter_ = std::uint32_t{1} << 31;
  PhiloxCounter words_{};
  int left_ = 0;  // uniforms left in words_
};

}  // namespace sluice::math
