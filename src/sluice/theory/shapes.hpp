/// Receptive fields that theory tries its formulas on.
#pragma once

#include "sluice/theory/vector.hpp"

namespace sluice::theory {

/// exp(−d²/(2s²)) around site 0.
inline Vector bump(std::size_t n, double s) {
  Vector w(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto d = static_cast<double>(
        math::ring_distance(0, static_cast<std::int64_t>(i), static_cast<std::int64_t>(n)));
    w[i] = std::exp(-d * d / (2 * s * s));
  }
  return w;
}

inline Vector flat(std::size_t n) { return Vector(1.0, n); }

}  // namespace sluice::theory
