/// A table of runs for people: which columns, and their cells rounded.
#pragma once

#include <string>
#include <vector>

#include "sluice/lab/run_index.hpp"

namespace sluice::cli {

/// Where nobody chose: path and status, the keys in which the runs differ, the numbers they have; the most telling first.
std::vector<std::string> usual_columns(lab::RunIndex& index, const std::string& where);

struct FittedTable {
  std::string text;                   ///< empty: no runs
  std::vector<std::string> left_out;  ///< columns that had no room
};

/// As many of the columns as `width` has room for, in this order; path, keys and numbers then stand together. `width` 0: all of them.
FittedTable fitted_table(const lab::RunTable& table, const lab::RunColumns& columns, std::size_t width);

/// A cell as people read it; numbers of a summary as everywhere else.
std::string shown_cell(const file::Cell& cell, const record::NumberKind* kind);

}  // namespace sluice::cli
