#include "sluice/task/ising.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "test/support/moments.hpp"

namespace sluice::task {
namespace {

IsingOptions with(std::int64_t n, std::array<double, 2> coupling) {
  IsingOptions options;
  options.n = n;
  options.coupling = coupling;
  return options;
}

// The law itself: on six sites every one of the 64 configurations has its Boltzmann weight.
TEST(Ising, EveryConfigurationHasItsBoltzmannWeight) {
  constexpr std::size_t kSites = 6;
  constexpr std::size_t kSamples = 400'000;
  constexpr double kCoupling = 0.7;
  const Ising task(with(kSites, {kCoupling, 0.5}));
  std::vector<double> weight(1U << kSites);
  double total = 0;
  for (std::size_t state = 0; state < weight.size(); ++state) {
    double energy = 0;
    for (std::size_t i = 0; i < kSites; ++i) {
      energy += (state >> i & 1U) == (state >> (i + 1) % kSites & 1U) ? kCoupling : -kCoupling;
    }
    total += weight[state] = std::exp(energy);
  }
  std::vector<double> count(weight.size());
  const std::vector<float> rows = test::sample_rows(task, {.seed = 71}, 0, kSamples);
  for (std::size_t r = 0; r < kSamples; ++r) {
    std::size_t state = 0;
    for (std::size_t i = 0; i < kSites; ++i) {
      if (rows[r * kSites + i] > 0) state |= std::size_t{1} << i;
    }
    ++count[state];
  }
  // χ² with 63 degrees of freedom exceeds 63 + 4√126 with probability 3e-4.
  double chi_square = 0;
  for (std::size_t state = 0; state < weight.size(); ++state) {
    const double expected = kSamples * weight[state] / total;
    chi_square += (count[state] - expected) * (count[state] - expected) / expected;
  }
  EXPECT_LT(chi_square, 63 + 4 * std::sqrt(126.0));
}

TEST(Ising, MomentsMatch) {
  test::expect_stated_moments(Ising(IsingOptions{}), 0, 1'000'000, 72);
  test::expect_stated_moments(Ising(IsingOptions{}), 1, 200'000, 73);
  test::expect_stated_moments(Ising(with(33, {3.0, 1e-3})), 0, 200'000, 74);
  test::expect_stated_moments(Ising(with(33, {3.0, 1e-3})), 1, 200'000, 75);
  test::expect_stated_moments(Ising(with(40, {6.0, 5.0})), 0, 200'000, 76);
  for (const std::int64_t n : {2, 3}) test::expect_stated_moments(Ising(with(n, {0.8, 0.3})), 0, 200'000, 77);
}

}  // namespace
}  // namespace sluice::task
