/// metrics.csv: one row per probe time, for pandas and spreadsheets.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sluice/file/array.hpp"

namespace sluice::record {

/// Scalars as they are; per-unit arrays as NAME_median, NAME_q25, NAME_q75, per-layer ones as NAME_1, NAME_2, …; the others are left
/// to record.npz. `axes` names those of every array, "step" first.
std::string metrics_csv(const file::NamedArrays& arrays,
                        const std::map<std::string, std::vector<std::string>>& axes);

}  // namespace sluice::record
