/// A sweep as an array job of Slurm: the script whose tasks are workers of the sweep, and its submission.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "sluice/cli/app.hpp"

namespace sluice::cli {

struct SlurmOptions {
  bool asked = false;
  int workers = 0;  // 0: as many as there are points left, at most kUsualWorkers
  std::string time;
  std::string partition;
  std::vector<std::string> options;  // lines for sbatch; they come last and win

  static constexpr int kUsualWorkers = 16;

  /// --slurm and what begins with it.
  void add_to(App& verb);
  /// Tasks for so many points that are left; one, too, for none: it compares.
  int workers_for(std::size_t points) const;
  /// Throws InputError when some are there without --slurm.
  void require_consistent() const;
};

struct SlurmJob {
  std::string name;
  std::filesystem::path folder;    ///< where the command was given, and where it means the same
  std::vector<std::string> words;  ///< of a worker, the program first
  int workers = 1;
  int cpus = 1;  ///< of each
};

/// For bash, with the options of sbatch on top. A task that is told that its time is nearly up (SIGUSR1) has its worker write checkpoints, and
/// is queued again.
std::string slurm_script(const SlurmJob& job, const SlurmOptions& options);

/// Where sbatch runs, and the tasks of the job after it. Throws InputError when it is gone.
std::filesystem::path current_folder();

/// Throws InputError when there is no sbatch on PATH. A signal ends sbatch first, here and in submit_to_slurm, and then the program.
void require_sbatch();
/// The number that Slurm gave the job. Throws IoError with sbatch's own words when it is refused.
std::string submit_to_slurm(const std::filesystem::path& script);

/// Words as they are typed, each in quotes where a shell needs them.
std::string typed(const std::vector<std::string>& words);

}  // namespace sluice::cli
