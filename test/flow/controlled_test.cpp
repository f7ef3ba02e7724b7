/// The closed Gaussian form as control variate of a sampled response.
#include "sluice/flow/controlled.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "sluice/flow/class_covariance.hpp"
#include "sluice/flow/gaussian.hpp"
#include "sluice/task/ising.hpp"
#include "sluice/task/nlgp.hpp"
#include "sluice/task/norta.hpp"
#include "test/flow/landscapes.hpp"

namespace sluice::flow {
namespace {

task::NlgpOptions nlgp_of(double gain) {
  task::NlgpOptions options;
  options.n = 20;
  options.gain = gain;
  return options;
}

double distance(std::span<const double> a, std::span<const double> b) {
  double square = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    square += (a[i] - b[i]) * (a[i] - b[i]);
    size += b[i] * b[i];
  }
  return std::sqrt(square / size);
}

/// Root mean square over seeds of the relative error of f(w), of both kinds.
struct Errors {
  double controlled = 0, plain = 0;
};
Errors errors_of(const task::NlgpOptions& options, std::span<const double> w, std::span<const double> truth,
                 int seeds) {
  math::Workers workers(2);
  const auto task = options.make();
  const auto twin = gaussian_twin(options);
  Errors errors;
  std::vector<double> f(w.size());
  for (int seed = 1; seed <= seeds; ++seed) {
    const SampledOptions few{.samples = 1 << 12, .seed = static_cast<std::uint64_t>(seed)};
    ControlledResponse(*task, *twin, 0, few, workers).single(w, f);
    errors.controlled += std::pow(distance(f, truth), 2) / seeds;
    SampledResponse(*task, 0, few, workers).single(w, f);
    errors.plain += std::pow(distance(f, truth), 2) / seeds;
  }
  return {std::sqrt(errors.controlled), std::sqrt(errors.plain)};
}

/// At gain 0.01 the response is the Gaussian one to g² = 1e-4 (X and Z differ by g²/3 of Z³); of the noise of samples a fiftieth is left, where
/// one gate of some thousands flips between X and Z.
TEST(Controlled, IsTheGaussianFlowAtSmallGain) {
  const task::NlgpOptions options = nlgp_of(0.01);
  const std::vector<double> w = test::random_field(20, 1);
  std::vector<double> closed(20);
  GaussianResponse(class_covariance(*options.make(), 0)).single(w, closed);
  const Errors errors = errors_of(options, w, closed, 4);
  EXPECT_LT(errors.controlled, errors.plain / 50);
  EXPECT_LT(errors.controlled, 3e-4);
}

/// At gain 0.5 it is as unbiased as a plain average of 64 times the samples, and closer than one of the same number.
TEST(Controlled, AgreesWithManySamplesAndNeedsFewer) {
  const task::NlgpOptions options = nlgp_of(0.5);
  const std::vector<double> w = test::random_field(20, 2);
  math::Workers workers(2);
  const auto task = options.make();
  const SampledResponse many(*task, 0, {.samples = 1 << 18, .seed = 99}, workers);
  const SampledResponse::Estimate truth = many.single_estimate(w);
  const Errors errors = errors_of(options, w, truth.value, 12);
  EXPECT_LT(errors.controlled,
            0.7 * errors.plain);  // half of the variance, for twice the time, would be no gain
}

TEST(Controlled, KnowsPairsOfUnitsAndScaledInputs) {
  task::NlgpOptions options = nlgp_of(0.02);
  options.normalize = "none";  // X is about 0.02·1.13 Z
  options.scale = 3;
  math::Workers workers(2);
  const auto task = options.make();
  const auto twin = gaussian_twin(options);
  const ControlledResponse response(*task, *twin, 0, {.samples = 1 << 12}, workers);
  std::vector<double> weights = test::random_field(20, 3);
  const std::vector<double> second = test::random_field(20, 4);
  weights.insert(weights.end(), second.begin(), second.end());
  std::vector<double> f(40), pairs(40), closed_f(40), closed_pairs(40), plain_f(40), plain_pairs(40);
  response.respond(weights, f, pairs);
  SampledResponse(*task, 0, {.samples = 1 << 12}, workers).respond(weights, plain_f, plain_pairs);
  GaussianPopulation(class_covariance(*task, 0)).respond(weights, closed_f, closed_pairs);
  EXPECT_LT(distance(f, closed_f), distance(plain_f, closed_f) / 10);
  EXPECT_LT(distance(pairs, closed_pairs), distance(plain_pairs, closed_pairs) / 10);
}

TEST(Controlled, IsForNearlyGaussianInputsOfALatentGaussian) {
  EXPECT_NE(gaussian_twin(nlgp_of(0.3)), nullptr);
  EXPECT_EQ(gaussian_twin(nlgp_of(3)), nullptr);
  EXPECT_EQ(gaussian_twin(task::IsingOptions{}), nullptr);
  task::NortaOptions algebraic;
  algebraic.marginal = "algebraic";
  algebraic.order = 6;
  EXPECT_NE(gaussian_twin(algebraic), nullptr);
  algebraic.order = 3;  // no fourth moment
  EXPECT_EQ(gaussian_twin(algebraic), nullptr);
}

}  // namespace
}  // namespace sluice::flow
