// Every task made of a latent Gaussian, on a torus: moments within four standard errors.
#include <gtest/gtest.h>

#include "sluice/task/elliptical.hpp"
#include "sluice/task/gaussian.hpp"
#include "sluice/task/gaussian_clone.hpp"
#include "sluice/task/nlgp.hpp"
#include "sluice/task/norta.hpp"
#include "test/support/moments.hpp"

namespace sluice::task {
namespace {

constexpr std::int64_t kSide = 6;
constexpr std::int64_t kSamples = 200'000;

template <class SomeOptions>
SomeOptions torus(std::array<double, 2> xi = {0.8, 0.5}) {
  SomeOptions options;
  options.n = kSide;
  options.dim = 2;
  options.xi = xi;
  return options;
}

void expect_moments(const Options& options, int which_class,
                    test::Kurtosis kurtosis = test::Kurtosis::has_a_standard_error) {
  const std::unique_ptr<Task> task = options.make();
  ASSERT_EQ(task->inputs(), kSide * kSide);
  ASSERT_EQ(task->moments(which_class).covariance.size(), static_cast<std::size_t>(kSide * kSide));
  test::expect_stated_moments(*task, which_class, kSamples, 81, kurtosis, kSide);
}

TEST(Torus, GaussianMomentsMatch) {
  expect_moments(torus<GaussianOptions>(), 0);
  expect_moments(torus<GaussianOptions>(), 1);
  expect_moments(torus<GaussianOptions>({4.0, 1.0}), 0);  // projected along each axis
  EXPECT_EQ(torus<GaussianOptions>({4.0, 0.5}).make()->remarks().size(), 1U);
  // exp(−(d₁² + d₂²)/ξ²), where it is not projected
  const std::vector<double> row = torus<GaussianOptions>({0.5, 0.5}).make()->moments(0).covariance;
  EXPECT_NEAR(row[1], std::exp(-4.0), 1e-15);
  EXPECT_NEAR(row[kSide + 1], std::exp(-8.0), 1e-15);
  EXPECT_NEAR(row[5 * kSide + 4], std::exp(-20.0), 1e-15);
}

TEST(Torus, NlgpMomentsMatch) { expect_moments(torus<NlgpOptions>(), 0); }

TEST(Torus, TheCloneHasTheCovarianceOfNlgp) {
  expect_moments(torus<GaussianCloneOptions>(), 0);
  EXPECT_EQ(torus<GaussianCloneOptions>().make()->moments(0).covariance,
            torus<NlgpOptions>().make()->moments(0).covariance);
}

TEST(Torus, EllipticalMomentsMatch) {
  StudentTOptions student = torus<StudentTOptions>();
  student.nu = 12.5;
  expect_moments(student, 0);
  expect_moments(torus<ShellOptions>(), 0);
  EXPECT_EQ(torus<ShellOptions>().make()->moments(0).excess_kurtosis, -6.0 / 38);
  ScaleMixtureOptions mixture = torus<ScaleMixtureOptions>();
  mixture.law = "two-point";
  expect_moments(mixture, 0);
}

TEST(Torus, NortaMomentsMatch) {
  NortaOptions options = torus<NortaOptions>();
  expect_moments(options, 0);
  options.marginal = "laplace";
  expect_moments(options, 0);
}

}  // namespace
}  // namespace sluice::task
