/// Order statistics.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace sluice::math {

/// The p-quantile with linear interpolation between order statistics (numpy's default). NaNs are left out; NaN when
/// nothing is left.
template <class Real>
double quantile(std::vector<Real> values, double p) {
  std::erase_if(values, [](Real value) { return value != value; });
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::sort(values.begin(), values.end());
  const double position = p * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(position));
  const std::size_t above = std::min(below + 1, values.size() - 1);
  const double fraction = position - static_cast<double>(below);
  return static_cast<double>(values[below]) * (1 - fraction) + static_cast<double>(values[above]) * fraction;
}

template <class Real>
double median(std::vector<Real> values) {
  return quantile(std::move(values), 0.5);
}

}  // namespace sluice::math
