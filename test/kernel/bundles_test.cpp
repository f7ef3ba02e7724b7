/// Paths of circular convolutions.
#include "sluice/kernel/bundles.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

#include "test/net/deep_variants.hpp"

namespace sluice::kernel {
namespace {

/// Three convolutions of kernel 2 on a ring of five, gated by a circular network of their own.
class CircularPaths : public testing::Test {
 protected:
  static net::DeepOptions options() {
    net::DeepOptions options = test::deep_options("network", 2, 0.1);
    options.layers = "circular";
    options.depth = 4;
    options.kernel = 2;
    return options;
  }
  static constexpr std::size_t kKernels = 6;  // weights of the three kernels; the gates' follow
  math::Workers workers_{1};
  net::DeepGated<double> network_{options(), 5, 1};
  std::vector<double> parameters_ = test::random_numbers(network_.parameter_count(), 1);
  std::vector<double> x_ = test::random_numbers(15, 2);
  Passage<double> passage_{network_, parameters_, x_, 5, workers_};
  Bundles bundles_{passage_};
};

TEST_F(CircularPaths, AreOneBundlePerChoiceOfOffsets) {  // P.a16
  EXPECT_EQ(bundles_.size(), 8U);
  EXPECT_EQ(bundles_.paths(), 40U);
  EXPECT_EQ(bundles_.offset(5, 1), 1U);  // 5 = 101 in binary
  EXPECT_EQ(bundles_.offset(5, 2), 0U);
  EXPECT_EQ(bundles_.offset(5, 3), 1U);
}

TEST_F(CircularPaths, AddUpToTheOutput) {
  const std::vector<double> outputs = passage_.outputs();
  for (std::size_t s = 0; s < 3; ++s) EXPECT_NEAR(bundles_.output(s, parameters_), outputs[s], 1e-12);
}

/// Every ±σ choice of the six weights: the mean of a product of outputs is that of Lemma 4.1, exactly.
TEST_F(CircularPaths, CorrelateAsLemma41Says) {
  constexpr double kSigma = 0.8;
  std::vector<double> mean(9);
  for (unsigned signs = 0; signs < (1U << kKernels); ++signs) {
    for (std::size_t m = 0; m < kKernels; ++m) parameters_[m] = (signs >> m & 1U) != 0 ? kSigma : -kSigma;
    const std::vector<double> y = Passage<double>(network_, parameters_, x_, 5, workers_, false).outputs();
    for (std::size_t i = 0; i < 9; ++i) mean[i] += y[i / 3] * y[i % 3] / (1U << kKernels);
  }
  for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(bundles_.correlation(i / 3, i % 3, kSigma), mean[i], 1e-15);
  EXPECT_GT(mean[0], 1e-3) << "no signal";
}

/// Lemma 4.1 in two dimensions: two convolutions of 2 × 2 taps on a torus of 3 × 4, gated by a convolutional network of their own, then the average over pixels and a weight.
class TorusPaths : public testing::Test {
 protected:
  static constexpr net::Volume kTorus{1, 3, 4};
  static net::DeepOptions options() {
    net::DeepOptions options = test::deep_options("network", 2, 0.1);
    options.layers = "convolutional";
    options.channels = {1, 1};
    options.kernel = 2;
    options.padding = "circular";
    options.ending = "average";
    options.widths = {};
    return options;
  }
  static constexpr std::size_t kWeights = 9;  // of two kernels and the readout; the gates' follow
  math::Workers workers_{1};
  net::DeepGated<double> network_{options(), kTorus, 1};
  std::vector<double> parameters_ = test::random_numbers(network_.parameter_count(), 1);
  std::vector<double> x_ = samples();

  /// Two images, and the second one shifted by (1, 3).
  static std::vector<double> samples() {
    std::vector<double> x = test::random_numbers(36, 2);
    for (std::size_t y = 0; y < 3; ++y) {
      for (std::size_t c = 0; c < 4; ++c) x[24 + (y + 1) % 3 * 4 + (c + 3) % 4] = x[12 + y * 4 + c];
    }
    return x;
  }
};

TEST_F(TorusPaths, AddUpToTheOutput) {
  const Passage<double> passage(network_, parameters_, x_, 5, workers_);
  const Bundles bundles(passage);
  EXPECT_EQ(bundles.size(), 16U);
  EXPECT_EQ(bundles.paths(), 192U);
  for (std::size_t s = 0; s < 3; ++s)
    EXPECT_NEAR(bundles.output(s, parameters_), passage.outputs()[s], 1e-12);
}

/// Every ±σ choice of the nine weights; and a shift changes nothing.
TEST_F(TorusPaths, CorrelateAsLemma41Says) {
  constexpr double kSigma = 0.8;
  const Passage<double> passage(network_, parameters_, x_, 5, workers_);
  const Bundles bundles(passage);
  std::vector<double> mean(9);
  for (unsigned signs = 0; signs < (1U << kWeights); ++signs) {
    for (std::size_t m = 0; m < kWeights; ++m) parameters_[m] = (signs >> m & 1U) != 0 ? kSigma : -kSigma;
    const std::vector<double> y = Passage<double>(network_, parameters_, x_, 5, workers_, false).outputs();
    for (std::size_t i = 0; i < 9; ++i) mean[i] += y[i / 3] * y[i % 3] / (1U << kWeights);
  }
  for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(bundles.correlation(i / 3, i % 3, kSigma), mean[i], 1e-15);
  EXPECT_GT(mean[0], 1e-3) << "no signal";
  EXPECT_NEAR(bundles.correlation(0, 2, kSigma), bundles.correlation(0, 1, kSigma), 1e-15);
  EXPECT_GT(std::abs(mean[0] - mean[1]), 1e-3) << "images that are no shifts of each other differ";
}

/// Zero padding breaks the symmetry: it is not the average alone that makes it.
TEST_F(TorusPaths, NeedATorusToBeInvariant) {
  net::DeepOptions bordered = options();
  bordered.padding = "zero";
  const net::DeepGated<double> network(bordered, kTorus, 1);
  const std::vector<double> y = Passage<double>(network, parameters_, x_, 5, workers_, false).outputs();
  EXPECT_GT(std::abs(y[1] - y[2]), 1e-6);
  const std::vector<double> around = Passage<double>(network_, parameters_, x_, 5, workers_, false).outputs();
  EXPECT_NEAR(around[1], around[2], 1e-14);
  const Passage<double> passage(network, parameters_, x_, 5, workers_);
  EXPECT_THROW(Bundles{passage}, std::invalid_argument);
}

TEST_F(CircularPaths, AreThoseOfCircularLayers) {
  const net::DeepGated<double> dense(test::deep_options("open", test::kHardGates, 0), 5, 1);
  const std::vector<double> parameters(dense.parameter_count(), 1.0);
  const Passage<double> passage(dense, parameters, x_, 5, workers_);
  EXPECT_THROW(Bundles{passage}, std::invalid_argument);
}

}  // namespace
}  // namespace sluice::kernel
