#include "sluice/task/empirical_moments.hpp"

#include <vector>

#include "sluice/task/pair_products.hpp"

namespace sluice::task {

Moments empirical_moments(const Layout& layout, std::span<const float> x,
                          std::span<const std::int64_t> rows) {
  const auto n = static_cast<std::size_t>(layout.inputs());
  const double count = static_cast<double>(rows.size()) * static_cast<double>(n);
  const auto row_of = [&](std::int64_t row) { return x.subspan(static_cast<std::size_t>(row) * n, n); };
  Moments moments{.covariance = std::vector<double>(n), .excess_kurtosis = 0, .mean = 0};
  std::vector<double> centre(n);
  for (const std::int64_t row : rows)
    for (std::size_t i = 0; i < n; ++i) centre[i] += row_of(row)[i];
  for (double& m : centre) {
    m /= static_cast<double>(rows.size());
    moments.mean += m / static_cast<double>(n);
  }
  double fourth = 0;
  const PairProducts products(layout);
  std::vector<double> off(n);
  for (const std::int64_t row : rows) {
    for (std::size_t i = 0; i < n; ++i) {
      off[i] = row_of(row)[i] - centre[i];
      fourth += off[i] * off[i] * off[i] * off[i] / count;
    }
    products.add(off, count, moments.covariance);
  }
  moments.excess_kurtosis = fourth / (moments.covariance[0] * moments.covariance[0]) - 3;
  return moments;
}

}  // namespace sluice::task
