/// Probes after a run, on what it recorded or on weights from elsewhere.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sluice/file/array.hpp"
#include "sluice/lab/recorded.hpp"
#include "sluice/math/workers.hpp"

namespace sluice::lab {

/// What to measure of a record.
struct Measurement {
  std::vector<std::string> names = {};  ///< of probes; empty: all that can be measured
  std::string inputs =
      {};  ///< of weights from elsewhere: the array [N, n] for the kurtosis of pre-activations; a run has its task
  const Recorded* reference = nullptr;  ///< for reference_distance
};
/// `step`, then the probes. Throws InputError.
file::NamedArrays measure(const Recorded& record, const Measurement& measurement, math::Workers& workers);

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
  file::NamedArrays arrays;
};

/// Measures, then writes `out` whole or not at all. All checks that can fail on the user's input come first. Throws InputError,
/// IoError.
Probed probe_record(const ProbeRequest& request, math::Workers& workers);

}  // namespace sluice::lab
