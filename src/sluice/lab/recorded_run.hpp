/// Runs as they lie on the disk: what `sluice report` reads.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sluice/file/array.hpp"
#include "sluice/lab/experiment.hpp"
#include "sluice/lab/summary.hpp"

namespace sluice::lab {

struct RecordedRun {
  std::filesystem::path folder;
  std::string name;  ///< as run.json has it
  Experiment experiment;
  file::NamedArrays record;
  Summary summary;  ///< from run.json; NaN where it says nothing
};

/// The run in a folder, or the runs of a sweep's folder by name. Throws InputError naming the folder when it is neither, and
/// naming the file when spec.toml, record.npz or run.json cannot be used.
std::vector<RecordedRun> read_runs(const std::filesystem::path& folder);

}  // namespace sluice::lab
