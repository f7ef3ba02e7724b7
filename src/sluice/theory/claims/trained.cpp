/// What training one unit is observed to do.
#include "sluice/learn/trainer.hpp"
#include "sluice/math/quantile.hpp"
#include "sluice/net/two_layer_network.hpp"
#include "sluice/task/gaussian_clone.hpp"
#include "sluice/task/nlgp.hpp"
#include "sluice/theory/claims/tables.hpp"

namespace sluice::theory::claims {
namespace of_trained {
namespace {

/// Median over a few seeds of Σw⁴/(Σw²)² of one ReLU unit, n = 40, after 200 units of time.
double trained_ipr(const Sampler& sampler, const task::Task& task) {
  net::TwoLayerOptions options;
  options.hidden = 1;
  const net::TwoLayerNetwork network(options, task.inputs());
  const learn::OutputLoss loss(learn::loss("half-squared"), 1, task.midpoint());
  learn::TrainingOptions training;
  training.optimizer.rate = 0.2;
  training.batch = 500;
  constexpr std::int64_t kSteps = 1000;
  std::vector<double> ratios;
  for (std::uint64_t seed = sampler.seed(); seed < sampler.seed() + 5; ++seed) {
    learn::State start;
    start.parameters = network.start(seed);
    learn::Trainer trainer(learn::FreshBatches(task, seed, math::Purpose::training, training.batch), network,
                           loss, training, seed, std::move(start), sampler.workers());
    for (std::int64_t step = 0; step < kSteps; ++step) trainer.move();
    const std::vector<float>& parameters = trainer.state().parameters;
    const auto weights = network.layers().view(std::span<const float>(parameters)).weights;
    Vector w(weights.size());
    for (std::size_t i = 0; i < w.size(); ++i) w[i] = static_cast<double>(weights[i]);
    ratios.push_back(Vector(w * w * w * w).sum() / std::pow(dot(w, w), 2));
  }
  return math::median(ratios);
}

constexpr double kLocalized = 0.2;  // an eighth of the 40 sites carries the field; random ones sit at 3/n
constexpr double kExtended = 0.1;   // half of that

/// An observation has no predicted value: only what was measured, and on which side it lies.
Finding observed(double ratio, bool passed) {
  return {.measured = ratio,
          .passed = passed,
          .evidence = "training, median IPR of 5 seeds; localized fields from 0.2"};
}

/// N0.c1: nlgp data, gain 3: localized for ξ = (2,1), extended for ξ = (1,2). 24 seeds of 4000 steps gave 0.636 and 0.058.
Finding localization(const Sampler& sampler) {
  task::NlgpOptions options;
  const double localized = trained_ipr(sampler, task::Nlgp(options));
  options.xi = {1, 2};
  const double extended = trained_ipr(sampler, task::Nlgp(options));
  return observed(localized, localized > kLocalized && extended < kExtended);
}

/// N0.c7: the Gaussian with the same covariance stays extended.
Finding clone_does_not_localize(const Sampler& sampler) {
  const double extended = trained_ipr(sampler, task::GaussianClone({}));
  return observed(extended, extended < kExtended);
}

constexpr Claim kClaims[] = {
    {"N0.c1", "ReLU units localize if ξ₁ > ξ₀ and oscillate otherwise (gain 3, inverse participation ratio)",
     "000, §1", Verdict::holds, localization},
    {"N0.c7", "a Gaussian with the covariance of the data does not localize", "000, conclusion of §2",
     Verdict::holds, clone_does_not_localize},
};

}  // namespace
}  // namespace of_trained

std::span<const Claim> trained() { return of_trained::kClaims; }

}  // namespace sluice::theory::claims
