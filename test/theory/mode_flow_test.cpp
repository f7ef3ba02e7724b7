#include "sluice/theory/mode_flow.hpp"

#include <gtest/gtest.h>

#include "sluice/theory/sampling.hpp"

namespace sluice::theory {
namespace {

TEST(Fourier, ModesGoThereAndBack) {
  const std::vector<Mode> modes = real_modes(12);
  const Vector w = trial_weights(12, 1);
  const Vector back = from_modes(modes, to_modes(modes, w));
  EXPECT_LT(norm(back - w), 1e-13);
}

TEST(Fourier, InverseIsTheInverse) {
  const Ring s = latent_covariance(20, 1);
  const Vector w = trial_weights(20, 1);
  EXPECT_LT(norm(inverse(s) * (s * w) - w), 1e-12);
}

// Two routes to one state: the direct integration and the one-scalar solution, composed of two halves.
TEST(ModeFlow, SolutionsCompose) {
  const ModeFlow flow(latent_covariance(20, 2), latent_covariance(20, 1));
  const Vector start = 0.1 * trial_weights(20, 1);
  const Vector once = flow.solve(start, 10);
  const Vector twice = flow.solve(flow.solve(start, 4), 6);
  EXPECT_GT(norm(once - start), 0.1) << "nothing moved: this test cannot fail";
  EXPECT_LT(norm(once - twice), 1e-9);
  EXPECT_LT(norm(flow.integrate(start, 10) - once), 1e-9);
}

TEST(ModeFlow, StandsStillAtItsFixedPoints) {
  const ModeFlow flow(latent_covariance(20, 2), latent_covariance(20, 1));
  for (const std::size_t j : {0U, 3U, 19U}) {
    Vector u(20);
    u[j] = flow.steady_state(j).amplitude;
    EXPECT_LT(norm(flow.velocity(u)), 1e-14) << j;
  }
}

}  // namespace
}  // namespace sluice::theory
