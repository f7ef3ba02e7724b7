/// Symmetric circulant matrices, stored as their first row.
///   M_ij = c_(d(i,j)),   eigenvalues λ_k = Σ_d c_d cos(2πkd/n)                 ledger: A.1, N0.32, N0.33, N0.34, N0.35
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sluice::math {

/// The n real eigenvalues, in the order k = 0 … n−1 (so λ_k = λ_(n−k)). The row must satisfy c_d = c_(n−d).
/// Direct sums for small n, Fourier sums for large n: O(n log n), exact to rounding for every n.
std::vector<double> circulant_eigenvalues(std::span<const double> row);

/// The first row of the circulant matrix with these eigenvalues (which must satisfy λ_k = λ_(n−k)).
std::vector<double> circulant_row(std::span<const double> eigenvalues);

/// The n² eigenvalues, [k₁,k₂], of the doubly circulant matrix on a torus of n × n sites whose first row is `row`, with
/// c_(d₁,d₂) = c_(n−d₁,d₂) = c_(d₁,n−d₂): one axis after the other.
std::vector<double> torus_eigenvalues(std::span<const double> row, std::int64_t n);

/// The nearest valid correlation to a kernel that is not positive semi-definite on the ring (large ξ, N0.c4):
/// negative eigenvalues are set to zero, then the row is divided by its diagonal so that the variance stays 1 and
/// every closed form in r holds with the projected r.
struct Correlation {
  std::vector<double> row;          ///< what is used: unit diagonal, positive semi-definite
  std::vector<double> eigenvalues;  ///< of `row`, all ≥ 0
  double most_negative = 0;         ///< most negative eigenvalue removed; 0 when the kernel was valid
  double largest_change = 0;        ///< max_d |row_d − kernel_d|
};
Correlation project_to_correlation(std::span<const double> kernel);

}  // namespace sluice::math
