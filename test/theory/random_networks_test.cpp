#include "sluice/theory/random_networks.hpp"

#include <gtest/gtest.h>

#include "sluice/theory/deep_gates.hpp"
#include "test/support/close.hpp"

namespace sluice::theory {
namespace {

TEST(RowStatistics, AreThoseOfKnownNumbers) {
  const std::vector<Vector> rows{{1, 5}, {2, 5}, {3, 5}, {4, 5}};
  const Means means = means_of(rows);
  EXPECT_DOUBLE_EQ(means.mean[0], 2.5);
  EXPECT_DOUBLE_EQ(means.standard_error[0], std::sqrt(5.0 / 3 / 4));
  EXPECT_EQ(means.standard_error[1], 0);
  const Means variances = variances_of(rows);
  EXPECT_DOUBLE_EQ(variances.mean[0], 5.0 / 3);
  EXPECT_DOUBLE_EQ(variances.standard_error[0], std::sqrt((2.5625 - 1.5625) / 4));  // m₄ − m₂² over N
}

TEST(SignMeans, KeepEvenProductsAndKillOddOnes) {
  const Vector mean = mean_over_signs(3, 0.5, 3, [](std::span<const double> w, std::span<double> out) {
    out[0] = w[0] * w[1];
    out[1] = w[0] * w[0] * w[2] * w[2];
    out[2] = std::pow(w[0] + w[1] + w[2], 2);
  });
  EXPECT_EQ(mean[0], 0);
  EXPECT_EQ(mean[1], 0.0625);
  EXPECT_DOUBLE_EQ(mean[2], 0.75);
}

Ensemble random_gates() {
  net::DeepOptions options;
  options.gates = "random";
  options.depth = 4;
  options.width = 40;
  return {.options = options, .inputs = 2, .x = {0.6F, 0.8F, 1, 0, -0.5F, 0.4F}, .networks = 1500, .seed = 3};
}

void kernel_entries(const kernel::Passage<float>& passage, std::span<double> out) {
  const kernel::SampleMatrix<float> tangent = passage.tangent();
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<double>(tangent.values[i]) / 4;
}

TEST(Networks, HaveTheExpectedKernelOnAverage) {  // I.6
  math::Workers workers(2);
  const Ensemble nets = random_gates();
  const Means means = means_of(over_networks(nets, 9, kernel_entries, workers));
  const auto mean = mean_kernel(nets.options, 2, std::vector<double>(nets.x.begin(), nets.x.end()));
  ASSERT_TRUE(mean);
  for (std::size_t i = 0; i < 9; ++i)
    EXPECT_TRUE(test::close(means.mean[i], mean->values[i], test::sampling(means.standard_error[i]))) << i;
  EXPECT_LT(means.standard_error[0], 0.02) << "nothing could fail";
}

TEST(Networks, DoNotDependOnThreads) {
  math::Workers one(1);
  math::Workers three(3);
  Ensemble nets = random_gates();
  nets.networks = 7;
  const std::vector<Vector> alone = over_networks(nets, 9, kernel_entries, one);
  const std::vector<Vector> together = over_networks(nets, 9, kernel_entries, three);
  for (std::size_t k = 0; k < alone.size(); ++k) {
    for (std::size_t i = 0; i < 9; ++i) EXPECT_EQ(alone[k][i], together[k][i]);
  }
  EXPECT_NE(alone[0][0], alone[1][0]);
}

}  // namespace
}  // namespace sluice::theory
