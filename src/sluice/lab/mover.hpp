/// What moves the parameters of a run: training on batches, or the flow.
#pragma once

#include <memory>

#include "sluice/lab/experiment.hpp"
#include "sluice/learn/batches.hpp"
#include "sluice/learn/trainer.hpp"
#include "sluice/math/workers.hpp"
#include "sluice/task/task.hpp"

namespace sluice::lab {

class Mover {
 public:
  virtual ~Mover() = default;
  virtual const learn::State& state() const = 0;
  /// One step of training. A flow goes on to the next probe time: where it stops is part of its result, so it stops there
  /// and nowhere else.
  virtual void move() = 0;
  /// A flow that has come to rest: nothing more will happen.
  virtual bool at_rest() const { return false; }
  /// A flow that cannot be integrated any further. (Training shows it in its numbers.)
  virtual bool diverged() const { return false; }
};

/// Throws InputError when no such flow is known of the experiment's task and network.
void require_flow(const Experiment& experiment, const DynamicsOptions& dynamics, const task::Task& task);

/// Task, network and workers must outlive the mover.
std::unique_ptr<Mover> make_trainer(const Experiment& experiment, const learn::Batches& batches,
                                    const net::TwoLayer<float>& network, learn::State start,
                                    math::Workers& workers);
/// The flow of the experiment's task and network by `dynamics`, which stops every so many steps.
std::unique_ptr<Mover> make_flow(const Experiment& experiment, const DynamicsOptions& dynamics,
                                 std::int64_t every, const task::Task& task, learn::State start,
                                 math::Workers& workers);

}  // namespace sluice::lab
