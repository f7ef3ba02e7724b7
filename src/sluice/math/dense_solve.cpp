#include "sluice/math/dense_solve.hpp"

#include <cmath>

#include "sluice/math/assert.hpp"

extern "C" {
void dgesv_(const int* n, const int* columns, double* a, const int* lda, int* pivots, double* b,
            const int* ldb, int* info);
}

namespace sluice::math {

std::optional<std::vector<double>> dense_solve(const std::vector<double>& matrix, std::vector<double> b) {
  SLUICE_ASSERT(matrix.size() == b.size() * b.size());
  const std::size_t m = b.size();
  std::vector<double> columns(matrix.size());  // LAPACK's matrices stand column by column
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < m; ++j) columns[j * m + i] = matrix[i * m + j];
  }
  std::vector<int> pivots(m);
  const auto size = static_cast<int>(m);
  const int one = 1;
  int info = 0;
  dgesv_(&size, &one, columns.data(), &size, pivots.data(), b.data(), &size, &info);
  if (info != 0) return std::nullopt;
  for (const double x : b) {
    if (!std::isfinite(x)) return std::nullopt;
  }
  return b;
}

}  // namespace sluice::math
