#include "sluice/math/linear_system.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sluice/math/assert.hpp"

namespace sluice::math {

std::vector<double> solved(std::vector<double> a, std::vector<double> b, std::size_t columns) {
  const std::size_t n = b.size() / columns;
  SLUICE_ASSERT(a.size() == n * n && b.size() == n * columns);
  double largest = 0;
  for (const double value : a) largest = std::max(largest, std::abs(value));
  const double least = static_cast<double>(n) * std::numeric_limits<double>::epsilon() * largest;
  const auto swap_rows = [&](std::size_t i, std::size_t j) {
    std::swap_ranges(&a[i * n], &a[i * n] + n, &a[j * n]);
    std::swap_ranges(&b[i * columns], &b[i * columns] + columns, &b[j * columns]);
  };
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::abs(a[i * n + k]) > std::abs(a[pivot * n + k])) pivot = i;
    if (!(std::abs(a[pivot * n + k]) > least)) return {};  // nor where it is not a number
    if (pivot != k) swap_rows(pivot, k);
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = a[i * n + k] / a[k * n + k];
      for (std::size_t j = k; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
      for (std::size_t j = 0; j < columns; ++j) b[i * columns + j] -= factor * b[k * columns + j];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = 0; j < columns; ++j) {
      double sum = b[k * columns + j];
      for (std::size_t i = k + 1; i < n; ++i) sum -= a[k * n + i] * b[i * columns + j];
      b[k * columns + j] = sum / a[k * n + k];
    }
  }
  return b;
}

}  // namespace sluice::math
