#include "sluice/probe/standard_errors.hpp"

#include <Eigen/Dense>
#include <cmath>
#include <limits>

namespace sluice::probe {

StandardErrors::StandardErrors(std::span<const double> normal_matrix, std::int64_t unknowns, double variance)
    : unknowns_(unknowns), variance_(variance) {
  const auto m = static_cast<std::size_t>(unknowns);
  for (std::size_t j = 0; j < m; ++j) {
    const double square = normal_matrix[j * m + j];
    unit_.push_back(square > 0 ? 1 / std::sqrt(square) : 0);
  }
  Eigen::MatrixXd scaled(unknowns, unknowns);
  for (std::size_t j = 0; j < m; ++j)
    for (std::size_t k = 0; k < m; ++k)
      scaled(static_cast<Eigen::Index>(j), static_cast<Eigen::Index>(k)) =
          normal_matrix[j * m + k] * unit_[j] * unit_[k];
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(scaled);
  for (Eigen::Index i = 0; i < unknowns; ++i) {
    values_.push_back(solver.eigenvalues()[i]);
    for (Eigen::Index j = 0; j < unknowns; ++j) vectors_.push_back(solver.eigenvectors()(j, i));
  }
}

double StandardErrors::of(std::span<const double> gradient) const {
  constexpr double kFlat = 1e-10;  // of a curvature of 1
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  const auto m = static_cast<std::size_t>(unknowns_);
  double length = 0;
  for (std::size_t j = 0; j < m; ++j) {
    if (gradient[j] != 0 && unit_[j] == 0) return kInfinite;  // of no effect at all
    length += std::pow(gradient[j] * unit_[j], 2);
  }
  double sum = 0;
  for (std::size_t i = 0; i < m; ++i) {
    double along = 0;
    for (std::size_t j = 0; j < m; ++j) along += vectors_[i * m + j] * gradient[j] * unit_[j];
    if (values_[i] > kFlat)
      sum += along * along / values_[i];
    else if (along * along > kFlat * length)
      return kInfinite;
  }
  return std::sqrt(variance_ * sum);
}

double StandardErrors::of_parameter(std::int64_t index) const {
  std::vector<double> gradient(static_cast<std::size_t>(unknowns_));
  gradient[static_cast<std::size_t>(index)] = 1;
  return of(gradient);
}

}  // namespace sluice::probe
