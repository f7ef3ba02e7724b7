#include "sluice/theory/trained_unit.hpp"

#include <memory>

#include "sluice/flow/class_covariance.hpp"
#include "sluice/flow/flow.hpp"
#include "sluice/flow/population.hpp"
#include "sluice/flow/relu_landscape.hpp"
#include "sluice/flow/sampled.hpp"
#include "sluice/net/init.hpp"

namespace sluice::theory {

std::vector<double> flow_end(const task::Task& task, const flow::Response& f, const Vector& start,
                             double time) {
  const flow::OneUnit first(flow::class_covariance(task, 0), &f);
  const flow::OneUnit second(flow::class_covariance(task, 1));
  const flow::ReluLandscape landscape(1, {&first, &second}, {1.0, 0.0});
  constexpr double kTolerance = 1e-4;  // well below the error of the samples
  flow::Flow unit(landscape, {.parameters = {std::begin(start), std::end(start)}}, {.tolerance = kTolerance});
  unit.advance(time);
  return unit.state().parameters;
}

Vector trained_field(const task::NlgpOptions& options) {
  constexpr std::int64_t kSamples = 1 << 12;
  constexpr double kTime = 200;
  constexpr std::uint64_t kSeed = 1;
  const std::unique_ptr<task::Task> task = options.make();
  math::Workers workers(math::hardware_threads());
  const flow::SampledResponse sampled(*task, 0, {.samples = kSamples}, workers);
  const std::vector<float> start =
      net::initial_parameters(net::TwoLayerOptions{.hidden = 1}, task->inputs(), kSeed);
  Vector w(static_cast<std::size_t>(task->inputs()));
  for (std::size_t i = 0; i < w.size(); ++i) w[i] = start[i];
  return vector_of(flow_end(*task, sampled, w, kTime));
}

}  // namespace sluice::theory
