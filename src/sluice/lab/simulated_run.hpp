/// A run in memory from its setup to its recording: what `simulate` is one of, and a cohort has many of.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "sluice/lab/joinable.hpp"

namespace sluice::lab {

class SimulatedRun final : public Joinable {
 public:
  /// Everything that can fail on the spec, or on the place, fails here. A shelf may have the task already.
  SimulatedRun(Experiment experiment, std::string name, int threads, Hooks hooks,
               const gpu::Place& place = {}, TaskShelf* shelf = nullptr);

  const learn::State& begins() const override { return start_; }
  const Setup& setup() const override { return setup_; }
  Simulation& simulation() override { return simulation_; }
  math::Workers& workers() override { return workers_; }

  void begin(std::unique_ptr<learn::Engine> engine) override;
  std::optional<Outcome> pause() override;
  std::optional<Outcome> interrupt() override;
  Outcome go_on() override;

 private:
  using Clock = std::chrono::steady_clock;

  Outcome conclude(Ending ending);
  Outcome concluded(Ending ending);

  Clock::time_point began_ = Clock::now();
  std::string name_;
  Hooks hooks_;
  Setup setup_;
  math::Workers workers_;
  Simulation simulation_;
  learn::State start_;
};

}  // namespace sluice::lab
