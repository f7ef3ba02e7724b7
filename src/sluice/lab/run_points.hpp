/// Runs as points over columns: what the figures `curve` and `phase_diagram` are drawn of. Of any folder they are rows of its index
/// (run_index.hpp), no array is read; of runs that are at hand, what their rows would be.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sluice/lab/conditions.hpp"
#include "sluice/lab/recorded.hpp"
#include "sluice/lab/run_columns.hpp"
#include "sluice/lab/run_row.hpp"
#include "sluice/lab/sources.hpp"

namespace sluice::lab {

/// What stands where a run has no such key.
inline const std::string kNoValue = "–";

struct RunPoint {
  std::filesystem::path folder;
  Settings settings;      ///< what tells it from the others, the seed among them
  RunRow row;             ///< all its columns
  std::string spec = {};  ///< of a run in memory, which has no folder

  /// A setting or a column as a text: "3", "[2,1]", kNoValue.
  std::string text(const std::string& name) const;
  /// Nothing where it has none, or no finite one.
  std::optional<double> number(const std::string& column) const;
};

struct RunPoints {
  std::vector<RunPoint> runs;
  RunColumns columns;
  record::Evaluated on = record::Evaluated::new_samples;  ///< of the first
  std::vector<Settings> planned = {};  ///< the settings of all runs, also of those left out
  std::string left_out = {};           ///< "3 of 6 runs diverged and are left out"

  std::vector<Settings> settings() const;
  /// The setting or column that somebody means. Throws InputError with the nearest where there is none.
  std::string meant(const std::string& word) const;
  /// Does a setting or a key of the spec have this name, rather than a number of the runs?
  bool is_key(const std::string& name) const;
  /// "task.gain" of the setting "gain"; what is no key keeps its name.
  std::string whole_name(const std::string& name) const;
  /// "gain" of the column "task.gain".
  std::string short_name(const std::string& name) const;
  /// The different values of a setting or column among the runs that have it: ascending where they are numbers or lists of numbers, else in
  /// the order in which they come.
  std::vector<std::string> values(const std::string& name) const;
};

/// All runs below these folders that pass the filter and have one of the names. The settings of a sweep are those of its plan, in its order;
/// runs of other folders are told apart by the keys in which they differ. Throws InputError where no run is left.
RunPoints read_points(const Sources& folders, const std::string& where,
                      const std::vector<std::string>& names);

/// By the settings that they have.
RunPoints points_of(const std::vector<Recorded>& runs);

}  // namespace sluice::lab
