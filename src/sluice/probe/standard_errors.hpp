/// Standard errors of a least-squares fit, from its normal matrix J'J at the minimum and the variance s² of the residuals:
///   Cov p = s² (J'J)⁻¹,     error of q(p) = √(∇q' Cov p ∇q)
/// Directions in which the sum of squares does not change leave what depends on them without a value: its error is infinite.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sluice::probe {

class StandardErrors {
 public:
  /// J'J [m, m], and Σr²/(n − m).
  StandardErrors(std::span<const double> normal_matrix, std::int64_t unknowns, double variance);

  /// Of the quantity with this gradient [m].
  double of(std::span<const double> gradient) const;
  /// Of one of the parameters.
  double of_parameter(std::int64_t index) const;

 private:
  std::int64_t unknowns_;
  double variance_;
  std::vector<double> unit_;    // [m], 1/√(J'J)_jj: parameters in units in which each alone has curvature 1
  std::vector<double> values_;  // [m], eigenvalues in these units
  std::vector<double> vectors_;  // [m, m], one row each
};

}  // namespace sluice::probe
