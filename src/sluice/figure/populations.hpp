/// Units that end localized and units that do not are two populations: the median of both lies between two peaks, where no unit is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sluice::figure {

struct Population {
  std::string name;  ///< "localized", "not localized"; empty where it is not known
  std::vector<std::size_t> units;
  double share = 1;  ///< of all units
};

/// The units by what they are at the end; empty populations are left out. `at_end` [units], 1: localized; empty: not known, one
/// population.
std::vector<Population> populations(std::size_t units, std::span<const std::uint8_t> at_end);

/// Mean and quartiles over units, one number per time, NaN at times without a finite value.
struct Spread {
  std::vector<double> lower, mean, upper;
};

/// Over these units of values [T, K], ignoring what is not finite; quartiles are interpolated between the order statistics around
/// (count − 1)·q.
template <class Real>
Spread spread_over(std::span<const Real> values, std::size_t times, const std::vector<std::size_t>& units);

}  // namespace sluice::figure
