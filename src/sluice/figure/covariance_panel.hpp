/// The panel of the recipe `samples` that holds a task's stated covariance against the measured one.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sluice/figure/canvas.hpp"
#include "sluice/figure/samples_view.hpp"

namespace sluice::figure {

/// Cov_d = mean over sites i of Cov(X_i, X_{i+d}), estimated from samples.
struct MeasuredCovariance {
  std::vector<double> distance, covariance, standard_error;
};

/// At these distances along rows of `line` sites that close on themselves (a ring is one row, a torus several) or, as those of an
/// image, do not, from samples
/// x [N, sites], without bias: every site about its own mean, over N − 1. The standard error is that of the mean over
/// samples, so correlated sites do not make it too small; NaN below two samples.
MeasuredCovariance measure_covariance(std::span<const float> x, std::size_t sites, std::size_t line,
                                      std::span<const std::size_t> distances, bool closed = true);

/// Covariance against ring distance of both classes, copied out of a view: stated and measured.
struct CovariancePanel {
  explicit CovariancePanel(const SamplesView& view);
  void draw(Canvas& canvas, const Box& box) const;

 private:
  std::string along_;                          // what a distance is
  std::array<std::vector<double>, 2> stated_;  // [d], as far as there is something to see
  std::array<MeasuredCovariance, 2> measured_;
};

}  // namespace sluice::figure
