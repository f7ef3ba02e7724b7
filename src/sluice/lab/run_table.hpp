/// Runs as a table: a row for each, typed cells; and the table as a file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sluice/file/cell.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/file/place.hpp"

namespace sluice::lab {

struct RunTable {
  std::vector<std::string> columns;
  std::vector<std::vector<file::Cell>> rows;  ///< as many cells each as there are columns
};

/// By the cells of a column: numbers, then texts, then rows that have none, which come last either way. Equal ones keep their order.
void sort_rows(RunTable& table, std::size_t column, bool descending);

/// A line for the names and one per run, numbers with all their digits, nothing where there is nothing.
std::string to_csv(const RunTable& table);

/// An array per column: int64 where every run has a whole number, float64 where what is there are numbers (not a number where there is
/// none), texts where any is there (empty where there is none).
struct RunArrays {
  file::NamedArrays numbers;
  file::NamedTexts texts;
};
RunArrays to_arrays(const RunTable& table);
/// The same in a file, under their names.
void write_npz(const std::filesystem::path& path, const RunTable& table, file::IfTaken if_taken);

}  // namespace sluice::lab
