/// ‖a − b‖/‖b‖ in double, for weights of any precision.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>

namespace sluice::math {

template <class Real>
double relative_distance(std::span<const Real> a, std::span<const Real> b) {
  double apart = 0;
  double size = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    const double difference = static_cast<double>(a[i]) - static_cast<double>(b[i]);
    apart += difference * difference;
    size += static_cast<double>(b[i]) * static_cast<double>(b[i]);
  }
  return std::sqrt(apart / size);
}

}  // namespace sluice::math
