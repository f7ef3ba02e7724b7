/// Symmetric circulant matrices, stored as their first row.
///   M_ij = c_(d(i,j)),   eigenvalues λ_k = Σ_d c_d cos(2πkd/n)                             ledger: A.1, N0.32–35
#pragma once

#include <span>
#include <vector>

namespace sluice::math {

/// The n real eigenvalues, in the order k = 0 … n−1 (so λ_k = λ_(n−k)). The row must satisfy c_d = c_(n−d).
/// Direct sums over a cosine table, O(n²): exact to rounding for every n.
std::vector<double> circulant_eigenvalues(std::span<const double> row);

/// The first row of the circulant matrix with these eigenvalues (which must satisfy λ_k = λ_(n−k)).
std::vector<double> circulant_row(std::span<const double> eigenvalues);

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

/// The symmetric positive square root R = M^(1/2) as a dense n × n matrix, row by row: Z = R ε has covariance M.
std::vector<float> circulant_root(std::span<const double> eigenvalues);

}  // namespace sluice::math
