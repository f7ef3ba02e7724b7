#include "sluice/math/circulant.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "sluice/math/ring.hpp"

namespace sluice::math {
namespace {

/// Σ_j values_j cos(2πjk/n) for every k. The transform is its own inverse up to 1/n.
std::vector<double> cosine_sums(std::span<const double> values) {
  const std::size_t n = values.size();
  std::vector<double> cosine(n);
  for (std::size_t k = 0; k < n; ++k) {
    cosine[k] = std::cos(2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n));
  }
  std::vector<double> sums(n, 0.0);
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t j = 0, at = 0; j < n; ++j, at = (at + k) % n) sums[k] += values[j] * cosine[at];
  }
  return sums;
}

}  // namespace

std::vector<double> circulant_eigenvalues(std::span<const double> row) { return cosine_sums(row); }

std::vector<double> circulant_row(std::span<const double> eigenvalues) {
  std::vector<double> row = cosine_sums(eigenvalues);
  for (double& c : row) c /= static_cast<double>(eigenvalues.size());
  return row;
}

Correlation project_to_correlation(std::span<const double> kernel) {
  // Below this, a negative eigenvalue is rounding of the cosine sums, not a property of the kernel (A.1).
  constexpr double kRounding = 1e-10;
  Correlation result;
  result.row.assign(kernel.begin(), kernel.end());
  result.eigenvalues = circulant_eigenvalues(kernel);
  const double lowest = *std::min_element(result.eigenvalues.begin(), result.eigenvalues.end());
  for (double& lambda : result.eigenvalues) lambda = std::max(lambda, 0.0);
  if (lowest >= -kRounding) return result;

  result.most_negative = lowest;
  result.row = circulant_row(result.eigenvalues);
  const double variance = result.row[0];
  for (double& c : result.row) c /= variance;
  for (double& lambda : result.eigenvalues) lambda /= variance;
  for (std::size_t d = 0; d < kernel.size(); ++d) {
    result.largest_change = std::max(result.largest_change, std::abs(result.row[d] - kernel[d]));
  }
  return result;
}

std::vector<float> circulant_root(std::span<const double> eigenvalues) {
  const auto n = static_cast<std::int64_t>(eigenvalues.size());
  std::vector<double> roots(eigenvalues.begin(), eigenvalues.end());
  for (double& lambda : roots) lambda = std::sqrt(lambda);
  const std::vector<double> row = circulant_row(roots);
  std::vector<float> matrix;
  matrix.reserve(static_cast<std::size_t>(n * n));
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      matrix.push_back(static_cast<float>(row[static_cast<std::size_t>(ring_distance(i, j, n))]));
    }
  }
  return matrix;
}

}  // namespace sluice::math
