/// Inputs live on a ring of n sites.
///   d(i,j) = min(|i−j|, n−|i−j|)                          ring distance
///   r(d)   = exp(−d²/ξ²)                                  correlation of the latent Gaussian     ledger: A.1
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace sluice::math {

constexpr std::int64_t ring_distance(std::int64_t i, std::int64_t j, std::int64_t n) {
  const std::int64_t apart = i > j ? i - j : j - i;
  return std::min(apart, n - apart);
}

/// First row of the circulant matrix S(ξ)_ij = exp(−d(i,j)²/ξ²). Not always positive semi-definite: N0.c4.
inline std::vector<double> ring_kernel(std::int64_t n, double xi) {
  std::vector<double> row(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) {
    const double lengths = static_cast<double>(ring_distance(0, i, n)) / xi;
    row[static_cast<std::size_t>(i)] = std::exp(-lengths * lengths);
  }
  return row;
}

}  // namespace sluice::math
