// Networks for which the reductions of document 002 are exact, and by how much they are not.
#include "sluice/theory/reduced_network.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "sluice/theory/shapes.hpp"

namespace sluice::theory {
namespace {

constexpr std::size_t n = 16;

struct Layers {
  std::vector<float> weights, biases;
};

/// Both populations tile the ring with both signs: `often` times for b < 0, once for b > 0.
Layers tiles(double low, double high, int often) {
  Layers layers;
  const auto add = [&](const Vector& field, double bias) {
    for (std::size_t shift = 0; shift < n; ++shift)
      for (const double sign : {1.0, -1.0}) {
        for (std::size_t i = 0; i < n; ++i)
          layers.weights.push_back(static_cast<float>(sign * field[(i + shift) % n]));
        layers.biases.push_back(static_cast<float>(bias));
      }
  };
  for (int k = 0; k < often; ++k) add(2.0 * bump(n, 1.5), low);
  add(0.8 * gabor(n, 5, 3), high);
  return layers;
}

std::vector<std::vector<float>> inputs() {
  std::mt19937 engine(3);
  std::normal_distribution<float> normal;
  std::vector<std::vector<float>> all(50, std::vector<float>(n));
  for (auto& x : all)
    for (float& value : x) value = normal(engine);
  return all;
}

class EverySigmoid : public testing::TestWithParam<const char*> {};

TEST_P(EverySigmoid, OfTilesIsItsFilters) {
  for (const int often : {1, 3}) {
    const Layers layers = tiles(-2, 1.5, often);
    const ReducedNetwork network(GetParam(), layers.weights, layers.biases);
    for (const std::vector<float>& x : inputs()) {
      const double full = network.output(Reduction::full, x);
      EXPECT_NEAR(network.output(Reduction::biases, x), full, 1e-6);
      EXPECT_NEAR(network.output(Reduction::tiled, x), full, 1e-6);
      // The printed quarter is right where populations are of one size, and only there.
      if (often == 1)
        EXPECT_NEAR(network.output(Reduction::tiled_as_printed, x), full, 1e-6);
      else
        EXPECT_GT(std::abs(network.output(Reduction::tiled_as_printed, x) - full), 1e-3);
    }
  }
}

/// Beside b = −9 and b = 9 the dropped term is σ(∓9 − |h|): 1 − erf(9/√2) < 10⁻¹⁸, 1 − tanh 9 = 3·10⁻⁸, the logistic function 10⁻⁴.
TEST_P(EverySigmoid, OfLargeBiasesFolds) {
  const Layers layers = tiles(-9, 9, 2);
  const ReducedNetwork network(GetParam(), layers.weights, layers.biases);
  for (const std::vector<float>& x : inputs()) {
    const double full = network.output(Reduction::full, x);
    EXPECT_NEAR(network.output(Reduction::folded, x), full, 1.3e-4);
    EXPECT_GT(std::abs(network.output(Reduction::folded_as_printed, x) - full), 0.1);
  }
}

INSTANTIATE_TEST_SUITE_P(Activations, EverySigmoid, testing::Values("erf", "tanh", "sigmoid"),
                         [](const auto& tested) { return std::string(tested.param); });

TEST(ReducedNetwork, KnowsItsPopulations) {
  Layers layers = tiles(-2, 1.5, 3);
  layers.biases[0] = -2.4F;
  const ReducedNetwork network("erf", layers.weights, layers.biases);
  EXPECT_EQ(network.negative().units.size(), 96);
  EXPECT_EQ(network.positive().units.size(), 32);
  EXPECT_NEAR(network.negative().bias, -2 - 0.4 / 96, 1e-6);
  EXPECT_NEAR(network.negative().bias_spread, 0.4 / std::sqrt(96), 1e-3);
  EXPECT_NEAR(network.negative().tiling->filters, 1, 1e-6);
  EXPECT_FALSE(ReducedNetwork::saturates("relu"));
}

}  // namespace
}  // namespace sluice::theory
