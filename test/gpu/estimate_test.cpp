/// What a plan says of a device before anything is trained there, against what the device then takes.
#include "sluice/lab/estimate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "sluice/gpu/ensemble.hpp"
#include "sluice/lab/setup.hpp"
#include "sluice/lab/sweep.hpp"
#include "test/gpu/on_device.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice::gpu {
namespace {

using Clock = std::chrono::steady_clock;
using Estimates = OnDevice;

double since(Clock::time_point then) { return std::chrono::duration<double>(Clock::now() - then).count(); }

constexpr std::int64_t kSteps = 1'000'000;
constexpr double kFactor = 4;  // other programs may have the device, or its emulation, for a while

/// Products of floats: those of halves are emulated a hundred times as slowly.
constexpr Place kPlace{.on_device = true, .precision = Precision::single};

/// A network on few samples, looked at seldom.
lab::Source spec(const std::vector<std::string>& assignments = {}) {
  lab::Source source{.name_or_file = "localization",
                     .assignments = {"task.n=12", "network.hidden=5", "dynamics.batch=20",
                                     "dynamics.steps=" + std::to_string(kSteps), "probe.every=1000"}};
  source.assignments.insert(source.assignments.end(), assignments.begin(), assignments.end());
  return source;
}

/// Seconds that the device takes for all steps of so many of them at once.
double taken(std::size_t together) {
  math::Workers alone(1);
  const lab::Setup setup(lab::load(spec()));
  const auto ensemble =
      make_ensemble(std::vector(together, setup.member(setup.begins(), alone)), kPlace.precision, alone);
  const auto move = [&](int stretches) {
    for (int i = 0; i < stretches; ++i) ensemble->move(ensemble->most_steps());
    static_cast<void>(ensemble->parameters(0));
  };
  move(1);
  const std::int64_t from = ensemble->step();
  const Clock::time_point began = Clock::now();
  move(4);
  return since(began) * static_cast<double>(kSteps) / static_cast<double>(ensemble->step() - from);
}

void expect_about(double seconds, double truth) {
  EXPECT_GT(seconds, truth / kFactor);
  EXPECT_LT(seconds, truth * kFactor);
}

/// Every call takes as long as every other, however many steps it is asked for.
class OnlyCalls final : public learn::Ensemble {
 public:
  std::size_t size() const override { return 1; }
  const learn::State& state(std::size_t) const override { return state_; }
  std::int64_t step() const override { return state_.step; }
  double rate(std::size_t) const override { return 1; }
  void move(std::int64_t steps) override {
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    longest_ = std::max(longest_, steps);
  }
  std::int64_t most_steps() const override { return 256; }
  std::vector<learn::Evaluation> evaluate() override { return {}; }

  std::int64_t longest() const { return longest_; }

 private:
  learn::State state_;
  std::int64_t longest_ = 0;
};

TEST(SecondsOfStep, CountStretchesThatEndWhereSomebodyLooks) {
  OnlyCalls seldom, often, always;
  const double one = lab::seconds_of_step(always, 1);
  EXPECT_GT(one, 200e-6);
  EXPECT_LT(lab::seconds_of_step(often, 50), one / 50 * kFactor);
  EXPECT_LT(lab::seconds_of_step(seldom, 1000), one / 256 * kFactor);
  EXPECT_EQ(always.longest(), 1);
  EXPECT_EQ(often.longest(), 50);
  EXPECT_EQ(seldom.longest(), 256);
}

TEST_F(Estimates, OfARunAreWhatItsStepsTake) {
  expect_about(lab::estimate(lab::load(spec()), 1, kPlace).seconds, taken(1));
}

/// Points of one shape are one group, whatever their seeds and laws; those of another shape follow it.
TEST_F(Estimates, OfASweepCountItsPointsTogether) {
  const test::TempFolder folder;
  lab::RunOptions options;
  options.out = folder / "s";
  options.place = kPlace;
  const auto reckoned = [&](const std::vector<std::string>& over) {
    std::vector<lab::SweepAxis> axes;
    for (const std::string& each : over) axes.push_back(lab::parse_axis(each));
    return lab::estimate(spec(), lab::preview(spec(), axes, options), options);
  };
  const lab::Estimate one = reckoned({"seed=1"}), many = reckoned({"seed=1..8", "task.gain=1,3"});
  EXPECT_EQ(one.groups, 1);
  EXPECT_EQ(many.groups, 1);
  EXPECT_EQ(many.bytes, 16 * one.bytes);
  EXPECT_EQ(many.device_bytes, one.device_bytes) << "of one run";
  expect_about(many.seconds, taken(16));
  EXPECT_EQ(reckoned({"seed=1..8", "dynamics.batch=20,40"}).groups, 2);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "a plan touches nothing";
}

}  // namespace
}  // namespace sluice::gpu
