#include "sluice/math/fourier.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace sluice::math {
namespace {

/// e^(2πi numerator/denominator), appended as cos, sin.
template <class Real>
void append_turn(std::vector<Real>& table, std::int64_t numerator, std::int64_t denominator) {
  const double angle =
      2 * std::numbers::pi * static_cast<double>(numerator % denominator) / static_cast<double>(denominator);
  table.push_back(static_cast<Real>(std::cos(angle)));
  table.push_back(static_cast<Real>(std::sin(angle)));
}

/// Radices of the passes, fours before twos.
std::vector<std::int64_t> radices_of(std::int64_t length) {
  std::vector<std::int64_t> radices;
  for (std::int64_t radix = 4; length > 1;) {
    if (length % radix == 0) {
      radices.push_back(radix);
      length /= radix;
    } else if (radix == 4) {
      radix = 2;
    } else if (radix * radix > length) {
      radix = length;  // a prime
    } else {
      radix += radix == 2 ? 1 : 2;
    }
  }
  return radices;
}

/// The smallest 2^a 3^b 5^c that is at least `least`.
std::int64_t smooth_length(std::int64_t least) {
  std::int64_t best = 1;
  while (best < least) best *= 2;
  for (std::int64_t fives = 1; fives < best; fives *= 5) {
    for (std::int64_t length = fives; length < best; length *= 3) {
      std::int64_t candidate = length;
      while (candidate < least) candidate *= 2;
      best = std::min(best, candidate);
    }
  }
  return best;
}

std::int64_t divisor_below_root(std::int64_t length) {
  auto divisor = static_cast<std::int64_t>(std::sqrt(static_cast<double>(length)));
  while (length % divisor != 0) --divisor;
  return divisor;
}

}  // namespace

template <class Real>
FourierPlan<Real>::FourierPlan(std::int64_t m) : length(m), method(Method::passes), radices(radices_of(m)) {
  const std::int64_t largest = radices.empty() ? 1 : *std::max_element(radices.begin(), radices.end());
  if (largest > kLargestPrime) {
    method = Method::chirp;
    radices.clear();
    const std::int64_t size = smooth_length(2 * m - 1);
    parts.emplace_back(size);
    workspace = 4 * size + parts[0].workspace;
    // In double also for float plans, so that the only rounding is the table's.
    std::vector<double> chirp(static_cast<std::size_t>(2 * size));
    for (std::int64_t j = 0; j < m; ++j) {
      append_turn(twiddles, j * j % (2 * m), 2 * m);
      const double angle = std::numbers::pi * static_cast<double>(j * j % (2 * m)) / static_cast<double>(m);
      for (const std::int64_t at : {j, (size - j) % size}) {
        chirp[static_cast<std::size_t>(2 * at)] = std::cos(angle) / static_cast<double>(size);
        chirp[static_cast<std::size_t>(2 * at + 1)] = -std::sin(angle) / static_cast<double>(size);
      }
    }
    fourier(FourierPlan<double>(size), chirp);
    spectrum.assign(chirp.begin(), chirp.end());
    return;
  }
  const std::int64_t columns = m > kLongestInCache ? divisor_below_root(m) : 1;
  if (columns > 1) {
    method = Method::grid;
    radices.clear();
    parts.emplace_back(columns);
    parts.emplace_back(m / columns);
    workspace = 2 * columns + std::max(parts[0].workspace, parts[1].workspace);
    for (std::int64_t j = 0; j < m / columns; ++j) {
      for (std::int64_t k = 0; k < columns; ++k) append_turn(twiddles, j * k, m);
    }
    return;
  }
  workspace = 4 * m + 2 * largest;
  std::int64_t left = m;
  for (const std::int64_t radix : radices) {
    if (radix > 5) {
      for (std::int64_t j = 0; j < radix; ++j) append_turn(twiddles, j, radix);
    }
    for (std::int64_t p = 0; p < left / radix; ++p) {
      for (std::int64_t j = 1; j < radix; ++j) append_turn(twiddles, p * j, left);
    }
    left /= radix;
  }
}

template struct FourierPlan<float>;
template struct FourierPlan<double>;

RealFourier::RealFourier(std::int64_t n) : sites_(n), plan_(n % 2 == 0 ? n / 2 : n) {
  using Plan = FourierPlan<float>;
  if (n % 2 == 0) {
    const bool by_grid = plan_.method == Plan::Method::grid &&
                         plan_.parts[0].method == Plan::Method::passes;  // up to 2²¹ sites
    method_ = by_grid ? Method::even_by_grid : Method::even;
    for (std::int64_t k = 0; k <= n / 4; ++k) append_turn(turns_, k, n);
  } else {
    const bool short_enough = n < (plan_.method == Plan::Method::chirp ? 600 : 100);
    method_ = short_enough ? Method::products : Method::odd;
  }
  if (method_ == Method::products) {
    for (const bool sine : {false, true}) {
      for (std::int64_t j = sine ? 1 : 0; 2 * j < n; ++j) {
        for (std::int64_t k = sine ? 1 : 0; 2 * k < n; ++k) {
          const double angle = 2 * std::numbers::pi * static_cast<double>(j * k % n) / static_cast<double>(n);
          turns_.push_back(static_cast<float>(k == 0 ? 1 : 2 * (sine ? std::sin(angle) : std::cos(angle))));
        }
      }
    }
    workspace_ = static_cast<std::size_t>(2 * n * kLanesOfProducts);
    return;
  }
  // even: the packed modes; even_by_grid: two columns and eight rows; odd: the packed modes and their sums.
  std::int64_t packed = 2 * plan_.length;
  if (method_ == Method::even_by_grid) packed = 4 * plan_.parts[0].length + 16 * plan_.parts[1].length;
  if (method_ == Method::odd) packed = 4 * plan_.length;
  workspace_ = static_cast<std::size_t>((packed + plan_.workspace) * kWidestVector);
}

std::int64_t RealFourier::frequency(std::int64_t mode) const {
  if (sites_ % 2 != 0) return mode <= sites_ / 2 ? mode : mode - sites_ / 2;
  return mode == 1 ? sites_ / 2 : mode / 2;
}

double RealFourier::norm(std::int64_t mode) const {
  const bool alone = mode == 0 || 2 * frequency(mode) == sites_;
  return std::sqrt(static_cast<double>(alone ? sites_ : 2 * sites_));
}

}  // namespace sluice::math
