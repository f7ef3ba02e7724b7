/// One run, from a spec to a finished folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "sluice/lab/experiment.hpp"
#include "sluice/lab/summary.hpp"
#include "sluice/record/run_folder.hpp"

namespace sluice::lab {

/// How to run; nothing here changes a bit of the record.
struct RunOptions {
  std::filesystem::path out;
  record::Existing existing = record::Existing::refuse;
  int threads = 1;
  double checkpoint_every = 30;  // seconds
  std::function<bool()> stop_requested = [] { return false; };
  std::function<void(std::int64_t step, std::int64_t steps)> progress = [](std::int64_t, std::int64_t) {};
  std::function<void(const std::string& remark)> remark = [](const std::string&) {};
};

enum class Ending {
  finished,          ///< all steps done
  already_finished,  ///< --resume found nothing left to do
  interrupted,       ///< stop_requested: checkpointed, what was measured is in the record
  diverged,          ///< loss or weights stopped being finite; recorded up to there
};
std::string_view to_string(Ending ending);

struct Outcome {
  Ending ending = Ending::finished;
  Summary summary;
  std::string spec;  ///< fingerprint of the resolved spec
  std::int64_t seed = 0;
  double seconds = 0;           ///< wall-clock time of this call
  std::int64_t steps_done = 0;  ///< by this call
  std::filesystem::path folder;
};

/// Runs the experiment in options.out. All checks that can fail on the user's input come before anything is written.
/// Throws InputError, IoError.
Outcome run(Experiment& experiment, const std::string& name, const RunOptions& options);

/// run.json of an outcome, also what --json prints.
std::string to_json(const Outcome& outcome, const std::string& name, int threads);

}  // namespace sluice::lab
