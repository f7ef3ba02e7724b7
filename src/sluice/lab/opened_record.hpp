/// The weights of a run folder, or of an array file that another program wrote.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sluice/file/array.hpp"
#include "sluice/lab/experiment.hpp"

namespace sluice::lab {

struct OpenedRecord {
  std::string name;                      ///< of the folder or file, for titles
  std::filesystem::path file;            ///< record.npz, or the array file
  file::NamedArrays arrays;              ///< all that is in it
  std::optional<Experiment> experiment;  ///< what a run folder's spec says
  std::int64_t times = 0;                ///< T
  std::int64_t units = 0;                ///< K
  std::int64_t inputs = 0;               ///< n
  std::vector<std::int64_t> step;        ///< [T]; 0, 1, … where the file has none
  std::vector<float> weights;            ///< [T, K, n]
  std::vector<float> bias;               ///< [T, K]; empty where the file has none

  std::int64_t dimensions() const { return experiment ? experiment->task.dimensions() : 1; }
};

/// Opens RUN (a folder with record.npz and spec.toml) or FILE.npz, FILE.npy with float32 or float64 weights [T, K, n] or
/// [K, n] under `weights_name`, or under any name where there is but one array. Throws InputError that names the file, the
/// array, and what was expected.
OpenedRecord open_record(const std::filesystem::path& run_or_file,
                         const std::string& weights_name = "weights");

/// Float32 or float64 numbers as float32; throws InputError "FILE: NAME: expected EXPECTED, found …" for integers.
std::vector<float> floats_of(const file::Array& array, const std::filesystem::path& file,
                             const std::string& name, const std::string& expected);

}  // namespace sluice::lab
