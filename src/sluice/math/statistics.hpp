/// Mean, standard deviation and standard error of some numbers.
#pragma once

#include <cmath>
#include <span>

namespace sluice::math {

class Statistics {
 public:
  explicit Statistics(std::span<const double> values) : count_(static_cast<double>(values.size())) {
    for (const double value : values) mean_ += value / count_;
    for (const double value : values) squares_ += (value - mean_) * (value - mean_);
  }

  double mean() const { return mean_; }
  /// √(Σ(x−m)²/(N−1)); 0 of a single number.
  double deviation() const { return count_ > 1 ? std::sqrt(squares_ / (count_ - 1)) : 0; }
  /// Of the mean.
  double error() const { return deviation() / std::sqrt(count_); }

 private:
  double count_;
  double mean_ = 0;
  double squares_ = 0;
};

}  // namespace sluice::math
