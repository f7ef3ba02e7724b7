#include "sluice/kernel/tangent.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "sluice/kernel/spectrum.hpp"
#include "test/net/deep_variants.hpp"
#include "test/net/plain_network.hpp"

namespace sluice::kernel {
namespace {

constexpr std::int64_t kInputs = 3;

class TangentKernels : public testing::TestWithParam<test::DeepVariant> {
 protected:
  static constexpr std::int64_t kSamples = 7;
  math::Workers workers_{2};
  std::int64_t inputs() const { return GetParam().inputs(); }
  net::DeepGated<double> network_{GetParam().options, GetParam().input, 1};
  std::vector<double> parameters_ = test::random_numbers(network_.parameter_count(), test::kLively);
  std::vector<double> x_ = test::random_numbers(static_cast<std::size_t>(inputs() * kSamples), 2);
  test::PlainNetwork plain_{GetParam().options, GetParam().input, 1};

  /// G_s of a unit, numbered plane by plane.
  static double gate(const Passage<double>& passage, std::size_t s, std::size_t l, std::size_t unit) {
    const net::Trace<double>& trace = passage.blocks()[0];
    const net::Volume& at = passage.network().layer(static_cast<std::int64_t>(l)).to();
    return trace.layers[l].gate[static_cast<std::size_t>(
        at.place_of(static_cast<std::int64_t>(unit)) * trace.stride + static_cast<std::int64_t>(s))];
  }
  /// ∂ŷ_s/∂θ(p) of every sample, exactly.
  std::vector<double> slopes(const Passage<double>& passage, std::size_t p,
                             test::PlainNetwork::Gates gates) const {
    std::vector<double> all;
    for (std::size_t s = 0; s < kSamples; ++s) {
      const auto n = static_cast<std::size_t>(inputs());
      const auto drawn = [&](std::size_t l, std::size_t unit) { return gate(passage, s, l, unit); };
      all.push_back(plain_.outputs(parameters_, std::span(x_).subspan(s * n, n), p, drawn, gates)[0].d);
    }
    return all;
  }

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

/// The parts against exact Jacobians, by dual numbers in a network written down unit by unit: with gates held, and of what their moving adds.
TEST_P(TangentKernels, AndTheirPartsAreThoseOfExactJacobians) {
  const Passage<double> passage(network_, parameters_, x_, 5, workers_);
  using Whole = Passage<double>;
  using Gates = test::PlainNetwork::Gates;
  SampleMatrix<double> strength(kSamples), gates(kSamples), cross(kSamples);
  for (std::size_t p = 0; p < parameters_.size(); ++p) {
    const std::vector<double> held = slopes(passage, p, Gates::held),
                              moving = slopes(passage, p, Gates::moving);
    for (std::int64_t s = 0; s < kSamples; ++s) {
      for (std::int64_t t = 0; t < kSamples; ++t) {
        const auto i = static_cast<std::size_t>(s), j = static_cast<std::size_t>(t);
        strength.at(s, t) += held[i] * held[j];
        gates.at(s, t) += (moving[i] - held[i]) * (moving[j] - held[j]);
        cross.at(s, t) += held[i] * (moving[j] - held[j]) + (moving[i] - held[i]) * held[j];
      }
    }
  }
  double scale = 0;
  for (std::int64_t s = 0; s < kSamples; ++s) scale = std::max(scale, strength.at(s, s) + gates.at(s, s));
  ASSERT_GT(scale, 1e-6) << "a dead network: this test cannot fail";
  for (std::size_t i = 0; i < strength.values.size(); ++i) {
    EXPECT_NEAR(passage.tangent(Whole::strength).values[i], strength.values[i], 1e-10 * scale) << i;
    EXPECT_NEAR(passage.tangent(Whole::gates).values[i], gates.values[i], 1e-10 * scale) << i;
    EXPECT_NEAR(passage.tangent(Whole::cross).values[i], cross.values[i], 1e-10 * scale) << i;
  }
}

/// Σ_p φ_s(p) φ_t(p) and the number of open paths, by walking every path back from the output.
TEST_P(TangentKernels, PathsAreThoseThatCanBeWalked) {
  const Passage<double> passage(network_, parameters_, x_, 5, workers_);
  const std::vector<test::PlainNetwork::Stage> stages = plain_.stages();
  struct Sums {
    double features = 0, open = 0;
  };
  const std::function<Sums(std::size_t, std::size_t, std::size_t, std::size_t, bool)> walk =
      [&](std::size_t s, std::size_t t, std::size_t l, std::size_t unit, bool pooled) -> Sums {
    const auto n = static_cast<std::size_t>(inputs());
    if (l == 0) return {x_[s * n + unit] * x_[t * n + unit], 1};
    const bool here = pooled && !stages[l - 1].pool.empty();
    const double gates =
        here || l == stages.size() ? 1 : gate(passage, s, l, unit) * gate(passage, t, l, unit);
    Sums sums;
    for (const auto& connection : (here ? stages[l - 1].pool : stages[l - 1].map)[unit]) {
      const Sums more = walk(s, t, here ? l : l - 1, static_cast<std::size_t>(connection.from), !here);
      sums.features += gates * connection.fixed * connection.fixed * more.features;
      sums.open += gates * more.open;
    }
    return sums;
  };
  const SampleMatrix<double> paths = passage.paths(), overlap = passage.overlap();
  for (std::size_t s = 0; s < 3; ++s) {
    for (std::size_t t = 0; t < 3; ++t) {
      const Sums sums = walk(s, t, stages.size(), 0, true);
      const auto i = static_cast<std::int64_t>(s), j = static_cast<std::int64_t>(t);
      EXPECT_NEAR(paths.at(i, j), sums.features, 1e-11 * (1 + std::abs(sums.features)));
      EXPECT_NEAR(overlap.at(i, j), sums.open / static_cast<double>(inputs()), 1e-11 * (1 + sums.open));
    }
  }
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
