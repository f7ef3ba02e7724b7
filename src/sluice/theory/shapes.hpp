/// Receptive fields that theory tries its formulas on.
#pragma once

#include <numbers>

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

/// exp(−d²/(2s²)) cos(2πd/period) around site 0.
inline Vector gabor(std::size_t n, double s, double period) {
  Vector w = bump(n, s);
  for (std::size_t i = 0; i < n; ++i) {
    const auto d = static_cast<double>(
        math::ring_distance(0, static_cast<std::int64_t>(i), static_cast<std::int64_t>(n)));
    w[i] *= std::cos(2 * std::numbers::pi * d / period);
  }
  return w;
}

inline Vector flat(std::size_t n) { return Vector(1.0, n); }

/// The wave of the highest frequency, (−1)^i on an even ring.
inline Vector nyquist(std::size_t n) {
  Vector w(n);
  const std::size_t periods = n / 2;
  for (std::size_t i = 0; i < n; ++i)
    w[i] = std::cos(2 * std::numbers::pi * static_cast<double>(periods * i) / static_cast<double>(n));
  return w;
}

}  // namespace sluice::theory
