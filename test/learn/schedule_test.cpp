#include "sluice/learn/schedule.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "sluice/learn/deep_trainer.hpp"
#include "sluice/learn/trainer.hpp"
#include "sluice/net/deep_network.hpp"
#include "sluice/net/two_layer_network.hpp"
#include "sluice/task/nlgp.hpp"

namespace sluice::learn {
namespace {

TEST(Schedule, HasTheValuesOfItsLaws) {
  constexpr std::int64_t kSteps = 400;
  const ScheduleOptions falls{.law = "step", .every = 100, .factor = 0.5};
  EXPECT_EQ(falls.share(99, kSteps), 1);
  EXPECT_EQ(falls.share(100, kSteps), 0.5);
  EXPECT_EQ(falls.share(399, kSteps), 0.125);

  const ScheduleOptions cosine{.law = "cosine", .end = 0.2};
  EXPECT_EQ(cosine.share(0, kSteps), 1);
  EXPECT_NEAR(cosine.share(200, kSteps), 0.6, 1e-15) << "half way between 1 and 0.2";
  EXPECT_NEAR(cosine.share(100, kSteps), 0.2 + 0.8 * (1 + std::sqrt(0.5)) / 2, 1e-15);
  EXPECT_NEAR(cosine.share(kSteps, kSteps), 0.2, 1e-15);
  EXPECT_EQ(cosine.share(0, 0), 1) << "of a run that only looks";

  const ScheduleOptions inverse{.law = "inverse-time", .half = 50};
  EXPECT_EQ(inverse.share(0, kSteps), 1);
  EXPECT_EQ(inverse.share(50, kSteps), 0.5);
  EXPECT_EQ(inverse.share(150, kSteps), 0.25);

  ScheduleOptions warm{.law = "inverse-time", .half = 50, .warmup = 10};
  EXPECT_DOUBLE_EQ(warm.share(0, kSteps), 0.1);
  EXPECT_DOUBLE_EQ(warm.share(4, kSteps), 0.5 / 1.08);
  EXPECT_EQ(warm.share(9, kSteps), inverse.share(9, kSteps)) << "whole at the last step of the warm-up";
  EXPECT_EQ(warm.share(300, kSteps), inverse.share(300, kSteps));

  for (std::int64_t step = 0; step < kSteps; ++step) EXPECT_EQ(ScheduleOptions{}.share(step, kSteps), 1.0);
  EXPECT_TRUE(ScheduleOptions{}.is_constant());
  warm.law = "constant";
  EXPECT_FALSE(warm.is_constant());
}

/// A trainer on a schedule takes the steps of trainers that have the rate of that step and no schedule, to the bit.
template <class Trained, class Network>
void expect_steps_of_constant_rates(const Batches& batches, const Network& network, const State& start) {
  constexpr std::int64_t kSteps = 20;
  const OutputLoss half_squares(loss("half-squared"), 1, 0.5);
  for (const ScheduleOptions& schedule : {ScheduleOptions{.law = "cosine", .end = 0.1, .warmup = 5},
                                          ScheduleOptions{.law = "step", .every = 6, .factor = 0.5},
                                          ScheduleOptions{.law = "inverse-time", .half = 7}}) {
    for (const char* kind : {"sgd", "adam"}) {
      math::Workers workers(2);
      TrainingOptions options{
          .kind = kind, .optimizer = {.rate = 0.02}, .batch = batches.rows(), .steps = kSteps};
      options.schedule = schedule;
      Trained scheduled(batches, network, half_squares, options, 9, start, workers);
      State alone = start;
      for (std::int64_t step = 0; step < kSteps; ++step) {
        EXPECT_EQ(scheduled.rate(), 0.02 * schedule.share(step, kSteps));
        scheduled.move();
        TrainingOptions constant = options;
        constant.schedule = {};
        constant.optimizer.rate = 0.02 * schedule.share(step, kSteps);
        Trained once(batches, network, half_squares, constant, 9, alone, workers);
        once.move();
        alone = once.state();
        ASSERT_EQ(scheduled.state(), alone) << schedule.law << " " << kind << " step " << step;
      }
      TrainingOptions plain = options;
      plain.schedule = {};
      Trained constant(batches, network, half_squares, plain, 9, start, workers);
      for (std::int64_t step = 0; step < kSteps; ++step) constant.move();
      EXPECT_NE(constant.state().parameters, alone.parameters) << "the schedule must matter";
    }
  }
}

TEST(Schedule, MovesBothTrainersByTheRateOfTheStep) {
  task::NlgpOptions inputs;
  inputs.n = 9;
  const task::Nlgp task(inputs);
  const FreshBatches batches(task, 9, math::Purpose::training, 60);
  net::TwoLayerOptions units;
  units.hidden = 5;
  units.readout = "learned";
  const net::TwoLayerNetwork two_layer(units, inputs.n);
  expect_steps_of_constant_rates<Trainer>(batches, two_layer, {.step = 0, .parameters = two_layer.start(9)});
  net::DeepOptions layers;
  layers.depth = 3;
  layers.width = 6;
  const net::DeepNetwork deep(layers, inputs.n, 1);
  expect_steps_of_constant_rates<DeepTrainer>(batches, deep.layers(),
                                              {.step = 0, .parameters = deep.start(9)});
}

}  // namespace
}  // namespace sluice::learn
