/// What moves a state: training on batches here, flows in flow/engine.hpp.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sluice/learn/batches.hpp"
#include "sluice/learn/evaluation.hpp"
#include "sluice/learn/loss.hpp"
#include "sluice/learn/options.hpp"
#include "sluice/learn/state.hpp"
#include "sluice/math/workers.hpp"
#include "sluice/net/network.hpp"

namespace sluice::learn {

class Engine {
 public:
  virtual ~Engine() = default;
  /// Where it is. Of a state that is kept elsewhere, on a device, this brings it here: ask for the step alone where that is enough.
  virtual const State& state() const = 0;
  virtual std::int64_t step() const { return state().step; }
  /// Its parameters alone, without what an optimiser remembers of them.
  virtual std::span<const float> parameters() const { return state().parameters; }
  /// One step of training. A flow goes on to the next probe time: where it stops is part of its result, so it stops there
  /// and nowhere else.
  virtual void move() = 0;
  /// How many steps should be asked for at once: as long as nobody would want to be asked in between.
  virtual std::int64_t most_steps() const { return 1; }
  virtual void stretch(std::int64_t steps) {
    for (std::int64_t s = 0; s < steps; ++s) move();
  }
  /// Until all moves are done, where they go on by themselves.
  virtual void wait() {}
  /// What the next step multiplies its gradient with; 0 where nothing takes steps.
  virtual double rate() const { return 0; }
  /// A flow that has come to rest: nothing more will happen.
  virtual bool at_rest() const { return false; }
  /// A flow that cannot be integrated any further. (Training shows it in its numbers.)
  virtual bool diverged() const { return false; }
  /// How its state does on batch 0 of a set, where it is quicker to find out where the state is kept. Empty: it is not.
  virtual std::vector<Judged> judge(const Batches& /*set*/) { return {}; }
  /// The mean of that.
  virtual std::optional<Evaluation> evaluate(const Batches& set) {
    const std::vector<Judged> samples = judge(set);
    return samples.empty() ? std::nullopt : std::optional(mean_of(samples));
  }
};

/// The trainer of a network: one that was made for its family where there is one, else learn/trainer.hpp's. `seed` is that of
/// what the network draws for each sample. Everything but the options and the start must outlive the engine.
std::unique_ptr<Engine> make_trainer(const Batches& batches, const net::Network& network,
                                     const OutputLoss& loss, const TrainingOptions& options,
                                     std::uint64_t seed, State start, math::Workers& workers);

}  // namespace sluice::learn
