/// The tables of a sweep as files: its runs at their ends, and all of them over training.
#pragma once

#include <string>
#include <vector>

#include "sluice/lab/recorded.hpp"

namespace sluice::lab {

/// The kinds of number that some run has, in their order; `in_tables`: only those that people are shown.
std::vector<const record::NumberKind*> kinds_in(const std::vector<Recorded>& runs, bool in_tables);

/// summary.csv: a row per run; what was swept, then its summary numbers.
std::string summary_csv(const std::vector<Recorded>& runs);

/// sweep.csv, a long table: a row per run and probe time; `run`, the name of its folder, what was swept, then the columns of metrics.csv.
/// A cell is empty where a run does not have the column.
std::string sweep_csv(const std::vector<Recorded>& runs);

}  // namespace sluice::lab
