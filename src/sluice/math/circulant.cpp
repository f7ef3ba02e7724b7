#include "sluice/math/circulant.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>

#include "sluice/math/fourier.hpp"

namespace sluice::math {
namespace {

constexpr std::size_t kDirect = 256;  // up to here n² terms take less than a millisecond

/// Σ_j values_j cos(2πjk/n) for every k, of symmetric values. The transform is its own inverse up to 1/n.
std::vector<double> cosine_sums(std::span<const double> values) {
  const std::size_t n = values.size();
  std::vector<double> sums(n, 0.0);
  if (n <= kDirect) {
    std::vector<double> cosine(n);
    for (std::size_t k = 0; k < n; ++k) {
      cosine[k] = std::cos(2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n));
    }
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t j = 0, at = 0; j < n; ++j, at = (at + k) % n) sums[k] += values[j] * cosine[at];
    }
    return sums;
  }
  std::vector<double> complex(2 * n, 0.0);
  for (std::size_t j = 0; j < n; ++j) complex[2 * j] = values[j];
  fourier(FourierPlan<double>(static_cast<std::int64_t>(n)), complex);
  for (std::size_t k = 0; k < n; ++k) sums[k] = complex[2 * std::min(k, n - k)];  // symmetric to the last bit
  return sums;
}

}  // namespace

std::vector<double> circulant_eigenvalues(std::span<const double> row) { return cosine_sums(row); }

std::vector<double> circulant_row(std::span<const double> eigenvalues) {
  std::vector<double> row = cosine_sums(eigenvalues);
  for (double& c : row) c /= static_cast<double>(eigenvalues.size());
  return row;
}

std::vector<double> torus_eigenvalues(std::span<const double> row, std::int64_t side) {
  const auto n = static_cast<std::size_t>(side);
  std::vector<double> values(row.begin(), row.end());
  std::vector<double> line(n);
  for (const auto& [step, next] : {std::pair{std::size_t{1}, n}, std::pair{n, std::size_t{1}}}) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) line[j] = values[i * next + j * step];
      const std::vector<double> sums = cosine_sums(line);
      for (std::size_t j = 0; j < n; ++j) values[i * next + j * step] = sums[j];
    }
  }
  return values;
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

}  // namespace sluice::math
