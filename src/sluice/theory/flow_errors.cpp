#include "sluice/theory/flow_errors.hpp"

#include <memory>

#include "sluice/flow/class_covariance.hpp"
#include "sluice/flow/conditioned.hpp"
#include "sluice/flow/flow.hpp"
#include "sluice/flow/gaussian.hpp"
#include "sluice/flow/mean_field.hpp"
#include "sluice/flow/population.hpp"
#include "sluice/flow/relu_landscape.hpp"
#include "sluice/flow/sampled.hpp"
#include "sluice/math/circulant.hpp"
#include "sluice/math/quantile.hpp"
#include "sluice/math/relative_distance.hpp"
#include "sluice/math/ring.hpp"

namespace sluice::theory {
namespace {

/// Where one unit is at `time` when its first class answers by f.
std::vector<double> end_of(const task::Task& task, const flow::Response& f, const Vector& start,
                           double time) {
  const flow::OneUnit first(flow::class_covariance(task, 0), &f);
  const flow::OneUnit second(flow::class_covariance(task, 1));
  const flow::ReluLandscape landscape(1, {&first, &second}, {1.0, 0.0});
  constexpr double kTolerance = 1e-4;  // well below the error of the samples
  flow::Flow unit(landscape, {.parameters = {std::begin(start), std::end(start)}}, {.tolerance = kTolerance});
  unit.advance(time);
  return unit.state().parameters;
}

}  // namespace

std::array<double, 3> flow_errors(const task::NlgpOptions& options, const std::vector<Vector>& starts,
                                  double time) {
  const std::unique_ptr<task::Task> task = options.make();
  math::Workers workers(math::hardware_threads());
  const flow::SampledResponse sampled(*task, 0, {}, workers);
  const flow::Covariance covariance = flow::class_covariance(*task, 0);
  const flow::GaussianResponse gaussian(covariance);
  const flow::MeanFieldResponse mean_field(covariance, flow::nlgp_amplifier(options.gain));
  const flow::ConditionedResponse conditioned(
      math::project_to_correlation(math::ring_kernel(options.n, options.xi[0])).row, options.gain);
  const std::array<const flow::Response*, 3> approximate{&gaussian, &mean_field, &conditioned};
  std::array<std::vector<double>, 3> errors;
  for (const Vector& start : starts) {
    const std::vector<double> truth = end_of(*task, sampled, start, time);
    for (std::size_t i = 0; i < approximate.size(); ++i)
      errors.at(i).push_back(
          math::relative_distance<double>(end_of(*task, *approximate.at(i), start, time), truth));
  }
  return {math::median(errors[0]), math::median(errors[1]), math::median(errors[2])};
}

}  // namespace sluice::theory
