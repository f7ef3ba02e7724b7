/// One binary, several instruction sets: the same bits wherever products are fused, correct everywhere.
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <cmath>
#include <string>
#include <tuple>

#include "sluice/learn/trainer.hpp"
#include "sluice/math/kernels.hpp"
#include "sluice/net/two_layer_network.hpp"
#include "sluice/task/nlgp.hpp"

namespace sluice::learn {
namespace {

/// Trains a few steps with only the given targets allowed; restores the choice afterwards.
State train_on(std::int64_t target, const std::string& activation, const std::string& readout) {
  hwy::SetSupportedTargetsForTest(target);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  if ((target & (target - 1)) == 0) {
    EXPECT_EQ(math::instruction_set(), hwy::TargetName(target));
  }
  task::NlgpOptions task_options;
  task_options.n = 37;
  net::TwoLayerOptions network_options;
  network_options.hidden = 11;
  network_options.bias = "learned";
  network_options.activation = activation;
  network_options.readout = readout;
  // The loss is steep in a learned readout, E⟨h, h⟩ for linear units: 1.0 would run away and amplify every rounding.
  const double rate = network_options.learns_readout() ? 0.1 : 1.0;
  const task::Nlgp task(task_options);
  const net::TwoLayerNetwork network(network_options, task_options.n);
  math::Workers workers(1);
  Trainer trainer(FreshBatches(task, 5, math::Purpose::training, 300), network,
                  OutputLoss(loss("half-squared"), 1, 0.5), {.optimizer = {.rate = rate}}, 5,
                  {0, network.start(5)}, workers);
  for (int i = 0; i < 20; ++i) trainer.move();
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  return trainer.state();
}

class InstructionSets : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(InstructionSets, AgreeWithEachOther) {
  const std::int64_t supported = hwy::SupportedTargets();
  const auto& [activation, readout] = GetParam();
  const State native = train_on(supported, activation, readout);
  int compared = 0;
  for (const std::int64_t target : {HWY_AVX3, HWY_AVX2, HWY_SSE4, HWY_STATIC_TARGET, HWY_NEON}) {
    if ((supported & target) == 0) continue;
    const State state = train_on(target, activation, readout);
    const bool fused = target == HWY_AVX3 || target == HWY_AVX2 || target == HWY_NEON;
    ++compared;
    if (fused) {
      EXPECT_EQ(state, native) << hwy::TargetName(target);
    }
    for (std::size_t p = 0; p < state.parameters.size(); ++p) {
      EXPECT_NEAR(state.parameters[p], native.parameters[p], 2e-5)
          << hwy::TargetName(target) << ": float rounding";
    }
  }
  std::printf("%d instruction sets compared\n", compared);
  EXPECT_GE(compared, 1);
}

INSTANTIATE_TEST_SUITE_P(ActivationsAndReadouts, InstructionSets,
                         testing::Combine(testing::Values("relu", "erf", "sigmoid", "tanh", "linear",
                                                          "soft-relu"),
                                          testing::Values("mean", "learned")),
                         [](const auto& tested) {
                           std::string name = std::get<0>(tested.param) + "_" + std::get<1>(tested.param);
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace sluice::learn
