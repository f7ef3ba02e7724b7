/// Training: every step draws a batch and moves the parameters by
///   the optimiser's step on ∂/∂θ (1/B) Σ_batch L(ŷ, y)                                            ledger: N0.3, N0.4
/// Float arithmetic inside a chunk of the batch, double across chunks and for the update.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sluice/learn/block_worker.hpp"
#include "sluice/learn/blocks.hpp"
#include "sluice/learn/options.hpp"
#include "sluice/math/workers.hpp"
#include "sluice/net/two_layer.hpp"

namespace sluice::learn {

/// What evolves, and all a checkpoint must hold: random numbers have addresses, so no generator state is needed.
struct State {
  std::int64_t step = 0;
  std::vector<float> parameters;  ///< in the order of net::TwoLayerView
  std::vector<float>
      memory;  ///< what the optimiser remembers: optimizer.hpp's v, then s, each like parameters

  bool operator==(const State&) const = default;
};

class Trainer {
 public:
  /// Network and workers must outlive the trainer.
  Trainer(const Batches& batches, const net::TwoLayer<float>& network, const TrainingOptions& options,
          State start, math::Workers& workers);

  void step();
  const State& state() const { return state_; }

 private:
  void descend();

  // what the spec said
  TrainingOptions options_;
  // what follows from it
  const Optimizer& optimizer_;
  const net::TwoLayer<float>& network_;
  BlockPlan plan_;
  double per_sample_;  // 1/B
  // what evolves
  State state_;
  // scratch: may be filled with NaN between steps without changing a result
  math::Workers& workers_;
  std::vector<BlockWorker> block_workers_;  // one per thread
  std::vector<math::Aligned<float>> chunk_gradients_;
  math::Aligned<double> gradient_;
};

}  // namespace sluice::learn
