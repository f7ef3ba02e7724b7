/// metrics.csv: one row per probe time, for pandas and spreadsheets.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sluice/file/array.hpp"

namespace sluice::record {

using ArrayAxes = std::map<std::string, std::vector<std::string>>;  ///< "step", "unit", … of every array

struct MetricsColumn {
  std::string name;
  std::vector<std::string> cells;  ///< one per probe time
};

/// Scalars as they are; per-unit arrays as NAME_median, NAME_q25, NAME_q75, per-layer ones as NAME_1, NAME_2, …; the others are left
/// to record.npz. `axes` names those of every array, "step" first.
std::vector<MetricsColumn> metrics_columns(const file::NamedArrays& arrays, const ArrayAxes& axes);

/// Those columns, with their names above.
std::string metrics_csv(const file::NamedArrays& arrays, const ArrayAxes& axes);

}  // namespace sluice::record
