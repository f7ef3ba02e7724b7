#include "sluice/learn/shared_trainer.hpp"

#include <gtest/gtest.h>

#include "sluice/learn/trainer.hpp"
#include "sluice/net/gated_linear.hpp"
#include "sluice/net/two_layer_network.hpp"
#include "sluice/task/nlgp.hpp"

namespace sluice::learn {
namespace {

struct Case {
  std::string name;
  net::TwoLayerOptions network;
  std::string loss = "half-squared";
  std::string optimizer = "sgd";
};

Case two_layer(std::string name, std::int64_t units, const std::string& activation) {
  Case made{.name = std::move(name)};
  made.network.hidden = units;
  made.network.activation = activation;
  return made;
}

std::vector<Case> cases() {
  std::vector<Case> all{two_layer("OneUnit", 1, "relu"),   two_layer("Erf", 5, "erf"),
                        two_layer("Typed", 3, "h*erf(h)"), two_layer("Biases", 4, "sigmoid"),
                        two_layer("Readout", 4, "tanh"),   two_layer("Adam", 6, "relu"),
                        two_layer("Logits", 3, "relu")};
  all[3].network.bias = "learned";
  all[4].network.readout = "learned";
  all[5].optimizer = "adam";
  all[6].loss = "cross-entropy";
  return all;
}

class Shared : public testing::TestWithParam<Case> {};

/// Members of one stream, each with its own start and rate: after some steps every one has the bits that it has when it is trained alone.
TEST_P(Shared, EveryMemberMovesAsItWouldAlone) {
  constexpr std::uint64_t kSamples = 77;
  constexpr std::size_t kMembers = 5;
  task::NlgpOptions task_options;
  task_options.n = 13;
  const task::Nlgp task(task_options);
  const FreshBatches batches(task, kSamples, math::Purpose::training, 250);
  const OutputLoss loss_of(loss(GetParam().loss), 1, 0.5);
  const net::TwoLayerNetwork network(GetParam().network, 13);
  const FreshBatches set(task, kSamples, math::Purpose::evaluation, 500);
  std::vector<EnsembleMember> members;
  for (std::size_t e = 0; e < kMembers; ++e) {
    TrainingOptions options{
        .kind = GetParam().optimizer, .optimizer = {.rate = 0.1 * static_cast<double>(e + 1)}, .batch = 250};
    members.push_back(
        {&batches, &set, &network, e, &loss_of, 0.5, options, {.step = 3, .parameters = network.start(e)}});
  }
  math::Workers workers(2);
  SharedTrainer shared(members);
  shared.move(4);
  for (std::size_t e = 0; e < kMembers; ++e) {
    Trainer alone(batches, network, loss_of, members[e].options, e, members[e].start, workers);
    for (int i = 0; i < 4; ++i) alone.move();
    EXPECT_EQ(shared.state(e), alone.state()) << "member " << e;
    EXPECT_NE(shared.state(e).parameters, network.start(e)) << "nothing moved: this test cannot fail";
  }
  const std::vector<Evaluation> together = shared.evaluate();
  Evaluator alone(set, network, loss_of, 1, workers);
  for (std::size_t e = 0; e < kMembers; ++e) {
    const Evaluation seen = alone.evaluate(shared.state(e).parameters);
    EXPECT_EQ(together[e].loss, seen.loss);
    EXPECT_EQ(together[e].accuracy, seen.accuracy);
  }
}
INSTANTIATE_TEST_SUITE_P(Networks, Shared, testing::ValuesIn(cases()),
                         [](const auto& instance) { return instance.param.name; });

/// Networks that are not stacked take turns.
TEST(SharedTrainer, TakesAnyNetwork) {
  task::NlgpOptions task_options;
  task_options.n = 11;
  const task::Nlgp task(task_options);
  net::GatedLinearFamily family;
  family.hidden = 4;
  family.gate.law = "random";
  family.init = {.law = "normal"};
  const auto network = family.make({.inputs = 11});
  const FreshBatches batches(task, 5, math::Purpose::training, 100);
  const OutputLoss loss_of(loss("half-squared"), 1, 0.5);
  const TrainingOptions options{.optimizer = {.rate = 0.5}, .batch = 100};
  std::vector<EnsembleMember> members;
  for (std::uint64_t e = 1; e <= 2; ++e)
    members.push_back(
        {&batches, &batches, network.get(), e, &loss_of, 0.5, options, {.parameters = network->start(e)}});
  SharedTrainer shared(members);
  shared.move(2);
  math::Workers workers(1);
  for (std::uint64_t e = 0; e < 2; ++e) {
    Trainer alone(batches, *network, loss_of, options, e + 1, {.parameters = network->start(e + 1)}, workers);
    alone.move();
    alone.move();
    EXPECT_EQ(shared.state(e), alone.state());
  }
}

}  // namespace
}  // namespace sluice::learn
