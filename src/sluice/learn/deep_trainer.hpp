/// Training of a deep gated network: every step draws a batch and moves what the spec trains by the optimiser's step on
///   ∂/∂θ (1/B) Σ_batch L(ŷ, y)                                                                        ledger: I.2, I.3
/// First all parts of the batch go through the network and back, then tiles of every layer's weights are summed over the whole batch
/// in one order and moved at once: no gradient of the whole network ever exists, and no sum depends on the threads.
#pragma once

#include <cstdint>
#include <vector>

#include "sluice/learn/deep_pass.hpp"
#include "sluice/learn/engine.hpp"

namespace sluice::learn {

class DeepTrainer final : public Engine {
 public:
  /// Batches, network, loss and workers must outlive the trainer.
  DeepTrainer(const Batches& batches, const net::DeepGated<float>& network, const OutputLoss& loss,
              const TrainingOptions& options, std::uint64_t gate_seed, State start, math::Workers& workers);

  void move() override;
  const State& state() const override { return state_; }
  double rate() const override { return options_.at(state_.step).rate; }

 private:
  /// A tile of one layer of the weights or of the gating network.
  struct Tile {
    std::int64_t layer;
    bool gating;
    net::GradientTile weights;
  };
  void descend(const Tile& tile, int thread);

  TrainingOptions options_;
  const Optimizer& optimizer_;
  const net::DeepGated<float>& network_;
  math::Workers& workers_;
  DeepPass pass_;
  std::vector<Tile> tiles_;
  State state_;
  OptimizerOptions moving_;  // those of the step that is being made
  // scratch
  std::vector<float> turned_weights_;
  // [part][layer]: z and z^g with samples as rows
  std::vector<std::vector<math::Aligned<float>>> inputs_, gate_inputs_;
  std::vector<math::Aligned<float>> gradients_;  // one per thread
};

}  // namespace sluice::learn
