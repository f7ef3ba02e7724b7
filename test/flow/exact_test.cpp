#include "sluice/flow/exact.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "sluice/flow/ising.hpp"
#include "sluice/task/ising.hpp"
#include "sluice/task/pulse.hpp"
#include "test/flow/response_properties.hpp"

namespace sluice::flow {
namespace {

using test::Vector;

const test::Tolerance kRounding{1e-11, 1e-12, "rounding"};

/// All 2ⁿ states with their Boltzmann weights.
task::FiniteSupport all_spins(std::size_t n, double coupling) {
  task::FiniteSupport support{.inputs = static_cast<std::int64_t>(n)};
  double total = 0;
  for (std::size_t state = 0; state < std::size_t{1} << n; ++state) {
    double energy = 0;
    for (std::size_t i = 0; i < n; ++i) {
      support.points.push_back((state >> i & 1U) != 0 ? 1.0 : -1.0);
      energy += (state >> i & 1U) == (state >> (i + 1) % n & 1U) ? coupling : -coupling;
    }
    total += support.weights.emplace_back(std::exp(energy));
  }
  for (double& weight : support.weights) weight /= total;
  return support;
}

Vector integers(std::size_t n, int low, int high) {
  Vector w(n);
  for (double& value : w) value = *rc::gen::inRange(low, high + 1);
  return w;
}

TEST(ExactResponse, OnThreePoints) {
  const ExactResponse response({2, {1, 0, -1, 0, 0, 2}, {0.5, 0.3, 0.2}});
  EXPECT_TRUE(test::all_close(test::single(response, {1, 0}), {0.5, 0.2}, kRounding));  // the third is a tie
  EXPECT_TRUE(test::all_close(test::single(response, {-1, 0}), {-0.3, 0.2}, kRounding));
  EXPECT_TRUE(test::all_close(test::pair(response, {1, 0}, {3, 5}), {1.5, 0.2 * 0.5 * 10 * 2}, kRounding));
  EXPECT_THROW(ExactResponse({2, {1, 0}, {0.5, 0.5}}), std::invalid_argument);
}

// J.2: in floating point 0.1 + 0.2 − 0.3 is not zero; here it is a tie.
TEST(ExactResponse, RoundingDoesNotDecideTies) {
  const ExactResponse response({3, {1, 1, 1, -1, -1, -1}, {0.5, 0.5}});
  EXPECT_EQ(test::single(response, {0.1, 0.2, -0.3}), (Vector{0, 0, 0}));
}

TEST(ExactResponse, PulsesAreWhatSamplesGive) {
  task::PulseOptions pulse;
  task::BlockOptions block;
  block.invert = true;
  block.support = "pm1";
  const Vector w = test::random_field(40, 41);
  const Vector v = test::random_field(40, 42);
  for (const task::Pulse& task : {task::Pulse(pulse), task::Pulse(block)}) {
    for (const int which_class : {0, 1}) {
      const ExactResponse response(task.support(which_class));
      test::expect_single_measured(response, w, task, which_class, 40'000, 43);
      test::expect_pair_measured(response, w, v, task, which_class, 40'000, 44);
      test::expect_single_measured(response, test::unit(40, 3), task, which_class, 40'000, 45);
    }
  }
}

// Two routes to one number, with many ties.
RC_GTEST_PROP(IsingResponse, IsTheSumOverAllStates, ()) {
  const std::size_t n = *rc::gen::inRange<std::size_t>(4, 10);
  const double coupling = *rc::gen::inRange(1, 20) * 0.1;
  const ExactResponse all(all_spins(n, coupling));
  const IsingResponse response(static_cast<std::int64_t>(n), coupling);
  const Vector w = integers(n, -3, 3);
  const Vector v = integers(n, -3, 3);
  RC_ASSERT(test::all_close(test::single(response, w), test::single(all, w), kRounding));
  RC_ASSERT(test::all_close(test::pair(response, w, v), test::pair(all, w, v), kRounding));
}

RC_GTEST_PROP(IsingResponse, HasTheSymmetries, ()) {
  const std::size_t n = *rc::gen::inRange<std::size_t>(4, 13);
  const IsingResponse response(static_cast<std::int64_t>(n), 0.6);
  const auto seed = *rc::gen::inRange(1U, 1'000'000U);
  test::expect_symmetries(
      response, *rc::gen::arbitrary<bool>() ? test::random_field(n, seed) : integers(n, -2, 2), kRounding);
  RC_ASSERT(!testing::Test::HasFailure());
}

// N0.14 and f(e_i) = ½ C e_i on the ring's own covariance; the full ring of 40 sites.
TEST(IsingResponse, HasTheCovarianceOfTheTask) {
  task::IsingOptions options;
  const task::Ising task(options);
  const Vector row = task.moments(0).covariance;
  const Vector f = test::single(IsingResponse(40, options.coupling[0]), test::unit(40, 13));
  for (std::size_t l = 0; l < 40; ++l) EXPECT_NEAR(f[l], row[l > 13 ? l - 13 : 13 - l] / 2, 1e-11) << l;

  options.n = 14;
  const Vector small = task::Ising(options).moments(1).covariance;
  const Vector w = test::random_field(14, 46);
  const Vector p = test::pair(IsingResponse(14, options.coupling[1]), w, w);
  for (std::size_t l = 0; l < 14; ++l) {
    double half = 0;
    for (std::size_t j = 0; j < 14; ++j) half += small[l > j ? l - j : j - l] * w[j] / 2;
    EXPECT_NEAR(p[l], half, 1e-11) << l;
  }
}

TEST(IsingResponse, IsWhatSamplesGive) {
  task::IsingOptions options;
  options.n = 30;
  const task::Ising task(options);
  test::expect_single_measured(IsingResponse(30, options.coupling[1]), test::random_field(30, 47), task, 1,
                               200'000, 48);
  const Vector flat(30, 1.0);
  test::expect_single_measured(IsingResponse(30, options.coupling[0]), flat, task, 0, 200'000, 49);
  options.n = 12;
  const task::Ising small(options);
  test::expect_pair_measured(IsingResponse(12, options.coupling[0]), test::random_field(12, 50),
                             test::random_field(12, 51), small, 0, 200'000, 52);
}

TEST(IsingResponse, RefusesRingsItCannotEnumerate) {
  EXPECT_THROW(IsingResponse(41, 1), std::invalid_argument);
  EXPECT_THROW(IsingResponse(3, 1), std::invalid_argument);
  const Vector w(24, 1.0);
  EXPECT_THROW(test::pair(IsingResponse(24, 1), w, w), std::invalid_argument);
}

}  // namespace
}  // namespace sluice::flow
