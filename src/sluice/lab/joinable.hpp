/// A run that can be moved alone or, in a cohort (cohort.hpp), with others: in a folder (session.hpp) or in memory (simulated_run.hpp).
#pragma once

#include <memory>
#include <optional>

#include "sluice/lab/run.hpp"
#include "sluice/lab/setup.hpp"
#include "sluice/math/workers.hpp"

namespace sluice::lab {

class Joinable {
 public:
  Joinable() = default;
  virtual ~Joinable() = default;
  Joinable(const Joinable&) = delete;
  Joinable& operator=(const Joinable&) = delete;

  /// The state that the first step will find, until it begins.
  virtual const learn::State& begins() const = 0;
  virtual const Setup& setup() const = 0;
  virtual Simulation& simulation() = 0;
  virtual math::Workers& workers() = 0;

  /// With the engine of the spec (null), or with another that does the same.
  virtual void begin(std::unique_ptr<learn::Engine> engine) = 0;
  /// What comes before a step; the outcome when there is none to come.
  virtual std::optional<Outcome> pause() = 0;
  /// After Stopped in the middle of a step, which left nothing behind: what it is so far. None where it was not looked at yet.
  virtual std::optional<Outcome> interrupt() = 0;
  /// All of it, alone.
  virtual Outcome go_on() = 0;
};

}  // namespace sluice::lab
