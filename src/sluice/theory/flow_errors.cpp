#include "sluice/theory/flow_errors.hpp"

#include <memory>

#include "sluice/flow/class_covariance.hpp"
#include "sluice/flow/conditioned.hpp"
#include "sluice/flow/gaussian.hpp"
#include "sluice/flow/mean_field.hpp"
#include "sluice/flow/sampled.hpp"
#include "sluice/math/circulant.hpp"
#include "sluice/math/quantile.hpp"
#include "sluice/math/relative_distance.hpp"
#include "sluice/math/ring.hpp"
#include "sluice/theory/trained_unit.hpp"

namespace sluice::theory {
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
    const std::vector<double> truth = flow_end(*task, sampled, start, time);
    for (std::size_t i = 0; i < approximate.size(); ++i)
      errors.at(i).push_back(
          math::relative_distance<double>(flow_end(*task, *approximate.at(i), start, time), truth));
  }
  return {math::median(errors[0]), math::median(errors[1]), math::median(errors[2])};
}

}  // namespace sluice::theory
