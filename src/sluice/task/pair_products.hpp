/// Products of a sample with itself, shifted: what the empirical covariance of a layout is summed from.
///   ring, plain   Σ_i x_i x_(i+d)                      the shift goes around, [d]
///   torus         Σ x_(i,j) x_(i+d₁, j+d₂)             around both ways, [columns·d₁ + d₂]
///   image         the mean over the pairs there are, times n: a border is a border. Of several channels also those of two,
///                 c and c + d₀: [(rows·d₀ + d₁)·columns + d₂]
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sluice/task/task.hpp"

namespace sluice::task {

class PairProducts {
 public:
  explicit PairProducts(const Layout& layout) : layout_(layout) {}

  /// Adds the products of x [n], divided by `over`, to sums [n].
  void add(std::span<const double> x, double over, std::span<double> sums) const;

 private:
  Layout layout_;
};

}  // namespace sluice::task
