#include "sluice/flow/controlled.hpp"

#include <cmath>
#include <vector>

#include "sluice/flow/class_covariance.hpp"
#include "sluice/task/gaussian.hpp"
#include "sluice/task/nlgp.hpp"
#include "sluice/task/norta.hpp"

namespace sluice::flow {
namespace {

/// Excess kurtosis of a site up to which the variance falls at least fourfold, for twice the time: gain 1.
constexpr double kNearlyGaussian = 1.45;

std::unique_ptr<task::Task> latent_task(const task::RingOptions& ring) {
  task::GaussianOptions options;
  static_cast<task::RingOptions&>(options) = ring;
  return options.make();
}

}  // namespace

std::unique_ptr<task::Task> gaussian_twin(const task::Options& options) {
  const task::RingOptions* ring = dynamic_cast<const task::NlgpOptions*>(&options);
  if (ring == nullptr) ring = dynamic_cast<const task::NortaOptions*>(&options);
  if (ring == nullptr || !(std::abs(options.make()->moments(0).excess_kurtosis) <= kNearlyGaussian))
    return nullptr;
  return latent_task(*ring);
}

ControlledResponse::ControlledResponse(const task::Task& task, const task::Task& twin, int which_class,
                                       const SampledOptions& options, math::Workers& workers)
    : sampled_(task, which_class, options, workers),
      twin_(twin, which_class, options, workers),
      closed_(class_covariance(twin, which_class)),
      deviation_(std::sqrt(task.moments(which_class).covariance.front())) {}

void ControlledResponse::single(std::span<const double> w, std::span<double> f) const {
  std::vector<double> known(w.size()), estimated(w.size()), pairs(w.size());
  closed_.respond(w, known, pairs);
  twin_.single(w, estimated);
  sampled_.single(w, f);
  for (std::size_t i = 0; i < f.size(); ++i) f[i] += deviation_ * (known[i] - estimated[i]);
}

void ControlledResponse::respond(std::span<const double> weights, std::span<double> f,
                                 std::span<double> pairs) const {
  std::vector<double> known_f(f.size()), known_pairs(pairs.size()), twin_f(f.size()),
      twin_pairs(pairs.size());
  closed_.respond(weights, known_f, known_pairs);
  twin_.respond(weights, twin_f, twin_pairs);
  sampled_.respond(weights, f, pairs);
  for (std::size_t i = 0; i < f.size(); ++i) f[i] += deviation_ * (known_f[i] - twin_f[i]);
  for (std::size_t i = 0; i < pairs.size(); ++i)
    pairs[i] += deviation_ * deviation_ * (known_pairs[i] - twin_pairs[i]);
}

}  // namespace sluice::flow
