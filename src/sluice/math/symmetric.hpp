/// Real symmetric matrices, by LAPACK (OpenBLAS where it is installed): divide and conquer, dsyevd.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sluice::math {

/// A = Σ_i λ_i p_i p_iᵀ, the eigenvalues ascending, the p_i orthonormal.
struct SymmetricEigen {
  std::vector<double> values;   ///< [m]
  std::vector<double> vectors;  ///< [m, m]: row i is p_i
};
/// Of a matrix [m, m], of which the lower triangle is read. Bits depend on the LAPACK that is installed.
SymmetricEigen symmetric_eigen(std::vector<double> matrix, std::int64_t m);

/// C[m, n] = A[m, k] · B[k, n], row-major and dense: for large matrices, by BLAS.
void dense_product(std::int64_t m, std::int64_t n, std::int64_t k, std::span<const double> a,
                   std::span<const double> b, std::span<double> c);

}  // namespace sluice::math
