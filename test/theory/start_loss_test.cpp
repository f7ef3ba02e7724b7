#include "sluice/theory/start_loss.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "sluice/math/statistics.hpp"
#include "sluice/theory/initial_loss.hpp"
#include "test/support/close.hpp"

namespace sluice::theory {
namespace {

/// The mean over drawn weights of the loss that is closed for given ones, on Gaussian data: another way to the same number.
TEST(StartLoss, IsTheMeanOverTheWeightsThatItStartsFrom) {
  math::Workers workers(1);
  const Sampler sampler(100'000, 1, workers);
  constexpr std::size_t n = 12;
  constexpr double variance = 0.15;
  const Data data = gaussian_data(n, 2, 1);
  for (const std::int64_t units : {1, 3}) {
    const StartLosses found = start_losses(sampler, data, units, variance);
    std::vector<double> relu, erf;
    for (std::uint32_t network = 0; network < 2000; ++network) {
      std::vector<Vector> weights;
      for (std::int64_t k = 0; k < units; ++k)
        weights.push_back(std::sqrt(variance) *
                          trial_weights(n, 100 * network + static_cast<std::uint32_t>(k)));
      const std::vector<double> biases(weights.size(), 0.0);
      relu.push_back(half_squared_loss(relu_output(data.one, weights), relu_output(data.zero, weights)));
      task::Classes signs;
      signs.labels = {1, -1};
      erf.push_back(half_squared_loss(erf_output(data.one, weights, biases),
                                      erf_output(data.zero, weights, biases), signs));
    }
    const math::Statistics by_relu(relu), by_erf(erf);
    EXPECT_TRUE(test::close(found.relu, by_relu.mean(),
                            test::sampling(std::hypot(by_relu.error(), found.relu_error))));
    EXPECT_TRUE(
        test::close(found.erf, by_erf.mean(), test::sampling(std::hypot(by_erf.error(), found.erf_error))));
    EXPECT_LE(by_relu.error(), 0.01 * found.relu);
  }
}

/// The norm of sign data is √n, always: nothing is left to sample.
TEST(StartLoss, OfSignDataIsClosed) {
  math::Workers workers(1);
  const Sampler sampler(1'000, 1, workers);
  const double v = 2.0 / 41, n = 40, pi = 3.14159265358979;
  const StartLosses found = start_losses(sampler, nlgp_data(40, 2, 1, kSigns), 1, v);
  EXPECT_NEAR(4 * found.relu, 1 + n * v - std::sqrt(2 * v * n / pi), 1e-6);  // N2.c6
  EXPECT_NEAR(4 * found.erf, 2 + 4 / pi * std::asin(n * v / (1 + n * v)), 1e-6);
  EXPECT_NEAR(found.length, 1, 1e-7);
}

}  // namespace
}  // namespace sluice::theory
