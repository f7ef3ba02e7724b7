/// Training on a device against training on the CPU. Where there is no device these are skipped, with the reason; `make gpu-test` runs them on a machine that has one.
#include "sluice/gpu/deep_engine.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string_view>
#include <vector>

#include "sluice/file/errors.hpp"
#include "sluice/learn/evaluate.hpp"
#include "sluice/net/deep_network.hpp"
#include "sluice/net/gated_linear.hpp"
#include "sluice/net/two_layer_network.hpp"
#include "sluice/task/points.hpp"
#include "test/gpu/on_device.hpp"
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
      require_known(batches, network, Precision::single);
      ADD_FAILURE() << key;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(key), std::string::npos) << error.what();
    }
  };
  task::PointsOptions points;
  points.n = 3;
  const std::unique_ptr<task::Task> task = points.make();
  const learn::EpochBatches finite(*task->training_set(), 1, 10);
  const net::DeepNetwork deep(test::deep_options("own", 4, 0), 3, 1);
  const net::DeepNetwork typed(test::typed_options("own", "Phi(2*q)"), 3, 1);
  EXPECT_NO_THROW(require_known(&finite, deep, Precision::single));
  EXPECT_NO_THROW(require_known(&finite, *net::TwoLayerFamily{}.make({.inputs = 3}), Precision::single));
  net::TwoLayerFamily formula;
  formula.layers.activation = "max(h,0)";
  expect_refused(&finite, *formula.make({.inputs = 3}), "network.activation");
  expect_refused(&finite, *net::GatedLinearFamily{}.make({.inputs = 3}), "network.kind");
  expect_refused(&finite, typed, "network.gate_shape");
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
  EXPECT_EQ(bytes("own", "momentum", Precision::bfloat16), 4 * 2 * 32 + 2 * (2 * 32 + units))
      << "gradients, and weights as products read them, too";
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
    return {.kind = kind, .optimizer = {.rate = 0.002, .weight_decay = 0.5}, .batch = batches_->rows()};
  }
  std::unique_ptr<learn::Engine> on_device(learn::State start, const std::string& kind,
                                           Precision precision = Precision::single) {
    return make_trainer(*batches_, network_, kLoss, options(kind), 0.0, kSeed, std::move(start), workers_,
                        precision);
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

/// Convolutions with as many channels as cuDNN's take, of every kind of gates.
std::vector<test::DeepVariant> many_channels() {
  std::vector<test::DeepVariant> variants;
  for (const auto& [name, options] : {std::pair{"Linear", test::deep_options("open", test::kHardGates, 0)},
                                      std::pair{"SoftRelu", test::deep_options("own", 4, 0.1)},
                                      std::pair{"SoftGalu", test::deep_options("network", 4, 0.1, "both")},
                                      std::pair{"GatesOnly", test::deep_options("network", 2, 0, "gates")}}) {
    test::DeepVariant variant{std::string(name) + "ManyChannels", options, {3, 9, 8}};
    variant.options.layers = "convolutional";
    variant.options.channels = {8, 9, 16};
    variant.options.padding = "zero";
    variant.options.strides = {1, 2, 1};
    variant.options.widths = {5};
    variant.options.init.law = "he-normal";
    variants.push_back(variant);
    variant.name += "Pooled";
    variant.options.strides = {};
    variant.options.pools = {2, 1, 1};
    variant.options.padding = "none";
    variant.options.kernel = 2;
    variants.push_back(variant);
  }
  return variants;
}

/// All kinds of networks that a device knows: not those whose gates are formulas.
std::vector<test::DeepVariant> known_variants() {
  std::vector<test::DeepVariant> known;
  for (const test::DeepVariant& variant : test::deep_variants())
    if (variant.options.logistic()) known.push_back(variant);
  for (const test::DeepVariant& variant : many_channels()) known.push_back(variant);
  return known;
}

/// Sums of float in another order: after ten steps they are within 1e-4 of the way (2e-5 is usual), where no hard gate flips on a rounding. rmsprop makes the
/// smallest gradients, all roundings, as large as the others: 1e-4 is usual, 5e-4 allowed.
TEST_F(OnDevice, TrainingFollowsTheCpu) {
  for (const test::DeepVariant& variant : known_variants()) {
    Subject subject(variant);
    for (const char* kind : {"sgd", "momentum", "rmsprop", "adam"}) {
      SCOPED_TRACE(variant.name + ' ' + kind);
      const auto device = subject.on_device(subject.begin(), kind),
                 cpu = subject.on_cpu(subject.begin(), kind);
      go(*device, 10);
      go(*cpu, 10);
      const std::vector<float>&there = device->state().parameters, &here = cpu->state().parameters;
      const double most = std::string_view(kind) == "rmsprop" ? 5e-4 : 1e-4;
      EXPECT_LT(share_of_way(there, here, subject.begin().parameters), most);
      if (subject.random()) continue;
      const auto seen = device->judge(learn::EpochBatches(subject.set(), 0, subject.set().size()));
      ASSERT_EQ(seen.size(), subject.set().y.size());
      EXPECT_NEAR(mean_of(seen).loss, subject.loss(there), 1e-5);
    }
  }
}

/// Twice the same bits; and after a state came back and went there again.
TEST_F(OnDevice, BitsAreTheSameEveryTimeAndAfterACheckpoint) {
  for (const test::DeepVariant& variant : known_variants()) {
    SCOPED_TRACE(variant.name);
    Subject subject(variant);
    const auto once = subject.on_device(subject.begin(), "adam"),
               again = subject.on_device(subject.begin(), "adam");
    go(*once, 10);
    go(*again, 6);
    const auto resumed = subject.on_device(again->state(), "adam");
    go(*resumed, 4);
    EXPECT_EQ(once->state(), resumed->state());
  }
}

/// Begun on the CPU, gone on with there, ended here: as if it had never left.
TEST_F(OnDevice, CheckpointsGoThereAndBack) {
  for (const test::DeepVariant& variant : known_variants()) {
    SCOPED_TRACE(variant.name);
    Subject subject(variant);
    const auto all = subject.on_cpu(subject.begin(), "adam"), first = subject.on_cpu(subject.begin(), "adam");
    go(*all, 15);
    go(*first, 5);
    const auto there = subject.on_device(first->state(), "adam");
    go(*there, 5);
    const auto back = subject.on_cpu(there->state(), "adam");
    go(*back, 5);
    EXPECT_EQ(back->state().step, 15);
    EXPECT_LT(share_of_way(back->parameters(), all->parameters(), subject.begin().parameters), 1e-4);
  }
}

/// Against the CPU in float, what bfloat16 costs of five steps. A hard gate that flips costs more than rounding, so the gates are soft or drawn.
TEST_F(OnDevice, LowPrecisionStaysClose) {
  std::vector<test::DeepVariant> variants{{"Wide", test::deep_options("own", 4, 0), {.columns = 72}}};
  variants[0].options.widths = {130, 67};
  variants[0].options.init.law = "he-normal";
  for (const test::DeepVariant& variant : known_variants())
    if (variant.options.beta < test::kHardGates ||
        !(variant.options.own_gates() || variant.options.gated_by_network()))
      variants.push_back(variant);
  double largest = 0;
  for (const test::DeepVariant& variant : variants) {
    SCOPED_TRACE(variant.name);
    Subject subject(variant);
    const auto device = subject.on_device(subject.begin(), "sgd", Precision::bfloat16),
               cpu = subject.on_cpu(subject.begin(), "sgd");
    go(*device, 5);
    go(*cpu, 5);
    const double share = share_of_way(device->parameters(), cpu->parameters(), subject.begin().parameters);
    EXPECT_LT(share, 0.03);
    largest = std::max(largest, share);
  }
  EXPECT_GT(largest, 1e-4) << "as good as float: this is not bfloat16";
}

TEST_F(OnDevice, FormulasAreRefusedInOneLine) {
  Subject subject({"typed", test::typed_options("own", "Phi(2*q)"), {.columns = 3}});
  EXPECT_THROW(subject.on_device(subject.begin(), "adam"), InputError);
}

}  // namespace
}  // namespace sluice::gpu
