/// Probes after a run, on its folder or on weights from elsewhere: `sluice probe`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sluice/file/array.hpp"
#include "sluice/lab/recorded.hpp"
#include "sluice/math/workers.hpp"

namespace sluice::lab {

struct ProbeRequest {
  std::filesystem::path source;    ///< a run folder or an array file
  std::vector<std::string> names;  ///< of probes; empty: all that can be measured on the source
  FieldsIn fields = {};            ///< where the weights are
  std::string
      inputs;  ///< of a file: the array [N, n] for the kurtosis of pre-activations; a run has its task
  std::filesystem::path reference;  ///< another run or file, for reference_distance
  std::filesystem::path out;        ///< empty: RUN/probes.npz, or FILE.probes.npz beside the file
  bool overwrite = false;           ///< of a file outside the run folder
};

struct Probed {
  std::filesystem::path out;
  std::int64_t times, units, inputs;
  file::NamedArrays arrays;  ///< step, then the probes
};

/// Measures, then writes `out` whole or not at all. All checks that can fail on the user's input come first. Throws InputError,
/// IoError.
Probed probe_record(const ProbeRequest& request, math::Workers& workers);

}  // namespace sluice::lab
