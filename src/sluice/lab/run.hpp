/// One run, from a spec to a finished folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "sluice/lab/experiment.hpp"
#include "sluice/lab/listeners.hpp"
#include "sluice/lab/simulation.hpp"
#include "sluice/record/recording.hpp"
#include "sluice/record/run_folder.hpp"

namespace sluice::lab {

class Lead;

/// How to run; but for the place nothing here changes a bit of the record.
struct RunOptions {
  std::filesystem::path out;
  record::Existing existing = record::Existing::refuse;
  int threads = 1;
  gpu::Place place = {};         ///< the one thing here that changes numbers, by rounding
  double checkpoint_every = 30;  // seconds
  bool pages = true;  ///< figures and page; of a point of a sweep they are made when somebody asks for them
  std::function<bool()> stop_requested = [] { return false; };  ///< asked once before every step
  std::function<bool()> abandon_requested = [] {
    return false;
  };  ///< the same in the middle of it, by any thread, often
  /// Called when everything has been checked, before the first file is written: who ends here before it ends nothing.
  std::function<void()> begins = [] {};
  Advance progress = tell_nobody;  ///< steps
  Remark remark = say_nothing;
  TaskShelf* shelf = nullptr;  ///< of a sweep: finite sets that are in memory
  Lead* lead = nullptr;        ///< where other ranks of an MPI job train along (spread.hpp)
};

struct Outcome {
  Ending ending = Ending::finished;
  record::Recording recording;  ///< what the folder holds
  double seconds = 0;           ///< wall-clock time of this call
  std::int64_t steps_done = 0;  ///< by this call

  const record::Summary& summary() const { return recording.summary; }
  std::int64_t steps() const { return static_cast<std::int64_t>(*summary().find("steps")); }
  const std::filesystem::path& folder() const { return recording.folder; }
  /// Of a run that diverged: nothing left the finite numbers. The integrator of a flow could not come to its next time.
  bool is_out_of_reach() const;
};

/// Runs the experiment in options.out. All checks that can fail on the user's input come before anything is written.
/// Throws InputError, IoError.
Outcome run(Experiment experiment, const std::string& name, const RunOptions& options);

}  // namespace sluice::lab
