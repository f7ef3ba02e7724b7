/// Training on a device against training on the CPU. Where there is no device these are skipped, with the reason; `make gpu-test` runs them on a machine that has one.
#include "sluice/gpu/deep_engine.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "sluice/file/errors.hpp"
#include "sluice/learn/evaluate.hpp"
#include "sluice/net/deep_network.hpp"
#include "sluice/net/two_layer_network.hpp"
#include "sluice/task/points.hpp"
#include "test/net/deep_variants.hpp"

namespace sluice::gpu {
namespace {

TEST(Place, IsReadAndWritten) {
  for (const char* name : {"cpu", "gpu", "gpu:tf32", "gpu:bfloat16"}) EXPECT_EQ(Place::of(name).text(), name);
  EXPECT_FALSE(Place::of("cpu").on_device);
  EXPECT_THROW(Place::of("tpu"), InputError);
  EXPECT_EQ(Place::of("cpu").missing(), "");
}

/// Before a folder is touched, and where there is no device too.
TEST(Place, WhatADeviceDoesNotKnowIsRefused) {
  const auto expect_refused = [](const learn::Batches* batches, const net::Network& network,
                                 const char* key) {
    try {
      require_known(batches, network);
      ADD_FAILURE() << key;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(key), std::string::npos) << error.what();
    }
  };
  task::PointsOptions points;
  points.n = 3;
  const std::unique_ptr<task::Task> task = points.make();
  const learn::EpochBatches finite(*task->training_set(), 1, 10);
  const learn::FreshBatches fresh(*task, 1, math::Purpose::training, 10);
  const net::DeepNetwork deep(test::deep_options("own", 4, 0), 3, 1);
  const net::DeepNetwork typed(test::typed_options("own", "Phi(2*q)"), 3, 1);
  EXPECT_NO_THROW(require_known(&finite, deep));
  expect_refused(&finite, *net::TwoLayerFamily{}.make({.inputs = 3}), "network.kind");
  expect_refused(&finite, typed, "network.gate_shape");
  expect_refused(&fresh, deep, "task.kind");
  expect_refused(nullptr, deep, "dynamics.kind");
}

/// Two hidden layers of 4 units behind 3 inputs, 3·4 + 4·4 + 4 = 32 weights; batches of 10.
TEST(Place, TheLeastMemoryIsThatOfWeightsAndUnits) {
  task::PointsOptions points;
  points.n = 3;
  const std::unique_ptr<task::Task> task = points.make();
  const learn::EpochBatches batches(*task->training_set(), 1, 10);
  const auto bytes = [&](const char* gates, const char* kind, Precision precision) {
    net::DeepOptions options = test::deep_options(gates, 4, 0);
    options.widths = {4, 4};
    const net::DeepNetwork network(options, 3, 1);
    return least_bytes(batches, network, {.kind = kind}, precision);
  };
  const double units = 10 * (3 * (4 + 4) + 1);
  EXPECT_EQ(bytes("own", "sgd", Precision::single), 4 * (2 * 32 + units));
  EXPECT_EQ(bytes("own", "adam", Precision::tf32), 4 * (4 * 32 + units));
  EXPECT_EQ(bytes("own", "momentum", Precision::bfloat16), 4 * 3 * 32 + 2 * (32 + units));
  const double gate_weights = 3 * 4 + 4 * 4;
  EXPECT_EQ(bytes("network", "sgd", Precision::single),
            4 * (2 * (32 + gate_weights) + 10 * (5 * (4 + 4) + 1)));
}

/// One network, on samples of its own.
class Subject {
 public:
  static constexpr std::uint64_t kSeed = 12;

  explicit Subject(const test::DeepVariant& variant)
      : random_(variant.options.random_gates()), network_(variant.options, variant.input, 1) {
    task::PointsOptions points;
    points.n = variant.inputs();
    points.samples = 100;
    points.inputs = "uniform";
    task_ = points.make();
    // Random gates are those of the rows of the whole set.
    batches_ = std::make_unique<learn::EpochBatches>(set(), kSeed, random_ ? set().size() : 40);
  }

  const task::FiniteSet& set() const { return *task_->training_set(); }
  const net::DeepNetwork& network() const { return network_; }
  bool random() const { return random_; }
  learn::State begin() const { return {.step = 0, .parameters = network_.start(kSeed)}; }
  learn::TrainingOptions options(const std::string& kind) const {
    return {.kind = kind, .optimizer = {.rate = 0.002}, .batch = batches_->rows()};
  }
  std::unique_ptr<learn::Engine> on_device(learn::State start, const std::string& kind) const {
    return make_trainer(*batches_, network_, kLoss, options(kind), 0.0, kSeed, std::move(start),
                        Precision::single);
  }
  std::unique_ptr<learn::Engine> on_cpu(learn::State start, const std::string& kind) {
    return learn::make_trainer(*batches_, network_, kLoss, options(kind), kSeed, std::move(start), workers_);
  }
  double loss(std::span<const float> parameters) {
    const learn::EpochBatches whole(set(), 0, set().size());
    return learn::Evaluator(whole, network_, kLoss, kSeed, workers_).evaluate(parameters).loss;
  }

 private:
  inline static const learn::OutputLoss kLoss{learn::loss("half-squared"), 1, 0.0};

  bool random_;
  math::Workers workers_{2};
  net::DeepNetwork network_;
  std::unique_ptr<task::Task> task_;
  std::unique_ptr<learn::EpochBatches> batches_;
};

void go(learn::Engine& engine, int steps) {
  for (int i = 0; i < steps; ++i) engine.move();
}

/// All kinds of networks that a device knows: not those whose gates are formulas.
std::vector<test::DeepVariant> known_variants() {
  std::vector<test::DeepVariant> known;
  for (const test::DeepVariant& variant : test::deep_variants())
    if (variant.options.logistic()) known.push_back(variant);
  return known;
}

class OnDevice : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = Place::of("gpu").missing(); !why.empty()) GTEST_SKIP() << why;
  }
};

/// Sums of float in another order: 20 steps stay within 2e-4 of the largest weight, where no hard gate flips on a rounding.
TEST_F(OnDevice, TrainingFollowsTheCpu) {
  for (const test::DeepVariant& variant : known_variants()) {
    Subject subject(variant);
    for (const char* kind : {"sgd", "momentum", "rmsprop", "adam"}) {
      SCOPED_TRACE(variant.name + ' ' + kind);
      const auto device = subject.on_device(subject.begin(), kind),
                 cpu = subject.on_cpu(subject.begin(), kind);
      go(*device, 20);
      go(*cpu, 20);
      const std::vector<float>&there = device->state().parameters, &here = cpu->state().parameters;
      EXPECT_NE(here, subject.begin().parameters) << "nothing moved: this test cannot fail";
      float largest = 0;
      for (const float w : here) largest = std::max(largest, std::abs(w));
      for (std::size_t p = 0; p < here.size(); ++p) EXPECT_NEAR(there[p], here[p], 2e-4F * largest) << p;
      if (subject.random()) continue;
      const auto seen = device->evaluate(learn::EpochBatches(subject.set(), 0, subject.set().size()));
      ASSERT_TRUE(seen.has_value());
      EXPECT_NEAR(seen->loss, subject.loss(there), 1e-5);
    }
  }
}

/// Twice the same bits; and after a state came back and went there again.
TEST_F(OnDevice, BitsAreTheSameEveryTimeAndAfterACheckpoint) {
  for (const test::DeepVariant& variant : known_variants()) {
    SCOPED_TRACE(variant.name);
    const Subject subject(variant);
    const auto once = subject.on_device(subject.begin(), "adam"),
               again = subject.on_device(subject.begin(), "adam");
    go(*once, 10);
    go(*again, 6);
    const auto resumed = subject.on_device(again->state(), "adam");
    go(*resumed, 4);
    EXPECT_EQ(once->state(), resumed->state());
  }
}

TEST_F(OnDevice, FormulasAreRefusedInOneLine) {
  const Subject subject({"typed", test::typed_options("own", "Phi(2*q)"), {.columns = 3}});
  EXPECT_THROW(subject.on_device(subject.begin(), "adam"), InputError);
}

}  // namespace
}  // namespace sluice::gpu
