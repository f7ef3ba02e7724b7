#include "sluice/kernel/spectrum.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <limits>
#include <numeric>

namespace sluice::kernel {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::Map<const Matrix> view(const SampleMatrix<double>& matrix) {
  return {matrix.values.data(), matrix.n, matrix.n};
}

}  // namespace

std::vector<double> eigenvalues(const SampleMatrix<double>& matrix) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(view(matrix), Eigen::EigenvaluesOnly);
  const auto& values = solver.eigenvalues();
  return {values.begin(), values.end()};
}

std::vector<double> cumulative(std::span<const double> ascending) {
  std::vector<double> sums(ascending.size());
  std::partial_sum(ascending.begin(), ascending.end(), sums.begin());
  return sums;
}

double condition_number(std::span<const double> ascending) {
  return ascending.front() > 0 ? ascending.back() / ascending.front()
                               : std::numeric_limits<double>::infinity();
}

SampleMatrix<double> trace_normalised(SampleMatrix<double> matrix) {
  double trace = 0;
  for (std::int64_t s = 0; s < matrix.n; ++s) trace += matrix.at(s, s);
  for (double& value : matrix.values) value /= trace;
  return matrix;
}

double alignment(const SampleMatrix<double>& matrix, std::span<const double> y) {
  const Eigen::LLT<Matrix> factor(view(matrix));
  if (factor.info() != Eigen::Success) return std::numeric_limits<double>::infinity();
  const Eigen::Map<const Eigen::VectorXd> labels(y.data(), static_cast<Eigen::Index>(y.size()));
  return labels.dot(factor.solve(labels));
}

}  // namespace sluice::kernel
