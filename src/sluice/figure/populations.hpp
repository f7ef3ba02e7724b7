#pragma once

#include <span>
#include <vector>

namespace sluice::figure {

/// A population over time, by its quartiles: one number per time, NaN at times without a finite value.
struct Quartiles {
  std::vector<double> lower, median, upper;
};

/// Quartiles over the units of values [T, units], ignoring what is not finite, interpolated between the order
/// statistics around (count − 1)·q.
Quartiles quartiles_over_units(std::span<const float> values, std::size_t times);

}  // namespace sluice::figure
