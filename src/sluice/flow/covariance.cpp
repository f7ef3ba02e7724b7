#include "sluice/flow/covariance.hpp"

#include <cmath>
#include <numeric>
#include <stdexcept>

namespace sluice::flow {

Covariance Covariance::circulant(std::span<const double> row) {
  std::vector<double> twice(row.begin(), row.end());
  twice.insert(twice.end(), row.begin(), row.end());
  const auto n = static_cast<std::int64_t>(row.size());
  return {n, std::move(twice), n, -1};
}

Covariance Covariance::dense(std::span<const double> matrix) {
  const std::int64_t n = std::llround(std::sqrt(static_cast<double>(matrix.size())));
  if (static_cast<std::size_t>(n * n) != matrix.size()) {
    throw std::invalid_argument("a covariance matrix that is not square");
  }
  return {n, {matrix.begin(), matrix.end()}, 0, n};
}

double Covariance::times(std::size_t i, std::span<const double> w) const {
  return std::inner_product(w.begin(), w.end(), row(i), 0.0);
}

void Covariance::times(std::span<const double> w, std::span<double> out) const {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = times(i, w);
}

}  // namespace sluice::flow
