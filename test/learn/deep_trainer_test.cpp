#include "sluice/learn/deep_trainer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "sluice/learn/evaluate.hpp"
#include "sluice/learn/trainer.hpp"
#include "sluice/net/deep_init.hpp"
#include "sluice/net/deep_network.hpp"
#include "sluice/task/points.hpp"
#include "test/net/deep_variants.hpp"

namespace sluice::learn {
namespace {

constexpr std::uint64_t kSeed =
    12;  // one for which no network is born dead (with 11 the ReLU convolution is)

/// 100 points: a whole part of the batch and a rest.
std::unique_ptr<task::Task> points(std::int64_t inputs) {
  task::PointsOptions options;
  options.n = inputs;
  options.samples = 100;
  options.inputs = "uniform";
  return options.make();
}

class DeepTraining : public testing::TestWithParam<test::DeepVariant> {
 protected:
  std::int64_t inputs() const { return GetParam().inputs(); }
  std::unique_ptr<task::Task> task_ = points(inputs());
  const task::FiniteSet& set_ = *task_->training_set();
  net::DeepNetwork family_{GetParam().options, GetParam().input, 1};
  const net::DeepGated<float>& network_ = family_.layers();
  OutputLoss loss_{loss("half-squared"), 1, 0.0};
  TrainingOptions options_{.kind = "sgd", .optimizer = {.rate = 0.05}, .batch = kFullBatch};

  State train(int threads, int steps, const std::string& kind = "sgd") {
    math::Workers workers(threads);
    const EpochBatches batches(set_, kSeed, set_.size());
    options_.kind = kind;
    DeepTrainer trainer(batches, network_, loss_, options_, kSeed,
                        {.step = 0, .parameters = net::initial_parameters(network_, kSeed)}, workers);
    for (int step = 0; step < steps; ++step) trainer.move();
    return trainer.state();
  }
  /// Mean loss in double, written from the definition of the passage alone.
  double mean_loss(const std::vector<double>& parameters) {
    const net::DeepGated<double> exact(GetParam().options, GetParam().input, 1);
    net::Trace<double> trace = exact.make_trace(set_.size());
    for (std::int64_t s = 0; s < set_.size(); ++s) {
      for (std::int64_t i = 0; i < inputs(); ++i)
        trace.input().at(exact.place_of(i), s) = set_.x[static_cast<std::size_t>(s * inputs() + i)];
    }
    exact.set_gates(kSeed, 0, trace);
    std::vector<double> storage;
    exact.forward(exact.prepare(parameters, storage), trace);
    double sum = 0;
    for (std::int64_t s = 0; s < set_.size(); ++s) {
      const double e =
          trace.layers.back().q[static_cast<std::size_t>(s)] - set_.y[static_cast<std::size_t>(s)];
      sum += e * e / 2;
    }
    return sum / static_cast<double>(set_.size());
  }
};

/// One step of gradient descent moves every trained parameter by −rate times the finite difference of the loss, and no
/// other. Hard gates make the loss piecewise smooth; a step of 1e-5 crosses no kink here.
TEST_P(DeepTraining, AStepFollowsTheGradientOfTheLoss) {
  const std::vector<float> start = net::initial_parameters(network_, kSeed);
  const std::vector<float> moved = train(2, 1).parameters;
  const net::DeepOptions& options = GetParam().options;
  const std::size_t gates_begin =
      options.gated_by_network() ? network_.gate_weights(1).offset : network_.parameter_count();
  for (std::size_t p = 0; p < start.size(); ++p) {
    const bool trained = p < gates_begin ? options.trains_weights() : options.trains_gates();
    if (!trained) {
      EXPECT_EQ(moved[p], start[p]) << p;
      continue;
    }
    std::vector<double> theta(start.begin(), start.end());
    theta[p] += 1e-5;
    const double above = mean_loss(theta);
    theta[p] -= 2e-5;
    const double slope = (above - mean_loss(theta)) / 2e-5;
    // Rounding of θ and of float sums over 100 samples.
    EXPECT_NEAR(moved[p] - start[p], -0.05 * slope, 2e-6 + 1e-4 * std::abs(0.05 * slope)) << p;
  }
}

TEST_P(DeepTraining, DoesNotDependOnThreads) {
  for (const char* kind : {"sgd", "rmsprop", "adam"}) EXPECT_EQ(train(1, 5, kind), train(3, 5, kind)) << kind;
}

/// The trainer of any network and the one made for deep ones are two ways to the same step: chunks of gradients added in double,
/// tiles of the whole batch in float. They differ by rounding.
TEST_P(DeepTraining, IsWhatTheTrainerOfAnyNetworkDoes) {
  math::Workers workers(2);
  const EpochBatches batches(set_, kSeed, set_.size());
  Trainer any(batches, family_, loss_, options_, kSeed, {.step = 0, .parameters = family_.start(kSeed)},
              workers);
  for (int step = 0; step < 3; ++step) any.move();
  const std::vector<float> tiled = train(2, 3).parameters;
  EXPECT_NE(tiled, family_.start(kSeed)) << "nothing moved: this test cannot fail";
  for (std::size_t p = 0; p < tiled.size(); ++p)
    EXPECT_NEAR(any.state().parameters[p], tiled[p], 3e-6 * std::max(1.0F, std::abs(tiled[p]))) << p;
}

TEST_P(DeepTraining, LowersTheLossTheEvaluatorSees) {
  math::Workers workers(2);
  const EpochBatches whole(set_, 0, set_.size());
  Evaluator evaluator(whole, family_, loss_, kSeed, workers);
  const std::vector<float> start = net::initial_parameters(network_, kSeed);
  const double before = evaluator.evaluate(start).loss;
  EXPECT_NEAR(before, mean_loss({start.begin(), start.end()}), 1e-5);
  EXPECT_LT(evaluator.evaluate(train(2, 30).parameters).loss, before);
}

INSTANTIATE_TEST_SUITE_P(All, DeepTraining, testing::ValuesIn(test::deep_variants()),
                         [](const auto& instance) { return instance.param.name; });

TEST(OutputLoss, SoftmaxHasItsDerivativesAndDoesNotOverflow) {
  const OutputLoss softmax(loss("cross-entropy"), 3, 0.0);
  const OutputLoss squares(loss("half-squared"), 3, 0.0);
  for (const OutputLoss* each : {&softmax, &squares}) {
    std::vector<float> outputs{0.5F, -1.25F, 2.0F}, slopes(3);
    each->slopes(outputs.data(), 1, 2.0, 1.0, slopes.data());
    for (std::size_t j = 0; j < 3; ++j) {
      std::vector<float> moved = outputs;
      const float h = 1.0F / 256;
      moved[j] += h;
      const double above = each->value(moved.data(), 1, 2.0);
      moved[j] -= 2 * h;
      // The third derivative of either is below 1: an error of h²/6.
      EXPECT_NEAR(slopes[j], (above - each->value(moved.data(), 1, 2.0)) / (2 * h), 1e-5);
    }
  }
  const std::vector<float> large{1e4F, -1e4F, 0};
  EXPECT_NEAR(softmax.value(large.data(), 1, 1.0), 2e4, 1e-3);
  EXPECT_TRUE(softmax.right(large.data(), 1, 0.0));
  EXPECT_FALSE(softmax.right(large.data(), 1, 1.0));
}

}  // namespace
}  // namespace sluice::learn
