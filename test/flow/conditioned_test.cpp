#include "sluice/flow/conditioned.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <limits>

#include "sluice/flow/bumps.hpp"
#include "sluice/flow/gaussian.hpp"
#include "sluice/flow/mean_field.hpp"
#include "sluice/math/ring.hpp"
#include "sluice/task/nlgp.hpp"
#include "test/flow/response_properties.hpp"

namespace sluice::flow {
namespace {

using test::Vector;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr std::int64_t kSites = 40;

ConditionedResponse nlgp(double gain, double xi) { return {math::ring_kernel(kSites, xi), gain}; }

Vector bump(double s) {
  Vector w(kSites);
  for (std::int64_t i = 0; i < kSites; ++i) {
    const auto d = static_cast<double>(math::ring_distance(0, i, kSites));
    w[static_cast<std::size_t>(i)] = std::exp(-d * d / (2 * s * s));
  }
  return w;
}

TEST(ConditionedResponse, IsGaussianWithoutGain) {
  for (const double xi : {1.0, 2.0}) {
    const GaussianResponse gaussian(Covariance::circulant(math::ring_kernel(kSites, xi)));
    for (const Vector& w : {test::random_field(kSites, 71), bump(2), test::unit(kSites, 3)}) {
      EXPECT_TRUE(test::all_close(test::single(nlgp(0, xi), w), test::single(gaussian, w),
                                  test::absolute(1e-9, "quadrature to 6.5 standard deviations")));
      EXPECT_TRUE(test::all_close(test::single(nlgp(1e-3, xi), w), test::single(gaussian, w),
                                  test::absolute(1e-5, "O(g²)")));
    }
  }
}

// C.4, C.5: one site is all the gate sees, and the direction is that site.
TEST(ConditionedResponse, IsExactForOneSite) {
  for (const double gain : {0.3, 3.0, 10.0, kInf}) {
    const BumpResponse exact(math::ring_kernel(kSites, 2), gain);
    const Vector w = test::unit(kSites, 5);
    EXPECT_TRUE(test::all_close(test::single(nlgp(gain, 2), w), test::single(exact, w),
                                test::absolute(1e-6, "quadrature over the direction")))
        << gain;
  }
}

RC_GTEST_PROP(ConditionedResponse, HasTheSymmetries, ()) {
  const double gain = *rc::gen::element(0.2, 3.0, kInf);
  test::expect_symmetries(nlgp(gain, 2), test::random_field(kSites, *rc::gen::inRange(1U, 1'000'000U)),
                          {0, 1e-8, "the direction stands still to 1e-12"});
  RC_ASSERT(!testing::Test::HasFailure());
}

TEST(ConditionedResponse, IsZeroWithoutWeights) {
  EXPECT_EQ(test::single(nlgp(3, 2), Vector(kSites)), Vector(kSites));
}

TEST(ConditionedResponse, ScalesWithTheData) {
  const Vector w = bump(1);
  const ConditionedResponse larger(math::ring_kernel(kSites, 2), 3, 1.7);
  EXPECT_TRUE(test::all_close(test::single(larger, w), test::scaled(test::single(nlgp(3, 2), w), 1.7),
                              {1e-12, 1e-13, "rounding"}));
}

// The direction explains at least as much of Var⟨w,X⟩ as ⟨w,Z⟩ does, and is a direction: |b_i| ≤ 1, Σ_ij a_i b_i = 1.
TEST(ConditionedResponse, DirectionExplainsMore) {
  const double q = task::nlgp_q(3);
  for (const Vector& w : {test::random_field(kSites, 72), bump(2), bump(0.5)}) {
    const auto explained = [&](const Vector& b) {
      double sum = 0;
      for (std::size_t i = 0; i < w.size(); ++i) {
        for (std::size_t j = 0; j < w.size(); ++j) sum += w[i] * w[j] * std::asin(q * b[i] * b[j]);
      }
      return sum;
    };
    const Covariance latent = Covariance::circulant(math::ring_kernel(kSites, 2));
    Vector start(kSites);
    elliptical_single(latent, 1, w, start);
    Vector b(kSites);
    nlgp(3, 2).direction(w, b);
    EXPECT_GT(explained(b), explained(start) * (1 + 1e-6));
  }
}

/// ‖f̂ − f‖/‖f‖ with the sampling noise of f subtracted, and that noise.
struct Errors {
  double conditioned;
  double mean_field;
  double noise;
};
Errors errors(const Vector& w, double gain, double xi) {
  task::NlgpOptions options;
  options.gain = gain;
  options.xi = {xi, xi};
  const task::Nlgp task(options);
  const Vector f = test::single(nlgp(gain, xi), w);
  const Vector coarse = test::single(
      MeanFieldResponse(Covariance::circulant(task.moments(0).covariance), nlgp_amplifier(gain)), w);
  std::vector<test::Estimate> measured(kSites);
  constexpr std::uint32_t kBlock = 1000;
  for (std::uint32_t first = 0; first < 150'000; first += kBlock) {
    const std::vector<float> rows = test::sample_rows(task, {.seed = 73, .row = first}, 0, kBlock);
    for (std::size_t row = 0; row < kBlock; ++row) {
      const float* x = rows.data() + row * kSites;
      const double half_sign = test::gate(test::overlap(w, x)) - 0.5;
      for (std::size_t i = 0; i < kSites; ++i) measured[i].add(half_sign * static_cast<double>(x[i]));
    }
  }
  double fine = 0;
  double rough = 0;
  double noise = 0;
  double size = 0;
  for (std::size_t i = 0; i < kSites; ++i) {
    const double mean = measured[i].mean();
    fine += (f[i] - mean) * (f[i] - mean);
    rough += (coarse[i] - mean) * (coarse[i] - mean);
    noise += measured[i].standard_error() * measured[i].standard_error();
    size += mean * mean;
  }
  return {std::sqrt(std::max(0.0, fine - noise) / size), std::sqrt(std::max(0.0, rough - noise) / size),
          std::sqrt(noise / size)};
}

// docs/theory/mean-field.md: what it says of the conditioned response, with the noise of this smaller sample on top, and
// that the mean field would fail here.
TEST(ConditionedResponse, IsAsGoodAsItsTable) {
  struct Case {
    Vector w;
    double gain;
    double stated;
  };
  for (const auto& [w, gain, stated] :
       {Case{bump(1), 3, 0.010}, Case{bump(2), 3, 0.012}, Case{bump(1), kInf, 0.018}}) {
    const Errors error = errors(w, gain, 2);
    EXPECT_LT(error.conditioned, stated + error.noise) << gain;
    EXPECT_GT(error.mean_field, 3 * (stated + error.noise)) << gain;
  }
}

}  // namespace
}  // namespace sluice::flow
