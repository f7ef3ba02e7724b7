#include "sluice/task/gaussian.hpp"

#include <gtest/gtest.h>

#include "sluice/math/ring.hpp"
#include "test/support/moments.hpp"

namespace sluice::task {
namespace {

TEST(Gaussian, MomentsOfAMillionSamplesMatch) {
  const Gaussian task{GaussianOptions{}};
  EXPECT_EQ(task.moments(0).covariance, math::ring_kernel(40, 2.0));
  test::expect_stated_moments(task, 0, 1'000'000, 21);
  test::expect_stated_moments(task, 1, 100'000, 22);
}

TEST(Gaussian, AProjectedCovarianceIsReportedAndSampledAsStated) {
  GaussianOptions options;
  options.xi = {16.0, 1.0};
  const Gaussian task(options);
  ASSERT_EQ(task.remarks().size(), 1U);
  EXPECT_NE(task.remarks()[0].find("xi = 16 on 40 sites is not a covariance"), std::string::npos)
      << task.remarks()[0];
  test::expect_stated_moments(task, 0, 100'000, 23);
}

TEST(Gaussian, OddAndTinyRings) {
  for (const std::int64_t n : {2, 3, 7, 33}) {
    GaussianOptions options;
    options.n = n;
    options.xi = {0.7, 0.3};
    test::expect_stated_moments(Gaussian(options), 0, 100'000, 24);
  }
}

}  // namespace
}  // namespace sluice::task
