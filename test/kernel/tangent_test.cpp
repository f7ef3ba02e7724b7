#include "sluice/kernel/tangent.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "sluice/kernel/spectrum.hpp"
#include "test/net/deep_variants.hpp"

namespace sluice::kernel {
namespace {

constexpr std::int64_t kInputs = 3;

class TangentKernels : public testing::TestWithParam<test::DeepVariant> {
 protected:
  static constexpr std::int64_t kSamples = 7;
  math::Workers workers_{2};
  net::DeepGated<double> network_{GetParam().options, kInputs, 1};
  std::vector<double> parameters_ = test::random_numbers(network_.parameter_count(), 1);
  std::vector<double> x_ = test::random_numbers(kInputs * kSamples, 2);

  std::vector<double> outputs(const std::vector<double>& parameters) {
    return Passage<double>(network_, parameters, x_, 5, workers_, false).outputs();
  }
};

/// K against Ψ'Ψ with every column of Ψ a central difference: error h² of a smooth function, h = 1e-5.
TEST_P(TangentKernels, AreTheGramMatrixOfTheExplicitJacobian) {
  const Passage<double> passage(network_, parameters_, x_, 5, workers_);
  constexpr double kStep = 1e-5;
  SampleMatrix<double> expected(kSamples);
  for (std::size_t p = 0; p < parameters_.size(); ++p) {
    std::vector<double> moved = parameters_;
    moved[p] += kStep;
    const std::vector<double> above = outputs(moved);
    moved[p] -= 2 * kStep;
    const std::vector<double> below = outputs(moved);
    for (std::int64_t s = 0; s < kSamples; ++s) {
      for (std::int64_t t = 0; t < kSamples; ++t) {
        const auto slope = [&](std::int64_t i) {
          return (above[static_cast<std::size_t>(i)] - below[static_cast<std::size_t>(i)]) / (2 * kStep);
        };
        expected.at(s, t) += slope(s) * slope(t);
      }
    }
  }
  const SampleMatrix<double> fast = passage.tangent();
  double scale = 0;
  for (std::int64_t s = 0; s < kSamples; ++s) scale = std::max(scale, expected.at(s, s));
  for (std::size_t i = 0; i < fast.values.size(); ++i)
    EXPECT_NEAR(fast.values[i], expected.values[i], 1e-7 * scale) << i;
}

TEST_P(TangentKernels, AreTheSumOfTheirParts) {
  const Passage<double> passage(network_, parameters_, x_, 5, workers_);
  using Whole = Passage<double>;
  const SampleMatrix<double> all = passage.tangent();
  const SampleMatrix<double> strength = passage.tangent(Whole::strength);
  const SampleMatrix<double> gates = passage.tangent(Whole::gates);
  const SampleMatrix<double> cross = passage.tangent(Whole::cross);
  for (std::size_t i = 0; i < all.values.size(); ++i)
    EXPECT_NEAR(all.values[i], strength.values[i] + gates.values[i] + cross.values[i],
                1e-12 * (1 + std::abs(all.values[i])));
}

INSTANTIATE_TEST_SUITE_P(All, TangentKernels, testing::ValuesIn(test::deep_variants()),
                         [](const auto& instance) { return instance.param.name; });

/// More samples than a tile, not a multiple of it; symmetric to the last bit, whatever the threads.
TEST(TangentKernel, TilesFitTogether) {
  net::DeepOptions options = test::deep_options("network", 4, 0.1, "both");
  const net::DeepGated<double> network(options, kInputs, 1);
  const std::vector<double> parameters = test::random_numbers(network.parameter_count(), 1);
  constexpr std::int64_t kSamples = 2 * Passage<double>::kBlock + 5;
  const std::vector<double> x = test::random_numbers(kInputs * kSamples, 2);
  math::Workers one(1), three(3);
  const SampleMatrix<double> whole = Passage<double>(network, parameters, x, 5, one).tangent();
  EXPECT_EQ(whole.values, Passage<double>(network, parameters, x, 5, three).tangent().values);
  for (const auto& [s, t] : {std::pair<std::int64_t, std::int64_t>{0, 196}, {95, 96}, {100, 3}, {150, 150}}) {
    std::vector<double> pair;
    for (const std::int64_t i : {s, t})
      pair.insert(pair.end(), x.begin() + i * kInputs, x.begin() + (i + 1) * kInputs);
    const SampleMatrix<double> small = Passage<double>(network, parameters, pair, 5, one).tangent();
    EXPECT_NEAR(whole.at(s, t), small.at(0, 1), 1e-12 * std::abs(small.at(0, 1)));
    EXPECT_EQ(whole.at(s, t), whole.at(t, s));
  }
}

TEST(Spectra, AreThoseOfAKnownMatrix) {
  // Experiment 1's expected matrix: 1 on the diagonal, m off it.                                        ledger: P.5, I.6
  constexpr std::int64_t kSize = 20;
  constexpr double kOff = 0.25;
  SampleMatrix<double> matrix(kSize);
  for (std::int64_t s = 0; s < kSize; ++s) {
    for (std::int64_t t = 0; t < kSize; ++t) matrix.at(s, t) = s == t ? 1 : kOff;
  }
  const std::vector<double> rho = eigenvalues(matrix);
  for (std::size_t i = 0; i + 1 < rho.size(); ++i) EXPECT_NEAR(rho[i], 1 - kOff, 1e-12);
  EXPECT_NEAR(rho.back(), 1 + 19 * kOff, 1e-12);
  EXPECT_NEAR(cumulative(rho).back(), 20, 1e-12);
  EXPECT_NEAR(condition_number(rho), (1 + 19 * kOff) / (1 - kOff), 1e-12);
  // y = (1, …, 1) is the top eigenvector: ν = n/ρ_max, trace-normalised n·n/ρ_max.
  const std::vector<double> ones(kSize, 1.0);
  EXPECT_NEAR(alignment(matrix, ones), 20 / rho.back(), 1e-12);
  EXPECT_NEAR(alignment(trace_normalised(matrix), ones), 400 / rho.back(), 1e-10);
  matrix.at(1, 1) = matrix.at(0, 0) = matrix.at(0, 1) = matrix.at(1, 0) = 0;
  EXPECT_TRUE(std::isinf(alignment(matrix, ones)));
}

}  // namespace
}  // namespace sluice::kernel
