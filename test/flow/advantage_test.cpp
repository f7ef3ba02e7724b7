#include "sluice/flow/advantage.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "sluice/flow/gaussian.hpp"
#include "sluice/flow/relu_landscape.hpp"
#include "sluice/task/gaussian.hpp"
#include "sluice/task/nlgp.hpp"
#include "test/flow/landscapes.hpp"

namespace sluice::flow {
namespace {

constexpr std::int64_t kSites = 40;

std::vector<double> one_site() {
  std::vector<double> w(kSites, 0.0);
  w[0] = 1;
  return w;
}
const std::vector<double> kFlat(kSites, 1.0);

// C.6: at its best scale a shape has the loss stated, and no other scale does better.
TEST(Advantage, IsTheMinimumOfTheLossOverScales) {
  const task::Gaussian task(task::GaussianOptions{});
  const Covariance covariance[] = {Covariance::circulant(task.moments(0).covariance),
                                   Covariance::circulant(task.moments(1).covariance)};
  const GaussianResponse response(covariance[0]);
  const OneUnit first(covariance[0], &response);
  const OneUnit second(covariance[1]);
  const ReluLandscape landscape(1, {&first, &second}, {1, 0});
  const std::vector<double> shape = test::random_field(kSites, 1);
  const Advantage best = advantage(task, shape, response);
  const auto loss_at = [&](double scale) {
    std::vector<double> w = shape;
    for (double& value : w) value *= scale;
    return landscape.loss(w);
  };
  EXPECT_NEAR(loss_at(best.best_scale), best.best_loss, 1e-14);
  EXPECT_GT(loss_at(best.best_scale * 1.01), best.best_loss + 1e-9);
  EXPECT_GT(loss_at(best.best_scale * 0.99), best.best_loss + 1e-9);
  EXPECT_NEAR(best.kappa * best.kappa, 2 / std::numbers::pi, 1e-13) << "Gaussian, for every w";
  EXPECT_EQ(best.loss_error, 0);
}

// C.6's measured best-scale losses, ±.0001 each with 1e6 samples; ours have an error of their own.
TEST(Advantage, ReproducesTheMeasuredLosses) {
  struct Row {
    double gain;  // 0: Gaussian
    std::vector<double> shape;
    double loss;
  };
  const double inf = std::numeric_limits<double>::infinity();
  const Row rows[] = {
      {0, kFlat, .1970},   {0, test::bump(kSites, 1), .2013},     {0, one_site(), .2102},
      {0.5, kFlat, .1966}, {0.5, test::bump(kSites, 2), .1954},   {0.5, one_site(), .2057},
      {1, kFlat, .1965},   {1, test::bump(kSites, 1), .1925},     {1, one_site(), .2002},
      {3, kFlat, .1968},   {3, test::bump(kSites, 0.7), .1872},   {3, one_site(), .1927},
      {inf, kFlat, .1979}, {inf, test::bump(kSites, 0.7), .1837}, {inf, one_site(), .1875},
  };
  math::Workers workers(2);
  for (const Row& row : rows) {
    task::NlgpOptions nlgp;
    nlgp.gain = row.gain;
    const auto task = row.gain == 0 ? task::GaussianOptions{}.make() : nlgp.make();
    const SampledResponse response(*task, 0, {.samples = 1 << 16}, workers);
    const Advantage got = advantage(*task, row.shape, response);
    EXPECT_LT(got.loss_error, 1.5e-4);
    // Four of the sheet's standard errors, half a unit of its last digit, four of ours.
    const test::Tolerance allowed{0, 4e-4 + 5e-5 + 4 * got.loss_error, "the sheet's error and ours"};
    EXPECT_TRUE(test::close(got.best_loss, row.loss, allowed)) << "gain " << row.gain;
  }
}

}  // namespace
}  // namespace sluice::flow
