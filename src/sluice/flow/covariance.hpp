/// The second moments of one class, as the matrix C that every response operator starts from.
///   circulant   C_ij = c_(j−i mod n), stored as its row twice over, so that a product is n contiguous dot products
///   dense       any symmetric matrix
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace sluice::flow {

class Covariance {
 public:
  /// On a ring, from the first row (what task::Moments calls covariance); c_d = c_(n−d).
  static Covariance circulant(std::span<const double> row);
  /// n × n numbers, row by row.
  static Covariance dense(std::span<const double> matrix);

  std::int64_t inputs() const { return n_; }
  /// (Cw)_i
  double times(std::size_t i, std::span<const double> w) const;
  /// Cw
  void times(std::span<const double> w, std::span<double> out) const;
  /// C_ij
  double operator()(std::size_t i, std::size_t j) const { return row(i)[static_cast<std::ptrdiff_t>(j)]; }

 private:
  Covariance(std::int64_t n, std::vector<double> values, std::ptrdiff_t origin, std::ptrdiff_t step)
      : n_(n), values_(std::move(values)), origin_(origin), step_(step) {}
  const double* row(std::size_t i) const {
    return values_.data() + origin_ + static_cast<std::ptrdiff_t>(i) * step_;
  }

  std::int64_t n_;
  std::vector<double> values_;
  std::ptrdiff_t origin_;  // row i begins at values_[origin_ + i·step_]
  std::ptrdiff_t step_;
};

}  // namespace sluice::flow
