/// A simulation and the folder it is written to: resuming, checkpoints, the conclusion. `run` is one from its opening to its end; a cohort
/// (cohort.hpp) has many and moves them together.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "sluice/lab/joinable.hpp"
#include "sluice/lab/needs.hpp"
#include "sluice/record/audience.hpp"

namespace sluice::lab {

class Session final : public Joinable {
 public:
  /// Everything that can fail on the spec fails here.
  Session(Experiment experiment, std::string name, const RunOptions& options);

  /// Takes the folder: what can fail on it fails before the first file is written. The outcome of a run that came to its end before.
  std::optional<Outcome> open();
  /// The state that the first step will find, once the folder is open.
  const learn::State& begins() const override { return start_; }
  const Setup& setup() const override { return setup_; }
  Simulation& simulation() override { return simulation_; }
  math::Workers& workers() override { return workers_; }

  /// From here on files are written.
  void begin(std::unique_ptr<learn::Engine> engine) override;
  std::optional<Outcome> pause() override;
  std::optional<Outcome> interrupt() override;
  /// From an open folder to the end; and all of it.
  Outcome go_on() override;
  Outcome run();

 private:
  using Clock = std::chrono::steady_clock;

  void note(const std::string& remark);
  bool is_begun() const;
  Room room() const;
  std::optional<Outcome> concluded_before(const std::string& text);
  file::NamedArrays expected_arrays() const;
  void keep_start();
  void require_same_start() const;
  std::filesystem::path kept_path() const { return folder_->path() / setup_.kept_name(); }
  bool save_due(double since_last);
  void save(const learn::State& state, const file::NamedViews& watched);
  Outcome conclude(Ending ending);
  Outcome write_conclusion(Ending ending);
  void draw(const record::Recording& recording);
  double seconds() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }

  Clock::time_point began_ = Clock::now();
  std::string name_;
  RunOptions options_;
  Setup setup_;
  math::Workers workers_;
  Simulation simulation_;
  Hooks hooks_;
  std::optional<record::RunFolder> folder_;
  std::optional<record::Audience> audience_;
  learn::State start_;
  bool resumes_ = false;
  double save_took_ = 0;  // seconds
  bool told_of_failed_save_ = false;
};

}  // namespace sluice::lab
