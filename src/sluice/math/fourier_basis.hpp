/// The real sine and cosine basis of a ring of n sites, orthonormal for even and odd n.  ledger: A.2, N0.33, N0.34, N0.35, N0.c9
///   mode 0          1/√n
///   mode 2j − 1     √(2/n) cos(2πji/n)     0 < j < n/2
///   mode 2j         √(2/n) sin(2πji/n)     0 < j < n/2
///   mode n − 1      (−1)^i/√n              n even
/// It diagonalises every symmetric circulant matrix (N0.34). On a torus of n × n sites (site i of row r is r·n + i) the
/// basis is the product of two, which diagonalises every matrix whose entries depend on the two ring distances alone.
/// O(n log n) both ways; a plan may be used by several threads at once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sluice/math/fourier.hpp"

namespace sluice::math {

class FourierBasis {
 public:
  /// A ring of n sites (dim = 1) or a torus of n × n (dim = 2).
  explicit FourierBasis(std::int64_t n, std::int64_t dim = 1);

  std::int64_t sites() const { return dim_ == 1 ? n_ : n_ * n_; }
  /// Periods around the ring of a mode (0 ≤ mode < n) along one axis.
  static std::int64_t frequency(std::int64_t mode) { return (mode + 1) / 2; }
  /// The cosine or the sine that goes with a sine or cosine along one axis; the mode itself for the flat and the alternating
  /// one.
  std::int64_t partner(std::int64_t mode) const;

  /// u = F'w.
  std::vector<double> analyse(std::span<const double> w) const;
  /// w = F u.
  std::vector<double> synthesise(std::span<const double> u) const;
  /// Eigenvalues, mode by mode, of the symmetric matrix with this first row (c_d = c_(n−d) along each axis):
  ///   λ_k = Σ_d c_d cos(2πkd/n)                                                                       ledger: A.1
  std::vector<double> eigenvalues(std::span<const double> row) const;

 private:
  /// One line of sites (modes), `stride` apart, in place. `sums` has 2n numbers.
  using Line = void (FourierBasis::*)(double* line, std::int64_t stride, std::span<double> sums) const;
  void along_every_axis(Line transform, std::span<double> values) const;
  void analyse_line(double* line, std::int64_t stride, std::span<double> sums) const;
  void synthesise_line(double* line, std::int64_t stride, std::span<double> sums) const;
  void eigenvalues_line(double* line, std::int64_t stride, std::span<double> sums) const;
  void fourier_sums(const double* line, std::int64_t stride, std::span<double> sums) const;
  double norm(std::int64_t mode) const;

  std::int64_t n_;
  std::int64_t dim_;
  FourierPlan<double> plan_;
};

}  // namespace sluice::math
