#include "sluice/learn/optimizer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "sluice/learn/loss.hpp"
#include "test/support/close.hpp"

namespace sluice::learn {
namespace {

/// Where θ goes from 0 under a constant gradient.
std::vector<double> path(const std::string& name, double gradient, int steps,
                         const OptimizerOptions& options) {
  float v = 0;
  float s = 0;
  float theta = 0;
  std::vector<double> visited;
  for (int t = 1; t <= steps; ++t) {
    optimizer(name).move(options, t, {1, &theta, nullptr, &gradient, &v, &s});
    visited.push_back(theta);
  }
  return visited;
}

const OptimizerOptions kOptions{.rate = 0.1, .momentum = 0.9, .decay = 0.99, .epsilon = 1e-8};

TEST(Optimizers, FollowTheirClosedFormsUnderAConstantGradient) {
  const test::Tolerance rounding{1e-5, 1e-7, "float memory"};
  for (const double g : {2.0, -0.03}) {
    const auto sgd = path("sgd", g, 50, kOptions);
    const auto momentum = path("momentum", g, 50, kOptions);
    const auto rmsprop = path("rmsprop", g, 50, kOptions);
    const auto adam = path("adam", g, 50, kOptions);
    double slid = 0;
    double scaled = 0;
    for (int t = 1; t <= 50; ++t) {
      const auto i = static_cast<std::size_t>(t - 1);
      slid += g * (1 - std::pow(0.9, t)) / (1 - 0.9);                         // v_t = g Σ μ^j
      scaled += g / (std::abs(g) * std::sqrt(1 - std::pow(0.99, t)) + 1e-8);  // s_t = g²(1 − ρ^t)
      EXPECT_TRUE(test::close(sgd[i], -0.1 * g * t, rounding)) << t;
      EXPECT_TRUE(test::close(momentum[i], -0.1 * slid, rounding)) << t;
      EXPECT_TRUE(test::close(rmsprop[i], -0.1 * scaled, rounding)) << t;
      EXPECT_TRUE(test::close(adam[i], -0.1 * t * std::copysign(1.0, g), rounding))
          << t;  // bias-corrected: g/|g|
    }
  }
}

TEST(Optimizers, FindTheMinimumOfAQuadratic) {
  for (const Optimizer& entry : optimizers()) {
    float v = 0;
    float s = 0;
    float theta = 3;
    OptimizerOptions options = kOptions;
    for (int t = 1; t <= 4000; ++t) {
      options.rate = 0.05 / (1 + t / 100.0);  // rmsprop and adam need a shrinking rate to settle
      const double gradient = 2 * (double{theta} - 1);
      entry.move(options, t, {1, &theta, nullptr, &gradient, &v, &s});
    }
    EXPECT_NEAR(theta, 1, 2e-2) << entry.choice.name;
  }
}

/// Whole vectors, the rest behind them and float gradients all take the same step as a parameter alone.
TEST(Optimizers, MoveEveryParameterOfAStretchAlike) {
  constexpr std::size_t kCount = 37;
  for (const Optimizer& entry : optimizers()) {
    std::vector<float> together(kCount), first(kCount), second(kCount), gradient(kCount);
    for (std::size_t i = 0; i < kCount; ++i) together[i] = 0.1F * static_cast<float>(i) - 1;
    for (std::size_t i = 0; i < kCount; ++i) gradient[i] = 0.3F - 0.02F * static_cast<float>(i);
    std::vector<float> alone = together;
    std::vector<float> v(kCount), s(kCount);
    for (int t = 1; t <= 3; ++t) {
      entry.move(kOptions, t,
                 {kCount, together.data(), gradient.data(), nullptr, first.data(), second.data()});
      for (std::size_t i = 0; i < kCount; ++i) {
        const double g = gradient[i];
        entry.move(kOptions, t, {1, &alone[i], nullptr, &g, &v[i], &s[i]});
      }
    }
    EXPECT_EQ(together, alone) << entry.choice.name;
    EXPECT_EQ(first, v) << entry.choice.name;
    EXPECT_EQ(second, s) << entry.choice.name;
  }
}

/// Without a gradient θ decays by (1 − ηλ)^t, whatever the optimiser: decay goes past memory and root mean square. Both signs, whole
/// vectors and the rest.
TEST(Optimizers, DecayWeightsApartFromTheGradient) {
  constexpr std::size_t kCount = 11;
  OptimizerOptions options = kOptions;
  options.weight_decay = 0.2;
  for (const Optimizer& entry : optimizers()) {
    std::vector<float> theta(kCount), v(kCount), s(kCount);
    const std::vector<double> none(kCount);
    for (std::size_t i = 0; i < kCount; ++i) theta[i] = static_cast<float>(i) - 5;
    for (int t = 1; t <= 40; ++t)
      entry.move(options, t, {kCount, theta.data(), nullptr, none.data(), v.data(), s.data()});
    for (std::size_t i = 0; i < kCount; ++i)
      EXPECT_TRUE(test::close(theta[i], (static_cast<double>(i) - 5) * std::pow(1 - 0.1 * 0.2, 40),
                              {40 * 6e-8, 0, "one rounding to float per step"}))
          << entry.choice.name << " " << i;
  }
}

/// For sgd it is descent on the loss with the penalty ½λθ².
TEST(Optimizers, DecayOfSgdIsAPenalty) {
  OptimizerOptions decaying = kOptions;
  decaying.weight_decay = 0.7;
  float decayed = 1.5F;
  double penalised = 1.5;
  for (int t = 1; t <= 30; ++t) {
    const double g = 0.4 * std::sin(t);
    optimizer("sgd").move(decaying, t, {1, &decayed, nullptr, &g, nullptr, nullptr});
    penalised -= kOptions.rate * (g + 0.7 * penalised);
    EXPECT_NEAR(decayed, penalised, 3e-6) << t;
  }
}

TEST(Losses, HaveTheirDerivativesAndDoNotOverflow) {
  for (const Loss& entry : losses()) {
    for (const double label : {0.0, 1.0}) {
      for (const double output : {-3.0, -0.2, 0.4, 2.5}) {
        const double difference =
            (entry.value(output + 1e-6, label) - entry.value(output - 1e-6, label)) / 2e-6;
        EXPECT_NEAR(entry.slope(output, label), difference, 1e-8) << entry.choice.name;
      }
      EXPECT_TRUE(std::isfinite(entry.value(1e4, label))) << entry.choice.name;
      EXPECT_TRUE(std::isfinite(entry.value(-1e4, label))) << entry.choice.name;
    }
  }
  EXPECT_NEAR(loss("cross-entropy").value(0, 1), std::log(2), 1e-15);
}

/// No other output that never changes is better: tried by moving every one of them.
TEST(Losses, KnowTheBestOutputThatNeverChanges) {
  const std::vector<float> two{1, 0, 1, 1, 0, 1, 1}, three{0, 2, 2, 1, 2, 0, 2, 2, 2};
  for (const Loss& entry : losses()) {
    for (const std::int64_t outputs : {1, 3}) {
      const OutputLoss loss(entry, outputs, 0.5);
      const std::vector<float>& labels = outputs == 1 ? two : three;
      const auto mean = [&](const std::vector<float>& constant) {
        double sum = 0;
        for (const float label : labels) sum += loss.value(constant.data(), 1, label);
        return sum / static_cast<double>(labels.size());
      };
      const std::vector<float> best = loss.best_constant(labels);
      ASSERT_EQ(best.size(), static_cast<std::size_t>(outputs));
      for (std::size_t j = 0; j < best.size(); ++j) {
        for (const float away : {-0.5F, -0.05F, 0.05F, 0.5F}) {
          std::vector<float> other = best;
          other[j] += away;
          EXPECT_GE(mean(other), mean(best)) << entry.choice.name << " " << outputs << " " << j;
        }
      }
    }
  }
}

}  // namespace
}  // namespace sluice::learn
