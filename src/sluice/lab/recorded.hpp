/// Runs as they lie on the disk, and files of weights that other programs wrote: what `report`, `figure`, `probe` and a sweep's
/// comparison look at.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sluice/lab/experiment.hpp"
#include "sluice/probe/revisit.hpp"
#include "sluice/record/recording.hpp"

namespace sluice::lab {

/// What distinguishes a run of a sweep: {"gain", "3"}.
struct Setting {
  std::string name;
  std::string value;
};
/// "gain = 3, n = 40"; of a setting without a name, its value.
std::string label_of(const std::vector<Setting>& settings);

struct Recorded {
  record::Recording recording;
  std::optional<Experiment> experiment;  ///< what the spec says; a file of weights has none
  std::vector<Setting> settings = {};    ///< of a run of a sweep
  file::NamedArrays others = {};         ///< of a file of weights: all that is in it, whatever it means

  const file::NamedArrays& arrays() const { return recording.arrays; }
  /// record.npz, or the file of weights; of one in memory its name, for messages.
  std::filesystem::path file() const;
  /// Its receptive fields over the times of which it kept them, all or the last, for probes; throws InputError where it kept none. The record must outlive it.
  probe::Trajectory trajectory() const;
  /// Throws InputError "SPEC: KEY = "FOUND": expected …" where its spec is not what somebody needs.
  void need(bool holds, const std::string& key, const std::string& found, const std::string& expected) const;
};

/// Did it come to its end? Neither diverged nor interrupted: what it comes down to is a result.
inline bool is_finished(const Recorded& run) { return run.recording.status == "finished"; }

/// The run in a folder. Throws InputError naming the file that cannot be used: spec.toml, run.json, arrays that do not fit the spec, or
/// a spec that did not make the record.
Recorded read_run(const std::filesystem::path& folder);
/// The run in a folder, or the runs of a sweep's folder by name.
std::vector<Recorded> read_runs(const std::filesystem::path& folder);

/// A point of a sweep as its plan has it.
struct PlannedPoint {
  std::string folder;
  std::vector<Setting> settings = {};
};
/// The points that sweep.json of a folder has, in their order; none where there is no such file.
std::vector<PlannedPoint> planned_points(const std::filesystem::path& sweep);

/// The runs of a sweep in its order, with their settings: those of sweep.json, or where version 0.1.0 wrote none, what tells them apart.
std::vector<Recorded> read_sweep(const std::filesystem::path& folder);
/// Gives every run as its settings the keys in which their specs differ, in the order of the specs.
void tell_apart(std::vector<Recorded>& runs);

/// Runs, and all runs of sweeps; told apart where they come from several folders.
std::vector<Recorded> read_all(const std::vector<std::string>& folders);

/// Where the weights of a file are, and how their sites lie: "ring" [T, K, n] or [K, n], "torus" and "image" [T, K, h, w] or
/// [K, h, w]; "auto": with four axes an image, else a ring.
struct FieldsIn {
  std::string weights = "weights";
  std::string layout = "auto";
};

/// Weights that came from elsewhere, with what lies beside them: `file` is what messages call it. Otherwise as below.
Recorded record_of(file::NamedArrays arrays, const std::filesystem::path& file, const FieldsIn& fields = {});

/// A run's folder, or FILE.npz, FILE.npy with float32 or float64 weights under this name, or under any name where there is but one
/// array; they are then `weights` [T, K, n] in float32, with `step` and, where there is one, `bias`. Throws InputError that names the
/// file, the array, and what was expected.
Recorded open_run_or_file(const std::filesystem::path& run_or_file, const FieldsIn& fields = {});

/// Float32 or float64 numbers as float32; throws InputError "FILE: NAME: expected EXPECTED, found …" for integers.
std::vector<float> floats_of(const file::Array& array, const std::filesystem::path& file,
                             const std::string& name, const std::string& expected);

/// Throws InputError "FILE: NAME: expected finite numbers, in float32". What our own runs recorded as they diverged is not asked.
void require_finite(std::span<const float> values, const std::filesystem::path& file,
                    const std::string& name);

bool is_sweep(const std::filesystem::path& folder);

}  // namespace sluice::lab
