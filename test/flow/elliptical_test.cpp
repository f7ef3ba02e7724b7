#include "sluice/flow/elliptical.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "sluice/math/ring.hpp"
#include "test/flow/response_properties.hpp"

namespace sluice::flow {
namespace {

using test::Vector;

constexpr std::int64_t kSites = 12;

template <class Options>
Options on_ring() {
  Options options;
  options.n = kSites;
  options.xi = {1.2, 0.6};
  return options;
}

task::StudentTOptions student(double nu) {
  auto options = on_ring<task::StudentTOptions>();
  options.nu = nu;
  return options;
}

task::ScaleMixtureOptions mixture(const std::string& law, double spread) {
  auto options = on_ring<task::ScaleMixtureOptions>();
  options.law = law;
  options.spread = spread;
  return options;
}

double shell_constant(std::int64_t n) {
  task::ShellOptions options;
  options.n = n;
  return elliptical_constant(options);
}

// Ledger K, to its printed digits, and N1.E's lognormal.
TEST(EllipticalConstant, AsPrinted) {
  EXPECT_NEAR(elliptical_constant(student(3)), 0.3183098862, 5e-11);
  EXPECT_NEAR(elliptical_constant(student(5)), 0.3675525969, 5e-11);
  EXPECT_NEAR(elliptical_constant(student(10)), 0.3866990210, 5e-11);
  EXPECT_NEAR(shell_constant(2), 0.4501581581, 5e-11);
  EXPECT_NEAR(shell_constant(8), 0.4115731731, 5e-11);
  EXPECT_NEAR(shell_constant(40), 0.4014432166, 5e-11);
  EXPECT_NEAR(elliptical_constant(mixture("lognormal", 0.8)), 0.368270, 5e-7);
}

TEST(EllipticalConstant, TendsToTheGaussian) {
  const double gaussian = 0.3989422804014327;
  // c = (1 − 1/(4ν) + O(ν⁻²))/√(2π) for the t, (1 + 1/(4n) + O(n⁻²))/√(2π) for the shell
  EXPECT_NEAR(elliptical_constant(student(1e6)) / gaussian, 1 - 0.25e-6, 1e-11);
  EXPECT_NEAR(shell_constant(4000) / gaussian, 1 + 1 / 16000.0, 1e-8);
  EXPECT_NEAR(elliptical_constant(mixture("lognormal", 1e-4)) / gaussian, 1, 1e-8);
  EXPECT_NEAR(elliptical_constant(mixture("two-point", 1e-4)) / gaussian, 1, 1e-8);
}

RC_GTEST_PROP(EllipticalResponse, HasTheSymmetries, ()) {
  const EllipticalResponse response(Covariance::circulant(math::ring_kernel(kSites, 1.2)), 0.37);
  test::expect_symmetries(response, test::random_field(kSites, *rc::gen::inRange(1U, 1'000'000U)),
                          {1e-12, 1e-13, "rounding"});
  RC_ASSERT(!testing::Test::HasFailure());
}

template <class Task, class Options>
void expect_samples_agree(const Options& options, std::uint64_t seed) {
  const Task task(options);
  const EllipticalResponse response(Covariance::circulant(task.moments(0).covariance),
                                    elliptical_constant(options));
  const Vector w = test::random_field(kSites, 11);
  test::expect_single_measured(response, w, task, 0, 200'000, seed);
  test::expect_pair_measured(response, w, test::random_field(kSites, 12), task, 0, 200'000, seed + 100);
}

TEST(EllipticalResponse, IsWhatSamplesGive) {
  expect_samples_agree<task::StudentT>(student(7), 21);
  expect_samples_agree<task::Shell>(on_ring<task::ShellOptions>(), 22);
  expect_samples_agree<task::ScaleMixture>(mixture("lognormal", 0.8), 23);
  expect_samples_agree<task::ScaleMixture>(mixture("exponential", 0), 24);
  expect_samples_agree<task::ScaleMixture>(mixture("two-point", 0.9), 25);
}

}  // namespace
}  // namespace sluice::flow
