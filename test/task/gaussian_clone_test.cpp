#include "sluice/task/gaussian_clone.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "sluice/task/nlgp.hpp"
#include "test/support/moments.hpp"

namespace sluice::task {
namespace {

GaussianCloneOptions with(double gain, std::array<double, 2> xi = {2.0, 1.0}) {
  GaussianCloneOptions options;
  options.gain = gain;
  options.xi = xi;
  return options;
}

TEST(GaussianClone, HasTheCovarianceOfNlgp) {
  for (const double gain : {0.01, 3.0, std::numeric_limits<double>::infinity()}) {
    for (const std::array<double, 2> xi :
         {std::array{2.0, 1.0}, std::array{16.0, 1.0}}) {  // ξ = 16: projected
      NlgpOptions original;
      original.gain = gain;
      original.xi = xi;
      const GaussianClone clone(with(gain, xi));
      for (int which_class : {0, 1}) {
        EXPECT_EQ(clone.moments(which_class).covariance, Nlgp(original).moments(which_class).covariance);
      }
      EXPECT_EQ(clone.remarks(), Nlgp(original).remarks());
    }
  }
}

TEST(GaussianClone, MomentsOfAMillionSamplesMatch) {
  test::expect_stated_moments(GaussianClone(with(3)), 0, 1'000'000, 41);
  test::expect_stated_moments(GaussianClone(with(std::numeric_limits<double>::infinity())), 1, 200'000, 42);
  test::expect_stated_moments(GaussianClone(with(3, {16.0, 1.0})), 0, 200'000, 43);
}

}  // namespace
}  // namespace sluice::task
