#include "sluice/kernel/spectrum.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
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

double trace(const SampleMatrix<double>& matrix) {
  double sum = 0;
  for (std::int64_t s = 0; s < matrix.n; ++s) sum += matrix.at(s, s);
  return sum;
}

SampleMatrix<double> trace_normalised(SampleMatrix<double> matrix) {
  const double sum = trace(matrix);
  for (double& value : matrix.values) value /= sum;
  return matrix;
}

double alignment(const SampleMatrix<double>& matrix, std::span<const double> y) {
  const Eigen::LLT<Matrix> factor(view(matrix));
  if (factor.info() != Eigen::Success) return std::numeric_limits<double>::infinity();
  const Eigen::Map<const Eigen::VectorXd> labels(y.data(), static_cast<Eigen::Index>(y.size()));
  return labels.dot(factor.solve(labels));
}

double mean_overlap(const SampleMatrix<float>& lambda) {
  double sum = 0;
  for (std::int64_t s = 0; s < lambda.n; ++s) {
    for (std::int64_t t = 0; t < s; ++t) {
      const double both =
          std::sqrt(static_cast<double>(lambda.at(s, s)) * static_cast<double>(lambda.at(t, t)));
      if (both > 0) sum += lambda.at(s, t) / both;
    }
  }
  return 2 * sum / static_cast<double>(lambda.n * std::max<std::int64_t>(lambda.n - 1, 1));
}

}  // namespace sluice::kernel
