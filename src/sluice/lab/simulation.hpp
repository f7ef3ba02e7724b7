/// A run in memory: the loop that moves a state and looks at it. No disk is touched; what is to be kept is handed out.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sluice/lab/listeners.hpp"
#include "sluice/lab/setup.hpp"
#include "sluice/lab/summary.hpp"
#include "sluice/learn/evaluate.hpp"
#include "sluice/probe/kernel_bench.hpp"
#include "sluice/probe/watcher.hpp"
#include "sluice/record/recording.hpp"

namespace sluice::lab {

enum class Ending {
  finished,          ///< all steps done
  already_finished,  ///< a resumed run had nothing left to do
  interrupted,       ///< asked to stop: what was measured is in the record
  diverged,          ///< loss or weights stopped being finite; recorded up to there
};
std::string_view to_string(Ending ending);

/// What happens on the way; nothing here changes a bit of the result.
struct Hooks {
  std::function<bool()> stop_requested = [] { return false; };  ///< asked once before every step
  std::function<bool()> abandon_requested = [] {
    return false;
  };                               ///< the same in the middle of it, by any thread, often
  Advance progress = tell_nobody;  ///< steps
  Remark remark = say_nothing;     ///< what `simulate` has to say; a session has a log for it
  /// What a checkpoint would hold: the state, and what was watched so far. Called when `save_due` says so, which is asked at every step
  /// with the seconds since the last time, and before an interrupted run ends.
  std::function<void(const learn::State& state, const file::NamedViews& watched)> save =
      [](const learn::State&, const file::NamedViews&) {};
  std::function<bool(double since_last)> save_due = [](double) { return false; };
};

class Simulation {
 public:
  /// Setup and workers must outlive the simulation.
  Simulation(const Setup& setup, math::Workers& workers, const gpu::Place& place = {});
  ~Simulation();

  /// What the arrays of probes must look like, before the first look; and going on from those of an earlier one, which fit.
  file::NamedArrays watched() const { return watcher_.arrays(); }
  bool restore(const file::NamedArrays& watched);
  /// Stops watching a probe, before the first look: what a checkpoint of an earlier version did not keep cannot be gone on with.
  void forget(std::string_view probe);
  /// Where the loop begins unless it begins at the start; with the engine of the spec, or with another that does the same.
  void begin_at(learn::State state);
  void begin_with(std::unique_ptr<learn::Engine> engine);

  /// To the end, or until it is asked to stop: {pause, move} until a pause says how it ended.
  Ending go_on(const Hooks& hooks);
  /// What comes before a step: a look where one is due, the end, a stop that was asked for, a checkpoint. None: go on.
  std::optional<Ending> pause(const Hooks& hooks);
  /// After Stopped in the middle of a step or of a look, which left nothing behind. None: there is nothing to show yet.
  std::optional<Ending> interrupt(const Hooks& hooks);
  /// After Stopped while a run that has finished is concluded: it is concluded again when it goes on from here. That a flow has come to rest is no part of a
  /// state: it goes on from where it was kept before.
  void keep_end(const Hooks& hooks);
  void move() { engine_->move(); }
  /// Whether the next pause looks; and what its look would measure, where somebody else has.
  bool is_due() const;
  /// Steps from here to the next look or the end; at most so many, at least one.
  std::int64_t steps_to_look(std::int64_t most) const;
  void take(const learn::Evaluation& seen) { seen_ = seen; }

  const learn::State& state() const { return engine_->state(); }
  std::int64_t steps_done() const { return engine_->step() - begun_at_; }
  /// What to say of a run that knows nothing of its inputs: in loss and in accuracy it is within two standard errors of an output that
  /// never changes. Empty elsewhere.
  std::string remark_on_learning();
  /// What the run is, so far. Throws Stopped when it is asked to stop, unless it has stopped.
  record::Recording recording(const std::string& name, Ending ending) const;

 private:
  /// For all that will be watched.
  void make_room();
  bool look();
  void compare_with_best(double accuracy);
  bool out_of_patience() const;
  learn::Evaluation evaluate(std::optional<learn::Evaluator>& evaluator, const learn::Batches& set,
                             std::span<const float> parameters);
  std::vector<learn::Judged> judge(std::optional<learn::Evaluator>& evaluator, const learn::Batches& set);
  learn::Evaluator& made(std::optional<learn::Evaluator>& evaluator, const learn::Batches& set);
  const learn::State& flow_at(std::int64_t step);

  const Setup& setup_;
  math::Workers& workers_;
  gpu::Place place_;
  std::optional<learn::Evaluator> evaluator_,
      training_evaluator_;  // made when they are needed: their work space is large
  probe::Watcher watcher_;
  std::unique_ptr<probe::Samples> samples_;      // what probes measure on, where one does
  std::unique_ptr<probe::KernelBench> kernels_;  // of a deep network whose kernels or gates are watched
  std::unique_ptr<learn::Engine> engine_;
  std::unique_ptr<learn::Engine> flow_;    // what training is held against, where it is watched
  std::optional<learn::Evaluation> seen_;  // of the next look
  std::chrono::steady_clock::time_point saved_;
  std::int64_t watched_step_ = -1;
  double best_accuracy_ = -1;
  std::int64_t looks_since_best_ = 0;
  std::int64_t begun_at_ = 0;
};

/// The whole experiment, in memory (simulated_run.hpp).
record::Recording simulate(Experiment experiment, const std::string& name, int threads,
                           const Hooks& hooks = {}, const gpu::Place& place = {});

}  // namespace sluice::lab
