#include "sluice/task/elliptical.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sluice/math/ring.hpp"
#include "test/support/moments.hpp"

namespace sluice::task {
namespace {

StudentT student_t(double nu) {
  StudentTOptions options;
  options.nu = nu;
  return StudentT(options);
}

ScaleMixture mixture(const std::string& law, double spread) {
  ScaleMixtureOptions options;
  options.law = law;
  options.spread = spread;
  return ScaleMixture(options);
}

Shell shell(std::int64_t n) {
  ShellOptions options;
  options.n = n;
  options.xi = {0.7, 0.3};
  return Shell(options);
}

/// c = ½ E|S|/sd(S) for S = X_0: what multiplies Σw/√(wᵀΣw) in the response.
test::Estimate response_constant(const Task& task, std::int64_t samples) {
  test::Estimate half_size;
  constexpr std::int64_t kBlock = 1000;
  for (std::int64_t first = 0; first < samples; first += kBlock) {
    const std::vector<float> rows =
        test::sample_rows(task, {.seed = 59, .row = static_cast<std::uint32_t>(first)}, 0, kBlock);
    for (std::size_t r = 0; r < kBlock; ++r) {
      half_size.add(std::abs(static_cast<double>(rows[r * static_cast<std::size_t>(task.inputs())])) / 2);
    }
  }
  return half_size;
}

TEST(StudentT, MomentsMatch) {
  EXPECT_EQ(student_t(10).moments(0).covariance, math::ring_kernel(40, 2.0));
  EXPECT_EQ(student_t(10).moments(0).excess_kurtosis, 1);
  EXPECT_TRUE(std::isinf(student_t(4).moments(0).excess_kurtosis));
  test::expect_stated_moments(student_t(12.5), 0, 1'000'000, 51);
  // Below ν = 8 the sample kurtosis has no standard error, below 4 the sample covariance has none.
  test::expect_stated_moments(student_t(5), 1, 200'000, 52, test::Kurtosis::has_no_standard_error);
}

TEST(Shell, MomentsMatchAndTheRadiusIsFixed) {
  EXPECT_EQ(Shell(ShellOptions{}).moments(0).covariance, math::ring_kernel(40, 2.0));
  test::expect_stated_moments(Shell(ShellOptions{}), 0, 200'000, 53);
  for (const std::int64_t n : {2, 3, 8}) test::expect_stated_moments(shell(n), 0, 200'000, 54);

  ShellOptions white;  // S = I: the Mahalanobis radius is the length
  white.xi = {1e-3, 1e-3};
  double square = 0;
  for (const float value : test::sample_rows(Shell(white), {.seed = 1}, 0, 1)) {
    square += static_cast<double>(value) * value;
  }
  EXPECT_NEAR(square, 40, 1e-4);
}

TEST(ScaleMixture, MomentsMatch) {
  EXPECT_EQ(mixture("exponential", 0.8).moments(0).excess_kurtosis, 3);
  EXPECT_NEAR(mixture("two-point", 0.5).moments(0).excess_kurtosis, 0.75, 1e-15);
  EXPECT_NEAR(mixture("lognormal", 0.5).moments(0).excess_kurtosis, 3 * std::exp(0.25) - 3, 1e-15);
  test::expect_stated_moments(mixture("lognormal", 0.5), 0, 1'000'000, 55);
  test::expect_stated_moments(mixture("exponential", 0.8), 0, 1'000'000, 56);
  test::expect_stated_moments(mixture("two-point", 1), 1, 200'000, 57);
  test::expect_stated_moments(mixture("two-point", 0.5), 0, 200'000, 58);
}

// Formula sheet K and N1.E: the law itself, not only its second and fourth moment.
TEST(Elliptical, ResponseConstantsMatchTheLedger) {
  const auto expect = [](const Task& task, double c) {
    const test::Estimate measured = response_constant(task, 200'000);
    EXPECT_TRUE(test::close(measured.mean(), c, test::sampling(measured.standard_error())));
  };
  expect(student_t(3), 0.3183098862);
  expect(student_t(5), 0.3675525969);
  expect(student_t(10), 0.3866990210);
  expect(shell(2), 0.4501581581);
  expect(shell(8), 0.4115731731);
  expect(shell(40), 0.4014432166);
  expect(mixture("lognormal", 0.8), std::exp(-0.08) / std::sqrt(2 * std::numbers::pi));  // E√V = exp(−σ²/8)
  expect(mixture("exponential", 1), 0.5 / std::numbers::sqrt2);                          // E√V = √π/2
  expect(mixture("two-point", 1), 0.5 / std::sqrt(std::numbers::pi));                    // E√V = 1/√2
}

}  // namespace
}  // namespace sluice::task
