/// Power of fields in a plane as it is drawn: over wave vectors around 0, and over their length.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sluice/figure/heat_map.hpp"

namespace sluice::figure {

/// Shares of power of one field of h × w sites, or of a mean of some, as the probe `power2` has them.
struct PlanePower {
  std::size_t rows = 0, columns = 0;  ///< h, w
  std::vector<float> shares{};        ///< [h, w/2 + 1]

  /// |F|²/(hw Σw²) of the wave with so many periods up and across the picture; 1 summed over all waves.
  double at(std::int64_t up, std::int64_t across) const;
  /// Sites along the longer side: lengths of wave vectors are periods along it.
  std::size_t side() const { return rows > columns ? rows : columns; }
};

/// Over fields whose shares follow each other, [K, h, w/2 + 1]; those without energy, whose shares are no numbers, are left out.
PlanePower mean_power(std::span<const float> shares, std::size_t rows, std::size_t columns);

/// So many periods along the longer side, and in proportion along the other, hold 95 % of the power; and one more, at least a third of
/// all there are.
std::size_t periods_with_power(const PlanePower& power);

/// Periods along n sites, from −n/2 on, no more than `most` of `side` either way.
struct Periods {
  std::int64_t first = 0, last = 0;

  std::size_t count() const { return static_cast<std::size_t>(last - first + 1); }
};
Periods periods_along(std::size_t sites, std::size_t most, std::size_t side);

/// Up × across, as far as that: waves lie as they do in pictures of the fields.
HeatMap power_map(const PlanePower& power, std::size_t most);

/// The mean over all waves whose length |k| rounds to 0, 1, …, `most`.
std::vector<float> power_of_lengths(const PlanePower& power, std::size_t most);

}  // namespace sluice::figure
