/// Training of any network: every step draws a batch and moves the parameters by
///   the optimiser's step on ∂/∂θ (1/B) Σ_batch L(ŷ, y)                                            ledger: N0.3, N0.4
/// Float arithmetic inside a chunk of the batch, double across chunks and for the update. Ranks of an MPI job have some chunks each and tell
/// each other what they found; every one adds all of them in the same order, so that bits do not depend on the ranks either.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sluice/learn/block_worker.hpp"
#include "sluice/learn/engine.hpp"

namespace sluice::learn {

class Trainer final : public Engine {
 public:
  Trainer(const Batches& batches, const net::Network& network, const OutputLoss& loss,
          const TrainingOptions& options, std::uint64_t seed, State start, math::Workers& workers);

  void move() override;
  const State& state() const override { return state_; }
  double rate() const override { return options_.at(state_.step).rate; }

 private:
  /// Neighbours in the gradient, cut at whole vectors: what one task of the descent sums and moves.
  struct Group {
    std::size_t from = 0, to = 0;  ///< of the gradient
    std::vector<net::Stretch> stretches = {};
  };
  static std::vector<Group> groups_of(const net::Network& network);
  void descend(const Group& group);

  // what the spec said
  TrainingOptions options_;
  // what follows from it
  const Optimizer& optimizer_;
  std::vector<Group> groups_;
  BlockPlan plan_;
  double per_sample_;  // 1/B
  // what evolves
  State state_;
  OptimizerOptions moving_;  // those of the step that is being made
  // scratch: may be filled with NaN between steps without changing a result
  math::Workers& workers_;
  std::vector<BlockWorker> block_workers_;  // one per thread
  std::size_t row_;                         // of a chunk's gradient, in whole vectors
  math::Aligned<float> chunk_gradients_;    // [chunks, row]
  std::int64_t first_chunk_, last_chunk_;   // those of this process
  std::vector<std::size_t>
      rank_ends_;  // where the chunks of each rank end; empty where this process is alone
  math::Aligned<double> gradient_;
};

}  // namespace sluice::learn
