/// The sums over paths, written down, against the formulas that factor over layers.
#include "sluice/kernel/paths.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

#include "test/net/deep_variants.hpp"

namespace sluice::kernel {
namespace {

constexpr std::int64_t kInputs = 3;
constexpr std::size_t kSamples = 4;
constexpr double kRounding = 1e-12;  // of sums over 180 paths, relative to the largest entry

std::vector<test::DeepVariant> dense_variants() {
  std::vector<test::DeepVariant> dense;
  for (const test::DeepVariant& each : test::deep_variants())
    if (each.options.dense()) dense.push_back(each);
  return dense;
}

class PathSums : public testing::TestWithParam<test::DeepVariant> {
 protected:
  math::Workers workers_{1};
  net::DeepGated<double> network_{GetParam().options, kInputs, 1};
  std::vector<double> parameters_ = test::random_numbers(network_.parameter_count(), 1);
  std::vector<double> x_ = test::random_numbers(kInputs * kSamples, 2);
  Passage<double> passage_{network_, parameters_, x_, 5, workers_};
  Paths paths_{passage_, parameters_};

  static void expect_equal(const SampleMatrix<double>& fast, const auto& entry) {
    double scale = 0;
    for (const double value : fast.values) scale = std::max(scale, std::abs(value));
    for (std::size_t s = 0; s < kSamples; ++s) {
      for (std::size_t t = 0; t < kSamples; ++t)
        EXPECT_NEAR(entry(s, t), fast.at(static_cast<std::int64_t>(s), static_cast<std::int64_t>(t)),
                    kRounding * scale)
            << s << ' ' << t;
    }
  }
};

TEST_P(PathSums, AreAsManyAsTheUnitsAllow) { EXPECT_EQ(paths_.size(), 3U * 4 * 3 * 5); }

TEST_P(PathSums, OfFeaturesTimesStrengthsAreTheOutput) {  // P.2
  const std::vector<double> outputs = passage_.outputs();
  for (std::size_t s = 0; s < kSamples; ++s)
    EXPECT_NEAR(paths_.output(s), outputs[s], kRounding * (1 + std::abs(outputs[s])));
}

TEST_P(PathSums, OfProductsOfFeaturesAreInputsTimesOverlap) {  // P.a3
  expect_equal(passage_.paths(), [&](std::size_t s, std::size_t t) { return paths_.gram(s, t); });
}

TEST_P(PathSums, OverAllPairsOfInputsAreTheTangentKernel) {  // P.L2.1, corrected
  expect_equal(passage_.tangent(Passage<double>::strength),
               [&](std::size_t s, std::size_t t) { return paths_.tangent(s, t); });
}

TEST_P(PathSums, OverEqualInputsAreNot) {  // P.L2.1 as printed
  const double printed = paths_.printed_tangent(0, 0);
  const double whole = passage_.tangent(Passage<double>::strength).at(0, 0);
  EXPECT_GT(std::abs(printed - whole), 0.01 * whole);
}

INSTANTIATE_TEST_SUITE_P(All, PathSums, testing::ValuesIn(dense_variants()),
                         [](const auto& instance) { return instance.param.name; });

TEST(Paths, OfOneInputNeedNoCorrection) {
  math::Workers workers(1);
  const net::DeepGated<double> network(test::deep_options("network", 4, 0.1, "both"), 1, 1);
  const std::vector<double> parameters = test::random_numbers(network.parameter_count(), 1);
  const Passage<double> passage(network, parameters, std::vector<double>{0.7, -1.2}, 5, workers);
  const Paths paths(passage, parameters);
  EXPECT_EQ(paths.printed_tangent(0, 1), paths.tangent(0, 1));
}

TEST(Paths, SensitivityIsTheProductOfSlopesOfTheStrengths) {  // P.3
  math::Workers workers(1);
  const net::DeepGated<double> network(test::deep_options("open", test::kHardGates, 0), 2, 1);
  std::vector<double> parameters = test::random_numbers(network.parameter_count(), 3);
  const Passage<double> passage(network, parameters, std::vector<double>{1, 1}, 5, workers);
  const Paths paths(passage, parameters);
  // A strength is linear in each weight: the difference is exact.
  std::vector<std::vector<double>> slopes(paths.size());
  for (double& theta : parameters) {
    const double kept = theta;
    theta = kept + 1;
    const Paths moved(passage, parameters);
    for (std::size_t p = 0; p < paths.size(); ++p) slopes[p].push_back(moved.strength(p) - paths.strength(p));
    theta = kept;
  }
  for (std::size_t p = 0; p < paths.size(); p += 7) {
    for (std::size_t q = 0; q < paths.size(); q += 5) {
      double product = 0;
      for (std::size_t m = 0; m < parameters.size(); ++m) product += slopes[p][m] * slopes[q][m];
      EXPECT_NEAR(paths.sensitivity(p, q), product, 1e-11) << p << ' ' << q;
    }
  }
}

TEST(Paths, RefuseWhatTheyCannotWriteDown) {
  math::Workers workers(1);
  net::DeepOptions options = test::deep_options("open", test::kHardGates, 0);
  options.widths = {50, 50, 50};
  const net::DeepGated<double> network(options, 1, 1);
  const std::vector<double> parameters(network.parameter_count(), 1.0);
  const Passage<double> passage(network, parameters, std::vector<double>{1}, 5, workers);
  EXPECT_THROW(Paths(passage, parameters), std::invalid_argument);
}

// ---- gates that move ------------------------------------------------------------------------------------------------

class MovingGates : public testing::Test {
 protected:
  math::Workers workers_{1};
  net::DeepGated<double> network_{test::deep_options("network", 2, 0.1, "both"), kInputs, 1};
  std::vector<double> parameters_ = test::random_numbers(network_.parameter_count(), 4);
  std::vector<double> x_ = test::random_numbers(kInputs * kSamples, 5);
  Passage<double> passage_{network_, parameters_, x_, 5, workers_};
  GateGradients gradients_{passage_, parameters_};
  Paths paths_{passage_, parameters_};
};

/// Central differences with step 1e-5: error h² of a smooth function.
TEST_F(MovingGates, GradientsOfActivitiesAreDifferences) {  // P.6
  const std::size_t begin = network_.gate_weights(1).offset;
  constexpr double kStep = 1e-5;
  double largest = 0;
  for (std::size_t m = 0; m < gradients_.weights(); ++m) {
    std::vector<double> above = parameters_, below = parameters_;
    above[begin + m] += kStep;
    below[begin + m] -= kStep;
    const Passage<double> up(network_, above, x_, 5, workers_), down(network_, below, x_, 5, workers_);
    const Paths higher(up, above), lower(down, below);
    for (std::size_t p = 0; p < paths_.size(); p += 11) {
      const double difference = (higher.activity(1, p) - lower.activity(1, p)) / (2 * kStep);
      EXPECT_NEAR(paths_.activity_gradient(gradients_, 1, p)[m], difference, 1e-8);
      largest = std::max(largest, std::abs(difference));
    }
  }
  EXPECT_GT(largest, 0.1) << "nothing moved";
}

TEST_F(MovingGates, AdaptationFactorsOverLayers) {  // I.5 against P.D3.1
  for (std::size_t s = 0; s < kSamples; ++s) {
    for (std::size_t t = 0; t < kSamples; ++t) {
      const double enumerated = paths_.adaptation(gradients_, s, t);
      EXPECT_NEAR(gate_adaptation(passage_, gradients_, s, t), enumerated,
                  1e-12 * (1 + std::abs(enumerated)));
    }
  }
}

TEST_F(MovingGates, AreThoseOfAGatingNetwork) {
  const net::DeepGated<double> own(test::deep_options("own", 2, 0.1), kInputs, 1);
  const std::vector<double> parameters(own.parameter_count(), 1.0);
  const Passage<double> passage(own, parameters, x_, 5, workers_);
  EXPECT_THROW(GateGradients(passage, parameters), std::invalid_argument);
}

}  // namespace
}  // namespace sluice::kernel
