/// Networks that move together, all at one step: on one stream of samples by one thread (learn/shared_trainer.hpp), or each on its own on a GPU (gpu/ensemble.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sluice/learn/batches.hpp"
#include "sluice/learn/evaluation.hpp"
#include "sluice/learn/loss.hpp"
#include "sluice/learn/options.hpp"
#include "sluice/learn/state.hpp"
#include "sluice/net/network.hpp"

namespace sluice::learn {

/// One of them. Batches, evaluation set, network and loss must outlive the ensemble.
struct EnsembleMember {
  const Batches* batches;
  const Batches* evaluation;
  const net::Network* network;
  std::uint64_t seed;  ///< of what the network draws for each sample of a set
  const OutputLoss* loss;
  double midpoint;  ///< of its labels
  TrainingOptions options;
  State start;
};

/// What a member is like may be asked by several threads at once, between two moves.
class Ensemble {
 public:
  virtual ~Ensemble() = default;

  virtual std::size_t size() const = 0;
  /// Where a member is. Where that is kept elsewhere, this brings it here.
  virtual const State& state(std::size_t member) const = 0;
  virtual std::int64_t step() const = 0;
  virtual std::span<const float> parameters(std::size_t member) const { return state(member).parameters; }
  virtual double rate(std::size_t member) const = 0;
  /// So many steps of every member.
  virtual void move(std::int64_t steps) = 0;
  /// How many steps should be asked for at once: as long as nobody would want to be asked in between.
  virtual std::int64_t most_steps() const { return 1; }
  /// How each does on its evaluation set.
  virtual std::vector<Evaluation> evaluate() = 0;
};

}  // namespace sluice::learn
