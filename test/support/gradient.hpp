/// The derivatives of any network's outputs against central differences: what a new family has to pass.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "sluice/net/network.hpp"

namespace sluice::test {

/// On `samples` random inputs, with random slopes for every output: Σ_samples Σ_c s_c ŷ_c has the gradient that the pass adds up, for
/// every parameter that is trained. Differences of float outputs y
/// over a step h are off by about ε|y|/h and h² times a third derivative: 3e-5 and, for gates of β = 4, 3e-4.
inline void expect_gradient(const net::Network& network, std::int64_t samples, std::uint64_t seed = 1) {
  constexpr double kStep = 2e-3;
  std::mt19937 engine(7);
  std::normal_distribution<float> normal;
  math::LanesBuffer<float> inputs(network.inputs(), samples), outputs(network.outputs(), samples),
      slopes(network.outputs(), samples);
  const math::Lanes x = inputs.lanes(samples), y = outputs.lanes(samples), s = slopes.lanes(samples);
  for (float& value : x.all()) value = normal(engine);
  for (float& value : s.all()) value = normal(engine);
  const auto pass = network.pass(samples, seed);
  const auto value = [&](const std::vector<float>& parameters) {
    pass->use(parameters);
    pass->forward(x, 0, y);
    double sum = 0;
    for (std::int64_t c = 0; c < y.sites; ++c)
      for (std::int64_t r = 0; r < samples; ++r) sum += static_cast<double>(s.at(c, r)) * y.at(c, r);
    return sum;
  };
  std::vector<float> parameters = network.start(seed);
  math::Aligned<float> gradient(network.gradient_size() + math::kWidestVector);
  value(parameters);
  pass->backward(x, s, gradient);
  std::size_t compared = 0;
  for (const net::Stretch& stretch : network.trained()) {
    for (std::size_t i = 0; i < stretch.count; ++i, ++compared) {
      const float before = parameters[stretch.parameter + i];
      parameters[stretch.parameter + i] = before + static_cast<float>(kStep);
      const double above = value(parameters);
      parameters[stretch.parameter + i] = before - static_cast<float>(kStep);
      const double below = value(parameters);
      parameters[stretch.parameter + i] = before;
      const double slope = (above - below) / (2 * kStep);
      EXPECT_NEAR(gradient[stretch.gradient + i], slope, 2e-3 * std::max(1.0, std::abs(slope))) << compared;
    }
  }
  ASSERT_GT(compared, 0U) << "nothing is trained: this test cannot fail";
}

}  // namespace sluice::test
