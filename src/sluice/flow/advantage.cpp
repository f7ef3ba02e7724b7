#include "sluice/flow/advantage.hpp"

#include <cmath>
#include <numeric>
#include <vector>

#include "sluice/flow/class_covariance.hpp"

namespace sluice::flow {
namespace {

/// w'C_c w.
double variance(const task::Task& task, int which_class, std::span<const double> w) {
  std::vector<double> image(w.size());
  class_covariance(task, which_class).times(w, image);
  return std::inner_product(w.begin(), w.end(), image.begin(), 0.0);
}

}  // namespace

Advantage advantage(double mean_absolute, double standard_error, double first_variance,
                    double second_variance) {
  const double both = first_variance + second_variance;
  Advantage result;
  result.kappa = mean_absolute / std::sqrt(first_variance);
  result.variance_ratio = second_variance / first_variance;
  result.value = mean_absolute * mean_absolute / both;
  result.best_scale = mean_absolute / both;
  result.best_loss = 0.25 - result.value / 8;
  result.loss_error = mean_absolute * standard_error / (4 * both);
  return result;
}

Advantage advantage(const task::Task& task, std::span<const double> w, const Response& response) {
  std::vector<double> f(w.size());
  response.single(w, f);
  const double output = std::inner_product(w.begin(), w.end(), f.begin(), 0.0);
  return advantage(2 * output, 0, variance(task, 0, w), variance(task, 1, w));
}

Advantage advantage(const task::Task& task, std::span<const double> w, const SampledResponse& response) {
  const SampledResponse::Estimate output = response.mean_output(w);
  return advantage(2 * output.value[0], 2 * output.standard_error[0], variance(task, 0, w),
                   variance(task, 1, w));
}

}  // namespace sluice::flow
