#include "sluice/flow/sampled.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "sluice/flow/class_covariance.hpp"
#include "sluice/flow/elliptical.hpp"
#include "sluice/flow/flow.hpp"
#include "sluice/flow/gaussian.hpp"
#include "sluice/flow/relu_landscape.hpp"
#include "sluice/task/gaussian.hpp"
#include "sluice/task/nlgp.hpp"
#include "sluice/task/pulse.hpp"
#include "test/flow/landscapes.hpp"
#include "test/support/normals.hpp"

namespace sluice::flow {
namespace {

using test::random_field;

constexpr std::int64_t kSites = 20;

/// A standard error from 16 replicates makes errors Student's with 15 degrees of freedom: beyond 8 of them with probability
/// 1e-6, and the longest test looks at 240 numbers. Float data adds its rounding.
test::Tolerance eight_errors(double standard_error) {
  return {0, 8 * standard_error + 1e-6, "eight standard errors of 16 replicates"};
}

template <class Options>
Options on_the_ring() {
  Options options;
  options.n = kSites;
  return options;
}

void expect_response(const SampledResponse& sampled, const Response& exact, std::span<const double> w) {
  std::vector<double> want(w.size());
  exact.single(w, want);
  const SampledResponse::Estimate got = sampled.single_estimate(w);
  for (std::size_t i = 0; i < w.size(); ++i) {
    EXPECT_TRUE(test::close(got.value[i], want[i], eight_errors(got.standard_error[i]))) << "site " << i;
  }
}

TEST(Sampled, AgreesWithTheGaussianClosedForms) {
  const task::Gaussian task(on_the_ring<task::GaussianOptions>());
  math::Workers workers(2);
  const GaussianResponse exact(Covariance::circulant(task.moments(0).covariance));
  const std::vector<double> w = random_field(kSites, 1);
  const std::vector<double> v = test::bump(kSites, 1.5);
  for (const bool shifts : {true, false}) {
    for (const bool weights : {true, false}) {
      const SampledResponse sampled(task, 0, {.use_shifts = shifts, .use_weights = weights}, workers);
      expect_response(sampled, exact, w);
      expect_response(sampled, exact, v);
      std::vector<double> want(w.size());
      exact.pair(w, v, want);
      const SampledResponse::Estimate got = sampled.pair_estimate(w, v);
      for (std::size_t i = 0; i < want.size(); ++i) {
        EXPECT_TRUE(test::close(got.value[i], want[i], eight_errors(got.standard_error[i]))) << i;
      }
    }
  }
}

TEST(Sampled, AgreesWithTheGaussianOnATorus) {
  task::GaussianOptions options;
  options.n = 6;
  options.dim = 2;
  const task::Gaussian task(options);
  math::Workers workers(2);
  const GaussianResponse exact(class_covariance(task, 0));
  for (const bool weights : {true, false}) {
    const SampledResponse sampled(task, 0, {.use_weights = weights}, workers);
    expect_response(sampled, exact, random_field(36, 7));
  }
}

// More sites than shifts are used: f still belongs to w where it stands.
TEST(Sampled, AgreesWithTheGaussianOnALongRing) {
  task::GaussianOptions options;
  options.n = 301;
  const task::Gaussian task(options);
  math::Workers workers(2);
  const GaussianResponse exact(class_covariance(task, 0));
  const SampledResponse sampled(task, 0, {.samples = 1 << 12}, workers);
  expect_response(sampled, exact, test::bump(301, 3));
}

TEST(Sampled, AgreesWithTheClosedFormOfOneSite) {  // C.4; e_i ± e_j are ties of float data (J.1)
  task::NlgpOptions options = on_the_ring<task::NlgpOptions>();
  const task::Nlgp task(options);
  math::Workers workers(2);
  const SampledResponse sampled(task, 0, {}, workers);
  std::vector<double> w(kSites, 0.0);
  w[3] = 2;
  const SampledResponse::Estimate got = sampled.single_estimate(w);
  for (std::int64_t i = 0; i < kSites; ++i) {
    const auto d = static_cast<double>(math::ring_distance(3, i, kSites));
    const double r = std::exp(-d * d / 4);
    const double want =
        std::asin(std::sqrt(task::nlgp_q(3)) * r) / (M_PI * std::sqrt(task::nlgp_variance(3)));
    const auto at = static_cast<std::size_t>(i);
    EXPECT_TRUE(test::close(got.value[at], want, eight_errors(got.standard_error[at]))) << i;
  }
}

// N1.9: sign data with exact ties, which must count by half: f(e_0 + e_4) = ¼ C (e_0 + e_4), not the limit of large gains.
TEST(Sampled, CountsTiesByHalf) {
  task::NlgpOptions options = on_the_ring<task::NlgpOptions>();
  options.gain = std::numeric_limits<double>::infinity();
  const task::Nlgp task(options);
  math::Workers workers(2);
  const SampledResponse sampled(task, 0, {}, workers);
  std::vector<double> w(kSites, 0.0), want(kSites);
  w[0] = w[4] = 0.3;
  Covariance::circulant(task.moments(0).covariance).times(w, want);
  const SampledResponse::Estimate got = sampled.single_estimate(w);
  for (std::size_t i = 0; i < w.size(); ++i) {
    EXPECT_TRUE(test::close(got.value[i], want[i] / 4 / 0.3, eight_errors(got.standard_error[i]))) << i;
  }
  EXPECT_TRUE(test::close(got.value[2], 0.11991609, eight_errors(got.standard_error[2]))) << "section K";
}

// The standard error is honest: over 40 seeds the error has the spread it claims.
TEST(Sampled, StandardErrorIsTheSpreadOverSeeds) {
  const task::Gaussian task(on_the_ring<task::GaussianOptions>());
  math::Workers workers(2);
  const GaussianResponse exact(Covariance::circulant(task.moments(0).covariance));
  const std::vector<double> w = random_field(kSites, 2);
  std::vector<double> want(w.size());
  exact.single(w, want);
  double claimed = 0;
  double seen = 0;
  constexpr int kSeeds = 40;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const SampledResponse sampled(task, 0, {.samples = 1 << 12, .seed = seed}, workers);
    const SampledResponse::Estimate got = sampled.single_estimate(w);
    claimed += got.standard_error[0] * got.standard_error[0];
    seen += (got.value[0] - want[0]) * (got.value[0] - want[0]);
  }
  // χ² with 40 degrees of freedom: relative sd √(2/40) = 0.22; the claim itself adds √(2/(15·40)) = 0.06.
  EXPECT_NEAR(seen / claimed, 1, 4 * 0.23);
}

// What the header promises: fewer samples for the same error.
TEST(Sampled, ShiftsAndWeightsReduceTheVariance) {
  const task::Nlgp task(on_the_ring<task::NlgpOptions>());
  math::Workers workers(2);
  const std::vector<double> w = test::bump(kSites, 1);
  const auto variance = [&](bool shifts, bool weights) {
    const SampledResponse sampled(task, 0, {.use_shifts = shifts, .use_weights = weights}, workers);
    double sum = 0;
    for (const double error : sampled.single_estimate(w).standard_error) sum += error * error;
    return sum;
  };
  const double neither = variance(false, false);
  EXPECT_LT(variance(true, false), neither / 4);
  EXPECT_LT(variance(true, true), neither / 40);
}

TEST(Sampled, DependsOnTheSeedAndNotOnTheThreads) {
  const task::Nlgp task(on_the_ring<task::NlgpOptions>());
  const std::vector<double> w = random_field(3 * kSites, 3);
  const auto answers = [&](int threads, std::uint64_t seed) {
    math::Workers workers(threads);
    const SampledResponse sampled(task, 0, {.samples = 5000, .seed = seed}, workers);
    std::vector<double> f(w.size()), pairs(w.size());
    sampled.respond(w, f, pairs);
    f.insert(f.end(), pairs.begin(), pairs.end());
    return f;
  };
  EXPECT_EQ(answers(1, 1), answers(3, 1));
  EXPECT_NE(answers(1, 1), answers(1, 2));
}

// Many units in one pass: Σ_k p(w_j, w_k) against the Gaussian closed form, scaled by the error of single pairs.
TEST(Sampled, AnswersManyUnitsInOnePass) {
  const task::Gaussian task(on_the_ring<task::GaussianOptions>());
  math::Workers workers(2);
  constexpr std::size_t kUnits = 5;
  const std::vector<double> w = random_field(kUnits * kSites, 4, 0.3);
  const GaussianPopulation exact(Covariance::circulant(task.moments(0).covariance));
  std::vector<double> f(w.size(), NAN), pairs(w.size(), NAN), want_f(w.size()), want_pairs(w.size());
  exact.respond(w, want_f, want_pairs);
  // Spread over independent seeds gives the error.
  constexpr int kSeeds = 16;
  std::vector<double> mean(2 * w.size()), square(2 * w.size());
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const SampledResponse sampled(task, 0, {.samples = 1 << 13, .seed = seed}, workers);
    sampled.respond(w, f, pairs);
    for (std::size_t i = 0; i < w.size(); ++i) {
      mean[i] += f[i] / kSeeds;
      square[i] += f[i] * f[i] / kSeeds;
      mean[w.size() + i] += pairs[i] / kSeeds;
      square[w.size() + i] += pairs[i] * pairs[i] / kSeeds;
    }
  }
  for (std::size_t i = 0; i < mean.size(); ++i) {
    const double error = std::sqrt((square[i] - mean[i] * mean[i]) / (kSeeds - 1));
    const double want = i < w.size() ? want_f[i] : want_pairs[i - w.size()];
    ASSERT_TRUE(test::close(mean[i], want, eight_errors(error))) << i;
  }
}

// Neither even nor stationary: the plain average, against a direct one over other samples.
TEST(Sampled, TakesTasksWithoutSymmetry) {
  task::PulseOptions options;
  options.n = kSites;
  const auto task = options.make();
  ASSERT_FALSE(task->even());
  ASSERT_TRUE(task->stationary());
  ASSERT_FALSE(task::BlockOptions{}.make()->stationary());
  math::Workers workers(2);
  const SampledResponse sampled(*task, 0, {}, workers);
  const std::vector<double> w = random_field(kSites, 5);
  const SampledResponse::Estimate got = sampled.single_estimate(w);
  constexpr std::int64_t kRows = 40'000;
  const std::vector<float> rows = test::sample_rows(*task, {.seed = 77}, 0, kRows);
  std::vector<double> sum(kSites, 0.0), square(kSites, 0.0);
  for (std::size_t row = 0; row < kRows; ++row) {
    double s = 0;
    for (std::size_t i = 0; i < w.size(); ++i) s += w[i] * static_cast<double>(rows[row * w.size() + i]);
    if (s < 0) continue;
    for (std::size_t i = 0; i < w.size(); ++i) {
      const auto x = static_cast<double>(rows[row * w.size() + i]);
      sum[i] += x / kRows;
      square[i] += x * x / kRows;
    }
  }
  for (std::size_t i = 0; i < w.size(); ++i) {
    const double direct = std::sqrt((square[i] - sum[i] * sum[i]) / kRows);
    const double error = std::hypot(direct, got.standard_error[i]);
    EXPECT_TRUE(test::close(got.value[i], sum[i], eight_errors(error))) << i;
  }
}

// The loss it states goes downhill along the flow it drives, and the network it drives is the sampled one.
TEST(Sampled, DrivesAFlowDownhill) {
  const task::Nlgp task(on_the_ring<task::NlgpOptions>());
  math::Workers workers(2);
  const SampledResponse first(task, 0, {.samples = 1 << 13}, workers);
  const SampledResponse second(task, 1, {.samples = 1 << 13}, workers);
  for (const std::int64_t units : {1, 3}) {
    const ReluLandscape landscape(units, {&first, &second}, task.classes().labels);
    Flow flow(landscape, {.parameters = random_field(landscape.size(), 6, 0.2)}, {.tolerance = 1e-4});
    double before = flow.loss();
    const double start = before;
    for (double t = 1; t < 60; t *= 2) {
      EXPECT_EQ(flow.advance(t), Stop::time_reached);
      EXPECT_LT(flow.loss(), before + 1e-5);
      before = flow.loss();
    }
    EXPECT_LT(before, start - 0.01);
  }
}

}  // namespace
}  // namespace sluice::flow
