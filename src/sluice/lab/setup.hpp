/// An experiment made ready: everything that can fail on the user's input fails in the constructor. Runs, sweeps (every point, before the
/// first runs), predictions and kernels begin here.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sluice/gpu/deep_engine.hpp"
#include "sluice/lab/continuation.hpp"
#include "sluice/lab/experiment.hpp"
#include "sluice/lab/task_shelf.hpp"
#include "sluice/learn/batches.hpp"
#include "sluice/learn/engine.hpp"
#include "sluice/learn/ensemble.hpp"
#include "sluice/math/workers.hpp"
#include "sluice/net/network.hpp"
#include "sluice/probe/given.hpp"
#include "sluice/probe/probe.hpp"
#include "sluice/probe/watcher.hpp"
#include "sluice/record/end_state.hpp"
#include "sluice/record/summary.hpp"
#include "sluice/task/task.hpp"

namespace sluice::lab {

class Setup {
 public:
  /// Throws InputError naming the key or file. No thread is started and nothing is written. A shelf may have the task already.
  explicit Setup(Experiment experiment, TaskShelf* shelf = nullptr);

  /// As it will be written: with copies in the run folder instead of files from elsewhere.
  const Experiment& experiment() const { return experiment_; }
  /// Its fingerprint.
  const std::string& mark() const { return mark_; }
  std::uint64_t seed() const { return static_cast<std::uint64_t>(experiment_.seed); }
  /// That of the samples: training, evaluation, probes, averages of a flow.
  std::uint64_t sample_seed() const {
    return experiment_.sample_seed < 0 ? seed() : static_cast<std::uint64_t>(experiment_.sample_seed);
  }
  const task::Task& task() const { return *task_; }
  const net::Network& network() const { return *network_; }
  /// The parameters of the first step.
  const std::vector<float>& start() const { return start_; }
  /// What the first step finds: step 0 and the start, or the end of the run that is continued.
  learn::State begins() const;
  std::int64_t first_step() const { return origin_ ? origin_->state.step : 0; }
  /// What of a state another run can go on from.
  record::EndState end_of(const learn::State& state) const;
  const learn::OutputLoss& loss() const { return loss_; }

  /// What loss and accuracy are measured on, and what it is.
  const learn::Batches& evaluation() const { return *evaluation_; }
  record::Evaluated evaluated() const;
  /// Where training is confined to a finite set: all of it; null elsewhere.
  const learn::Batches* training_set() const { return training_set_.get(); }

  /// What there is to be looked at, and the probes that will.
  const probe::Subject& subject() const { return subject_; }
  const std::vector<const probe::Probe*>& probes() const { return probes_; }
  /// Those that the program around the library gave.
  const std::vector<probe::GivenProbe>& given_probes() const { return given_probes_; }
  /// All of them, before the first look.
  probe::Watcher watcher() const;
  bool watches_flow() const;
  /// Units whose fields are watched, ascending; empty: all of them.
  const std::vector<std::int64_t>& some_units() const { return some_units_; }
  /// Their fields; they stand among the parameters, or in `storage`.
  std::span<const float> watched_fields(std::span<const float> parameters, std::vector<float>& storage) const;

  /// Parts of the start that came from files, which the run folder keeps under this name; none where nothing did.
  const std::string& kept_name() const { return kept_.file; }
  file::NamedArrays kept_start() const;

  /// Length of learn::State::exact once the spec's flow has moved.
  std::size_t exact_numbers() const { return flow::exact_numbers(flow_subject(), experiment_.dynamics.flow); }

  /// Some of the start was read from files.
  bool starts_from_file() const { return !kept_.file.empty(); }

  /// What a user should be told, one line each.
  std::vector<std::string> remarks() const;

  /// What training goes through; null for a flow.
  const learn::Batches* batches() const { return batches_.get(); }
  /// How training moves, with the rate in its unit.
  learn::TrainingOptions training(math::Workers& workers) const;
  /// As one of many that move together. The setup must outlive them.
  learn::EnsembleMember member(learn::State state, math::Workers& workers) const;

  /// Throws InputError, in one line, where the place is a device that does not know this network or its samples, or one that has not the
  /// precision that the spec asks for. Needs no device.
  void require_known_at(const gpu::Place& place) const;

  /// What the spec moves its weights with. Setup and workers must outlive the engine.
  std::unique_ptr<learn::Engine> engine(learn::State state, math::Workers& workers,
                                        const gpu::Place& place = {}) const;
  /// Training, or the flow that stops every `every` steps, whatever the spec's own dynamics. Throw InputError where there is none.
  std::unique_ptr<learn::Engine> trainer(learn::State state, math::Workers& workers,
                                         const gpu::Place& place = {}) const;
  bool knows_flow(const flow::EngineOptions& options) const;
  std::unique_ptr<learn::Engine> flow(const flow::EngineOptions& options, std::int64_t every,
                                      learn::State state, math::Workers& workers) const;

 private:
  /// What has to be known before anything else: the task, and with it how many steps there are.
  struct Begun {
    Experiment experiment;
    std::shared_ptr<const task::Task> task;
  };
  static Begun begin(Experiment experiment, TaskShelf* shelf);
  explicit Setup(Begun begun);

  flow::Subject flow_subject() const { return {*network_, experiment_.task, *task_, start_, loss_}; }
  void require_fitting_labels() const;
  void require_fitting_rate() const;
  void require_fitting_samples() const;
  void require_flow(const flow::EngineOptions& options) const;
  void require_fast_at(const gpu::Place& place) const;
  void require_affordable_probes() const;
  void require_affordable_record() const;
  void require_readable_spec() const;
  probe::Subject make_subject() const;
  /// dynamics.rate in its unit.
  double rate(math::Workers& workers) const;

  Experiment experiment_;
  std::shared_ptr<const task::Task> task_;
  std::unique_ptr<net::Network> network_;
  std::optional<Origin> origin_;  // of a run that goes on from another
  std::vector<float> start_;
  net::KeptStart kept_;
  learn::OutputLoss loss_;
  std::unique_ptr<learn::Batches> batches_;  // null for a flow
  std::unique_ptr<learn::Batches> evaluation_;
  std::unique_ptr<learn::Batches> training_set_;
  std::vector<std::int64_t> some_units_;
  std::string shared_seed_;  // what to say where gates were learned from the weights of this start
  probe::Subject subject_;
  std::vector<const probe::Probe*> probes_;
  std::vector<probe::GivenProbe> given_probes_;
  std::string mark_;
};

}  // namespace sluice::lab
