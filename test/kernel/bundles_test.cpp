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

TEST_F(CircularPaths, AreThoseOfCircularLayers) {
  const net::DeepGated<double> dense(test::deep_options("open", test::kHardGates, 0), 5, 1);
  const std::vector<double> parameters(dense.parameter_count(), 1.0);
  const Passage<double> passage(dense, parameters, x_, 5, workers_);
  EXPECT_THROW(Bundles{passage}, std::invalid_argument);
}

}  // namespace
}  // namespace sluice::kernel
