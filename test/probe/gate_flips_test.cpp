#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "sluice/probe/kurtosis.hpp"

namespace sluice::probe {
namespace {

constexpr std::int64_t kInputs = 6, kCount = 20000;

std::vector<float> normals() {
  std::mt19937 engine(11);
  std::normal_distribution<float> normal;
  std::vector<float> x(kInputs * kCount);
  for (float& value : x) value = normal(engine);
  return x;
}

/// N0.38: on isotropic data the gates of two fields differ on θ/π of it, θ the angle between them.
TEST(GateFlips, AreTheAngleBetweenTheFields) {
  const Samples samples(normals(), kInputs, {});
  const double angle = 0.4;
  const std::vector<float> before{1, 0, 0, 0, 0, 0, 1, 2, 3, 0, 0, 1};
  std::vector<float> now{
      static_cast<float>(std::cos(angle)), 0, static_cast<float>(std::sin(angle)), 0, 0, 0};
  for (std::size_t i = 6; i < 12; ++i) now.push_back(3 * before[i]);  // growth alone flips nothing
  const std::vector<float> flips = samples.gate_flips({now, {}}, {before, {}});
  const double p = angle / std::numbers::pi;
  EXPECT_NEAR(flips[0], p, 4 * std::sqrt(p * (1 - p) / kCount));
  EXPECT_EQ(flips[1], 0);
}

/// A gate that a bias closes: 1(x_0 ≥ 0) against 1(x_0 ≥ 1) differ on Φ(1) − ½ of the samples.
TEST(GateFlips, SeeBiases) {
  const Samples samples(normals(), kInputs, {});
  const std::vector<float> w{1, 0, 0, 0, 0, 0}, none{0}, closing{-1};
  const double p = std::erf(1 / std::numbers::sqrt2) / 2;
  EXPECT_NEAR(samples.gate_flips({w, closing}, {w, none})[0], p, 4 * std::sqrt(p * (1 - p) / kCount));
  EXPECT_NEAR(samples.gate_flips({w, closing}, {w, {}})[0], p, 4 * std::sqrt(p * (1 - p) / kCount));
}

/// Classes count alike, however many samples they have.
TEST(GateFlips, AreTheMeanOverClasses) {
  const std::vector<float> x{1, -1, 1, 1, 1, -1};  // samples of two sites; the last is of class 1
  const std::vector<std::uint8_t> which{0, 0, 1};
  const Samples samples(x, 2, which);
  const std::vector<float> first{1, 0}, second{0, 1};
  EXPECT_FLOAT_EQ(samples.gate_flips({first, {}}, {second, {}})[0], 0.75F);  // ½ of class 0, all of class 1
}

}  // namespace
}  // namespace sluice::probe
