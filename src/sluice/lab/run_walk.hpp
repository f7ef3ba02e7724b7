/// The run folders below a folder, found by names and file times alone: nothing is read, so that thousands take a fraction of a second.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sluice::lab {

struct FoundRun {
  std::string path;  ///< relative to where the search began; "." is that folder itself
  std::string
      stamp;  ///< another one when run.json or spec.toml is another file, or the run was taken up again
  bool concluded = false;  ///< run.json is there, and no checkpoint after it
  std::optional<std::int64_t> ended =
      {};  ///< when run.json was written, in seconds since 1970; nothing: there is none
};

struct FoundRuns {
  std::vector<FoundRun> runs;           ///< by path, gain=3 before gain=100
  std::vector<std::string> unreadable;  ///< folders that could not be looked into, and why
};

/// A run is a folder with spec.toml and a sign that sluice was at work there: run.json, checkpoint.npz, a manifest, a log. Links to
/// folders are not followed, hidden folders and the figures of runs and sweeps not entered. Throws InputError when `folder` is none, WorldError when
/// no descriptors or memory are left.
FoundRuns find_runs(const std::filesystem::path& folder);

/// Is this folder one, now?
bool is_run(const std::filesystem::path& folder);

/// The order of runs: as people count.
bool comes_before(const std::string& path, const std::string& other);

}  // namespace sluice::lab
