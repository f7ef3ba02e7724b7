/// What a run is: its spec, its arrays with their axes, and the few numbers it comes down to. In memory, or written to the folder of a
/// run (run_folder.hpp) and read back from it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "sluice/file/array.hpp"
#include "sluice/file/json.hpp"
#include "sluice/record/summary.hpp"
#include "sluice/task/task.hpp"

namespace sluice::record {

struct Recording {
  std::string name;
  std::string status;       ///< "finished", "diverged", "interrupted"
  std::string fingerprint;  ///< of the spec: what changes its bits
  std::string spec;         ///< the resolved spec, TOML
  std::int64_t seed = 0;
  int threads = 1;
  std::string device = {};  ///< where it was trained: "gpu", "gpu:tf32", …; empty: on the CPU
  double seconds = 0;       ///< wall-clock time of the last stretch
  task::Layout layout;      ///< of the inputs, and where fields that are kernels lie among them
  Summary summary;
  file::NamedArrays arrays;
  std::map<std::string, std::vector<std::string>> axes;  ///< of every array: "step", "unit", "site", …
  std::filesystem::path folder;                          ///< where it lies; empty while it is in memory
  std::map<std::string, double> norms = {};  ///< of a run that diverged: √Σθ² of every part at its end
  /// Parts that the program around the library gave ("task", "probe.my_norm") and the SHA-256 of their sources. Without those its spec
  /// cannot be run again.
  std::map<std::string, std::string> functions = {};
};

/// run.json: everything but the spec and the arrays.
file::Json to_json(const Recording& recording);

/// spec.toml, record.npz and run.json of a run folder, also of version 0.1.0 (whose layout and axes the caller knows from the spec);
/// without run.json, of a run that never came to an end, the numbers are missing.
/// Throws InputError naming the file that cannot be used.
Recording read_recording(const std::filesystem::path& folder);

/// Does the folder hold a recording?
bool is_recording(const std::filesystem::path& folder);

}  // namespace sluice::record
