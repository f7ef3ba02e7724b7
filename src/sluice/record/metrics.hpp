/// metrics.csv: one row per probe time, for pandas and spreadsheets.
#pragma once

#include <string>

#include "sluice/file/array.hpp"

namespace sluice::record {

/// Scalars as they are; per-unit arrays as NAME_median, NAME_q25, NAME_q75; weights are left to record.npz.
std::string metrics_csv(const file::NamedArrays& arrays);

}  // namespace sluice::record
