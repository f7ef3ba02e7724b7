/// Mean and standard error of independent numbers, one per sample.
#pragma once

#include <cmath>
#include <cstdint>

namespace sluice::test {

class Estimate {
 public:
  void add(double value) {
    ++count_;
    const double delta = value - mean_;  // Welford: no cancellation
    mean_ += delta / static_cast<double>(count_);
    squares_ += delta * (value - mean_);
  }
  double mean() const { return mean_; }
  double standard_error() const {
    const auto n = static_cast<double>(count_);
    return std::sqrt(squares_ / (n - 1) / n);
  }

 private:
  std::int64_t count_ = 0;
  double mean_ = 0;
  double squares_ = 0;
};

}  // namespace sluice::test
