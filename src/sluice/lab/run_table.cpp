#include "sluice/lab/run_table.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "sluice/file/csv.hpp"

namespace sluice::lab {
namespace {

int kind_of_cell(const file::Cell& cell) {
  return file::is_absent(cell) ? 2 : std::holds_alternative<std::string>(cell) ? 1 : 0;
}

/// Of two cells that are there.
bool is_less(const file::Cell& a, const file::Cell& b) {
  if (kind_of_cell(a) != kind_of_cell(b)) return kind_of_cell(a) < kind_of_cell(b);
  const auto* whole = std::get_if<std::int64_t>(&a);
  const auto* other = std::get_if<std::int64_t>(&b);
  if (whole != nullptr && other != nullptr) return *whole < *other;
  if (kind_of_cell(a) == 0) return *file::number_in(a) < *file::number_in(b);
  return std::get<std::string>(a) < std::get<std::string>(b);
}

}  // namespace

void sort_rows(RunTable& table, std::size_t column, bool descending) {
  std::ranges::stable_sort(table.rows, [&](const auto& a, const auto& b) {
    const bool a_lacks = file::is_absent(a[column]), b_lacks = file::is_absent(b[column]);
    if (a_lacks || b_lacks) return b_lacks && !a_lacks;
    return descending ? is_less(b[column], a[column]) : is_less(a[column], b[column]);
  });
}

std::string to_csv(const RunTable& table) {
  std::string csv;
  const auto end_cell = [&](std::size_t i) { csv += i + 1 < table.columns.size() ? ',' : '\n'; };
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    csv += file::csv_cell(table.columns[i]);
    end_cell(i);
  }
  for (const auto& row : table.rows)
    for (std::size_t i = 0; i < row.size(); ++i) {
      csv += file::csv_cell(file::to_text(row[i]));
      end_cell(i);
    }
  return csv;
}

RunArrays to_arrays(const RunTable& table) {
  RunArrays made;
  const file::Shape shape{static_cast<std::int64_t>(table.rows.size())};
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const auto all = [&](const auto& test) {
      return std::ranges::all_of(table.rows, [&](const auto& row) { return test(row[i]); });
    };
    if (!all([](const file::Cell& cell) { return kind_of_cell(cell) != 1; })) {
      std::vector<std::string> list;
      for (const auto& row : table.rows) list.push_back(file::to_text(row[i]));
      made.texts.emplace_back(table.columns[i], std::move(list));
    } else if (all([](const file::Cell& cell) { return std::holds_alternative<std::int64_t>(cell); })) {
      std::vector<std::int64_t> list;
      for (const auto& row : table.rows) list.push_back(std::get<std::int64_t>(row[i]));
      made.numbers.emplace_back(table.columns[i], file::Array{shape, std::move(list)});
    } else {
      std::vector<double> list;
      for (const auto& row : table.rows)
        list.push_back(file::number_in(row[i]).value_or(std::numeric_limits<double>::quiet_NaN()));
      made.numbers.emplace_back(table.columns[i], file::Array{shape, std::move(list)});
    }
  }
  return made;
}

void write_npz(const std::filesystem::path& path, const RunTable& table, file::IfTaken if_taken) {
  const RunArrays made = to_arrays(table);
  file::write_npz(path, made.numbers, made.texts, file::Packing::compressed, if_taken);
}

}  // namespace sluice::lab
