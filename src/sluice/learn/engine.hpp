/// What moves a state: training on batches here, flows in flow/engine.hpp.
#pragma once

#include <cstdint>
#include <memory>

#include "sluice/learn/batches.hpp"
#include "sluice/learn/loss.hpp"
#include "sluice/learn/options.hpp"
#include "sluice/learn/state.hpp"
#include "sluice/math/workers.hpp"
#include "sluice/net/network.hpp"

namespace sluice::learn {

class Engine {
 public:
  virtual ~Engine() = default;
  virtual const State& state() const = 0;
  /// One step of training. A flow goes on to the next probe time: where it stops is part of its result, so it stops there
  /// and nowhere else.
  virtual void move() = 0;
  /// What the next step multiplies its gradient with; 0 where nothing takes steps.
  virtual double rate() const { return 0; }
  /// A flow that has come to rest: nothing more will happen.
  virtual bool at_rest() const { return false; }
  /// A flow that cannot be integrated any further. (Training shows it in its numbers.)
  virtual bool diverged() const { return false; }
};

/// The trainer of a network: one that was made for its family where there is one, else learn/trainer.hpp's. `seed` is that of
/// what the network draws for each sample. Everything but the options and the start must outlive the engine.
std::unique_ptr<Engine> make_trainer(const Batches& batches, const net::Network& network,
                                     const OutputLoss& loss, const TrainingOptions& options,
                                     std::uint64_t seed, State start, math::Workers& workers);

}  // namespace sluice::learn
