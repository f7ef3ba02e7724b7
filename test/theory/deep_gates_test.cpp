#include "sluice/theory/deep_gates.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <vector>

namespace sluice::theory {
namespace {

TEST(GateOverlap, IsTheSheets) { EXPECT_NEAR(gate_overlap(1.1, 5), 0.2502167683, 1e-10); }  // K.22

TEST(GateOverlap, IsOneOfEqualInputsAndZeroOfOpposite) {
  EXPECT_EQ(gate_overlap(0, 20), 1);
  EXPECT_NEAR(gate_overlap(std::numbers::pi, 2), 0, 1e-15);
  EXPECT_NEAR(gate_overlap(std::numbers::pi / 2, 2), 0.5, 1e-15);
}

TEST(EqualOverlap, EigenvaluesAddUpToTheTrace) {
  for (const double depth : {2.0, 5.0, 9.0}) {
    const EqualOverlapSpectrum spectrum = equal_overlap_spectrum(200, depth, 0.5);
    EXPECT_NEAR(199 * spectrum.low + spectrum.top, 200, 1e-11);
  }
}

TEST(KernelVariance, OfThreeLayersTendsToItsLeadingForm) {
  EXPECT_DOUBLE_EQ(kernel_variance(256, 3), 4.0 / 256);
  EXPECT_NEAR(kernel_variance_of_three_layers(1e6) / kernel_variance(1e6, 3), 1, 2e-6);
}

/// Whatever constant the printed order is given, deep and wide networks exceed it.
TEST(KernelVariance, OutgrowsThePrintedOrder) {
  const auto ratio = [](double depth) {
    return kernel_variance(1e9, depth) / printed_variance_order(1e9, depth);
  };
  EXPECT_NEAR(ratio(2000) / ratio(1000), 2, 0.01);
}

class MeanKernel : public testing::Test {
 protected:
  net::DeepOptions options_;
  std::vector<double> x_{1, 0, 0, 2};  // at right angles
};

TEST_F(MeanKernel, OfRandomGatesShrinksOffTheDiagonal) {
  options_.gates = "random";
  options_.depth = 4;
  const auto mean = mean_kernel(options_, 1, std::vector<double>{1, -2});
  ASSERT_TRUE(mean);
  EXPECT_EQ(mean->values, (std::vector<double>{1, -2 * 0.125, -2 * 0.125, 4}));
}

TEST_F(MeanKernel, OfOpenGatesIsThatOfTheInputs) {
  options_.gates = "open";
  EXPECT_EQ(mean_kernel(options_, 2, x_)->values, (std::vector<double>{1, 0, 0, 4}));
  EXPECT_EQ(mean_kernel(options_, 1, std::vector<double>{1, 3})->values, (std::vector<double>{1, 3, 3, 9}));
}

TEST_F(MeanKernel, OfAGatingNetworkFollowsTheAngle) {
  options_.gates = "network";
  options_.init.law = "normal";
  options_.depth = 2;
  const auto mean = mean_kernel(options_, 2, std::vector<double>{1, 0, 1, 1});
  ASSERT_TRUE(mean);
  EXPECT_NEAR(mean->at(0, 1), 0.75, 1e-15);  // angle π/4
}

TEST_F(MeanKernel, IsUnknownElsewhere) {
  options_.gates = "own";
  EXPECT_FALSE(mean_kernel(options_, 2, x_));
  options_.gates = "network";  // ±σ gating weights have ties
  EXPECT_FALSE(mean_kernel(options_, 2, x_));
  options_.gates = "random";
  options_.init.law = "he-normal";
  EXPECT_FALSE(mean_kernel(options_, 2, x_));
}

}  // namespace
}  // namespace sluice::theory
