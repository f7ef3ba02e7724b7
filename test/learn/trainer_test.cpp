#include "sluice/learn/trainer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "sluice/learn/evaluate.hpp"
#include "sluice/net/init.hpp"
#include "sluice/net/two_layer_network.hpp"
#include "sluice/task/gaussian.hpp"
#include "sluice/task/nlgp.hpp"
#include "test/support/close.hpp"
#include "test/support/estimate.hpp"
#include "test/support/normals.hpp"

namespace sluice::learn {
namespace {

struct Problem {
  task::NlgpOptions task;
  net::TwoLayerOptions network;
  TrainingOptions sgd{.optimizer = {.rate = 0.8}, .batch = 300, .steps = 100};

  Problem() {
    task.n = 13;
    network.hidden = 6;
    network.bias = "learned";
    network.activation = "erf";
  }
};

State train(const Problem& problem, int threads, int steps) {
  const task::Nlgp task(problem.task);
  const net::TwoLayerNetwork network(problem.network, problem.task.n);
  math::Workers workers(threads);
  Trainer trainer(FreshBatches(task, 9, math::Purpose::training, problem.sgd.batch), network,
                  OutputLoss(loss(problem.sgd.loss), 1, 0.5), problem.sgd, 9, {0, network.start(9)}, workers);
  for (int i = 0; i < steps; ++i) trainer.move();
  return trainer.state();
}

/// One parameter under an optimiser, written from the definitions in optimizer.hpp.
struct PlainParameter {
  double theta;
  double v = 0;
  double s = 0;

  void move(const std::string& kind, const OptimizerOptions& o, int t, double g) {
    const double mix = kind == "momentum" ? 1 : 1 - o.momentum;  // only adam takes a mean of gradients
    v = o.momentum * v + mix * g;
    s = o.decay * s + (1 - o.decay) * g * g;
    theta -= o.rate * o.weight_decay * theta;
    if (kind == "sgd") theta -= o.rate * g;
    if (kind == "momentum") theta -= o.rate * v;
    if (kind == "rmsprop") theta -= o.rate * g / (std::sqrt(s) + o.epsilon);
    if (kind == "adam") {
      const double mean = v / (1 - std::pow(o.momentum, t));
      theta -= o.rate * mean / (std::sqrt(s / (1 - std::pow(o.decay, t))) + o.epsilon);
    }
  }
};

/// The same training in plain double loops, one sample at a time, written from the definition.
std::vector<PlainParameter> train_plainly(const Problem& problem, int steps) {
  const task::Nlgp task(problem.task);
  const auto n = static_cast<std::size_t>(problem.task.n);
  const auto units = static_cast<std::size_t>(problem.network.hidden);
  const auto batch = static_cast<std::size_t>(problem.sgd.batch);
  const bool learned = problem.network.readout == "learned";
  const std::size_t behind = units * (n + 1);  // where a learned readout stands, its offset last
  const std::vector<float> start = net::initial_parameters(problem.network, problem.task.n, 9);
  std::vector<PlainParameter> theta;
  for (const float value : start) theta.push_back({value});
  for (int step = 0; step < steps; ++step) {
    std::vector<double> gradient(theta.size(), 0.0);
    for (std::size_t row = 0; row < batch; ++row) {
      const int which_class = row < batch / 2 ? 0 : 1;
      const std::vector<float> x = test::sample_rows(
          task, {.seed = 9, .step = static_cast<std::uint64_t>(step), .row = static_cast<std::uint32_t>(row)},
          which_class, 1);
      double output = learned ? theta[behind + units].theta : 0.0;
      std::vector<double> value(units);
      std::vector<double> slope(units);
      for (std::size_t k = 0; k < units; ++k) {
        double h = theta[units * n + k].theta;
        for (std::size_t i = 0; i < n; ++i) h += theta[k * n + i].theta * x[i];
        const double weight = learned ? theta[behind + k].theta : 1 / static_cast<double>(units);
        value[k] = std::erf(h / std::sqrt(2.0));
        slope[k] = weight * std::sqrt(2 / M_PI) * std::exp(-h * h / 2);
        output += weight * value[k];
      }
      const double label = problem.task.classes.labels[static_cast<std::size_t>(which_class)];
      const double error = (output - label) / static_cast<double>(batch);
      for (std::size_t k = 0; k < units; ++k) {
        for (std::size_t i = 0; i < n; ++i) gradient[k * n + i] += error * slope[k] * x[i];
        gradient[units * n + k] += error * slope[k];
        if (learned) gradient[behind + k] += error * value[k];
      }
      if (learned) gradient[behind + units] += error;
    }
    for (std::size_t p = 0; p < theta.size(); ++p)
      theta[p].move(problem.sgd.kind, problem.sgd.optimizer, step + 1, gradient[p]);
  }
  return theta;
}

// Allowed: a hundred roundings of parameters below 2 to float, at most 1.2e-7 each, and as much again for the gradients.
class PlainLoops : public testing::TestWithParam<std::tuple<std::string, std::string, double>> {};

TEST_P(PlainLoops, AgreeOverAHundredSteps) {
  Problem problem;
  std::tie(problem.sgd.kind, problem.network.readout, problem.sgd.optimizer.weight_decay) = GetParam();
  problem.network.readout_init = {.law = "normal", .std = 0.5};
  if (problem.sgd.kind == "momentum") problem.sgd.optimizer.rate = 0.08;  // 1 − μ times that of sgd
  if (optimizer(problem.sgd.kind).uses_decay) problem.sgd.optimizer.rate = 0.003;
  const State fast = train(problem, 2, 100);
  const std::vector<PlainParameter> plain = train_plainly(problem, 100);
  const State start = train(problem, 1, 0);
  ASSERT_EQ(fast.parameters.size(), plain.size());
  double moved = 0;
  double off = 0;
  for (std::size_t p = 0; p < plain.size(); ++p) {
    moved = std::max(moved, std::abs(plain[p].theta - start.parameters[p]));
    off = std::max(off, std::abs(fast.parameters[p] - plain[p].theta));
    EXPECT_TRUE(test::close(fast.parameters[p], plain[p].theta,
                            test::absolute(2e-5, "float rounding over 100 steps")))
        << p;
  }
  ASSERT_GT(moved, 0.1) << "nothing moved: this test cannot fail";
  std::printf("largest move %.2f, largest difference %.1e\n", moved, off);
}

INSTANTIATE_TEST_SUITE_P(OptimizersAndReadouts, PlainLoops,
                         testing::Combine(testing::Values("sgd", "momentum", "rmsprop", "adam"),
                                          testing::Values("mean", "learned"), testing::Values(0.0, 0.3)),
                         [](const auto& tested) {
                           return std::get<0>(tested.param) + "_" + std::get<1>(tested.param) +
                                  (std::get<2>(tested.param) > 0 ? "_decaying" : "");
                         });

TEST(Trainer, BitsDoNotDependOnThreads) {
  for (const char* readout : {"mean", "learned"}) {
    for (const std::int64_t batch : {2, 64, 130, 1000, 9000}) {
      for (const std::int64_t units : {6, 35}) {  // a learned readout of one vector, and of three
        Problem problem;
        problem.sgd.batch = batch;
        problem.network.readout = readout;
        problem.network.hidden = units;
        const State one = train(problem, 1, 5);
        for (const int threads : {2, 3, 5})
          EXPECT_EQ(train(problem, threads, 5), one) << readout << " " << batch << " " << threads;
      }
    }
  }
}

TEST(Trainer, FixedBiasStays) {
  Problem problem;
  problem.network.bias = 0.75;
  const State state = train(problem, 1, 20);
  for (std::size_t k = 0; k < 6; ++k) EXPECT_EQ(state.parameters[6 * 13 + k], 0.75F);
}

TEST(BlockPlan, CoversEveryRowOnceWithinItsClass) {
  for (const std::int64_t batch : {2, 4, 126, 128, 130, 1000, 10'000, 100'002}) {
    const BlockPlan plan(batch, batch / 2);
    std::int64_t next = 0;
    for (const Block& block : plan.blocks) {
      EXPECT_EQ(block.first_row, next);
      EXPECT_EQ(block.which_class, block.first_row < batch / 2 ? 0 : 1);
      EXPECT_LE(block.rows, BlockPlan::kBlockRows);
      next += block.rows;
    }
    EXPECT_EQ(next, batch);
    EXPECT_LE(plan.chunks, BlockPlan::kMostChunks);
    EXPECT_EQ(plan.last(plan.chunks - 1), static_cast<std::int64_t>(plan.blocks.size()));
  }
}

/// One ReLU unit with a given field on Gaussian data, ξ = (2,1), n = 40.
struct OneUnit {
  task::GaussianOptions task_options;
  task::Gaussian task{task_options};
  net::TwoLayerOptions network_options;
  std::vector<float> parameters = std::vector<float>(41, 0.0F);

  OneUnit() { network_options.hidden = 1; }
};

// D.5, K: the fixed point of the flat mode, norm 0.2825083973, has loss 0.1969501816.
TEST(Evaluator, LossAtTheGaussianFixedPointIsTheClosedForm) {
  OneUnit unit;
  for (std::size_t i = 0; i < 40; ++i)
    unit.parameters[i] = static_cast<float>(0.2825083973 / std::sqrt(40.0));
  const net::TwoLayerNetwork network(unit.network_options, 40);
  math::Workers workers(2);
  // Independent evaluation sets give the standard error of their mean.
  test::Estimate loss;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const FreshBatches set(unit.task, seed, math::Purpose::evaluation, 20'000);
    loss.add(Evaluator(set, network, OutputLoss(learn::loss("half-squared"), 1, 0.5), seed, workers)
                 .evaluate(unit.parameters)
                 .loss);
  }
  EXPECT_TRUE(test::close(loss.mean(), 0.1969501816, test::sampling(loss.standard_error())));
  EXPECT_LT(loss.standard_error(), 2e-4);
}

// N0.20: E[−∂L/∂w] = −¼(Σ0 + (1 − √(2/π)/√(w'Σ1w)) Σ1) w for one ReLU unit on Gaussian data.
TEST(Trainer, MeanStepFollowsTheGaussianFlow) {
  OneUnit unit;
  std::vector<double> w(40);
  for (std::size_t i = 0; i < 40; ++i) {
    w[i] = 0.3 * std::exp(-std::pow((static_cast<double>(i) - 12) / 3, 2)) +
           0.05 * std::cos(1.7 * static_cast<double>(i));
    unit.parameters[i] = static_cast<float>(w[i]);
  }
  const auto times = [&](int which_class, std::size_t i) {
    const std::vector<double> row = unit.task.moments(which_class).covariance;
    double sum = 0;
    for (std::size_t j = 0; j < 40; ++j) sum += row[(40 + i - j) % 40] * w[j];
    return sum;
  };
  double form = 0;
  for (std::size_t i = 0; i < 40; ++i) form += w[i] * times(0, i);

  const net::TwoLayerNetwork network(unit.network_options, 40);
  math::Workers workers(2);
  std::vector<test::Estimate> drift(40);
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Trainer trainer(FreshBatches(unit.task, seed, math::Purpose::training, 2000), network,
                    OutputLoss(loss("half-squared"), 1, 0.5), {.optimizer = {.rate = 1.0}}, seed,
                    {0, unit.parameters}, workers);
    trainer.move();
    for (std::size_t i = 0; i < 40; ++i)
      drift[i].add(static_cast<double>(trainer.state().parameters[i]) - unit.parameters[i]);
  }
  double largest = 0;
  for (std::size_t i = 0; i < 40; ++i) {
    const double flow = -0.25 * (times(1, i) + (1 - std::sqrt(2 / M_PI) / std::sqrt(form)) * times(0, i));
    largest = std::max(largest, std::abs(flow));
    EXPECT_TRUE(test::close(drift[i].mean(), flow, test::sampling(drift[i].standard_error()))) << i;
  }
  ASSERT_GT(largest, 50 * drift[0].standard_error()) << "nothing to see: this test cannot fail";
}

}  // namespace
}  // namespace sluice::learn
