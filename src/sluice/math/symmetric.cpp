#include "sluice/math/symmetric.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "sluice/math/assert.hpp"
#include "sluice/math/memory.hpp"

// Declared here: LAPACK's own headers differ between the packages that bring it, its symbols do not.
extern "C" {
void dsyevd_(const char* job, const char* triangle, const int* n, double* a, const int* lda, double* w,
             double* work, const int* lwork, int* iwork, const int* liwork, int* info);
void dgemm_(const char* ta, const char* tb, const int* m, const int* n, const int* k, const double* alpha,
            const double* a, const int* lda, const double* b, const int* ldb, const double* beta, double* c,
            const int* ldc);
}

namespace sluice::math {

namespace {

/// OpenBLAS takes room for its buffer when a thread first needs it, and asks for it again and again where there is none (128 MiB; ulimit -v).
void require_room_of_blas() {
  thread_local bool there = false;
  if (there) return;
  require_room(std::size_t{129} << 20);
  there = true;
}

}  // namespace

SymmetricEigen symmetric_eigen(std::vector<double> matrix, std::int64_t m) {
  SLUICE_ASSERT(matrix.size() == static_cast<std::size_t>(m * m));
  const auto n = static_cast<int>(m);
  SymmetricEigen eigen{std::vector<double>(static_cast<std::size_t>(m)), std::move(matrix)};
  if (m == 0) return eigen;
  require_room_of_blas();
  int info = 0, lwork = -1, liwork = -1, liwork_wanted = 0;
  double lwork_wanted = 0;
  // Our rows are LAPACK's columns: our lower triangle is its upper one, and its eigenvectors, columns, are our rows.
  dsyevd_("V", "U", &n, eigen.vectors.data(), &n, eigen.values.data(), &lwork_wanted, &lwork, &liwork_wanted,
          &liwork, &info);
  lwork = static_cast<int>(lwork_wanted);
  liwork = liwork_wanted;
  std::vector<double> work(static_cast<std::size_t>(lwork));
  std::vector<int> iwork(static_cast<std::size_t>(liwork));
  dsyevd_("V", "U", &n, eigen.vectors.data(), &n, eigen.values.data(), work.data(), &lwork, iwork.data(),
          &liwork, &info);
  if (info != 0)
    throw std::runtime_error("eigenvalues of a symmetric matrix: LAPACK's dsyevd says " +
                             std::to_string(info));
  return eigen;
}

void dense_product(std::int64_t m, std::int64_t n, std::int64_t k, std::span<const double> a,
                   std::span<const double> b, std::span<double> c) {
  SLUICE_ASSERT(a.size() == static_cast<std::size_t>(m * k) && b.size() == static_cast<std::size_t>(k * n));
  SLUICE_ASSERT(c.size() == static_cast<std::size_t>(m * n));
  if (m == 0 || n == 0) return;
  require_room_of_blas();
  // Row-major C = A B is column-major Cᵀ = Bᵀ Aᵀ.
  const auto rows = static_cast<int>(n), columns = static_cast<int>(m), inner = static_cast<int>(k);
  const double one = 1, zero = 0;
  const int lda = std::max(rows, 1), ldb = std::max(inner, 1);
  dgemm_("N", "N", &rows, &columns, &inner, &one, b.data(), &lda, a.data(), &ldb, &zero, c.data(), &lda);
}

}  // namespace sluice::math
