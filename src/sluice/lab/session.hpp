/// One run of an experiment, whatever its network: the folder, resuming, checkpoints, the loop and the conclusion.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "sluice/lab/mover.hpp"
#include "sluice/lab/run.hpp"
#include "sluice/math/workers.hpp"

namespace sluice::lab {

class Session {
 public:
  virtual ~Session() = default;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Everything that can fail on the spec failed in the constructor; what can fail on the folder fails before the first file is
  /// written.
  Outcome run();

 protected:
  Session(Experiment& experiment, std::string name, const RunOptions& options);

  // What a network's kind decides.
  virtual learn::State start() const = 0;
  virtual std::unique_ptr<Mover> mover(learn::State state) = 0;
  /// Probes the network; false when it has left the finite numbers.
  virtual bool look(const learn::State& state) = 0;
  /// What the probes saw, and going on from it (once it was found to fit).
  virtual file::NamedArrays watched() const = 0;
  virtual void restore(const file::NamedArrays& watched) = 0;
  /// Arrays of the end alone, behind those of the probes in record.npz.
  virtual file::NamedArrays kept(const learn::State&) const { return {}; }
  virtual Summary summarize(const file::NamedArrays& record) = 0;
  virtual void report(record::RunFolder& folder, const file::NamedArrays& record, const Summary& summary) = 0;
  /// The experiment as it will be written, with copies in the run folder instead of files from elsewhere; and those copies.
  virtual void name_kept_start() {}
  virtual void keep_start(const record::RunFolder&) const {}
  /// Throws InputError when the copies that the folder holds are not of this start.
  virtual void require_same_start(const record::RunFolder&) const {}
  /// Length of State::exact once a flow has moved.
  virtual std::size_t exact_numbers() const { return 0; }

  Experiment& experiment() { return experiment_; }
  const Experiment& experiment() const { return experiment_; }
  const std::string& name() const { return name_; }
  const task::Task& task() const { return *task_; }
  math::Workers& workers() { return workers_; }
  std::uint64_t seed() const { return static_cast<std::uint64_t>(experiment_.seed); }

 private:
  using Clock = std::chrono::steady_clock;

  void note(const std::string& remark);
  std::optional<Outcome> concluded_before();
  std::optional<learn::State> saved_state();
  Outcome go_on(Mover& mover);
  void save_if_possible(const learn::State& state);
  std::string spec_text() const;
  Outcome outcome(Ending ending, std::int64_t step, const file::NamedArrays& record);
  Outcome conclude(Ending ending, const learn::State& state);
  void draw(const file::NamedArrays& record, const Summary& summary);

  Clock::time_point began_ = Clock::now();
  Experiment& experiment_;
  std::string name_;
  const RunOptions& options_;
  std::unique_ptr<task::Task> task_;
  math::Workers workers_;
  std::optional<record::RunFolder> folder_;
  std::int64_t spec_ = 0;  // fingerprint of the resolved spec
  std::int64_t watched_step_ = -1;
  bool told_of_failed_save_ = false;
  std::int64_t begun_at_ = 0;
};

std::unique_ptr<Session> two_layer_session(Experiment& experiment, const std::string& name,
                                           const RunOptions& options);
std::unique_ptr<Session> deep_session(Experiment& experiment, const std::string& name,
                                      const RunOptions& options);

}  // namespace sluice::lab
