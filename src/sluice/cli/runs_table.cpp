#include "sluice/cli/runs_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "sluice/cli/columns.hpp"
#include "sluice/file/printable.hpp"

namespace sluice::cli {
namespace {

constexpr std::size_t kMostKeys = 4;  // before the numbers; further ones come where there is room

/// What people look for first; the others follow in their own order.
constexpr std::array<std::string_view, 4> kFirstNumbers{"localized_share", "loss", "accuracy",
                                                        "ipr_mean_end"};

std::vector<std::string> numbers_by_weight(const lab::RunColumns& columns) {
  std::vector<std::string> names;
  for (const std::string_view first : kFirstNumbers)
    if (columns.number(first) != nullptr) names.emplace_back(first);
  for (const record::NumberKind* kind : columns.numbers())
    if (kind->in_tables && std::ranges::find(names, kind->key) == names.end()) names.emplace_back(kind->key);
  return names;
}

/// Texts to the left, numbers to the right.
bool holds_texts(const lab::RunTable& table, std::size_t column) {
  return std::ranges::any_of(
      table.rows, [&](const auto& row) { return std::holds_alternative<std::string>(row[column]); });
}

}  // namespace

std::vector<std::string> usual_columns(lab::RunIndex& index, const std::string& where) {
  std::vector<std::string> columns{"path", "status"};
  const std::vector<std::string> keys = index.varied_keys(where);
  const std::size_t first = std::min(kMostKeys, keys.size());
  columns.insert(columns.end(), keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(first));
  for (std::string& number : numbers_by_weight(index.columns())) columns.push_back(std::move(number));
  columns.insert(columns.end(), keys.begin() + static_cast<std::ptrdiff_t>(first), keys.end());
  return columns;
}

std::string shown_cell(const file::Cell& cell, const record::NumberKind* kind) {
  if (file::is_absent(cell)) return "–";
  const std::optional<double> number = file::number_in(cell);
  if (kind != nullptr && number) return record::Number{kind, *number}.text();
  return file::printable(file::to_text(cell));
}

FittedTable fitted_table(const lab::RunTable& table, const lab::RunColumns& columns, std::size_t width) {
  if (table.rows.empty()) return {};
  FittedTable fitted;
  std::size_t used = 0;
  std::vector<std::size_t> chosen;
  std::vector<std::vector<std::string>> cells(table.columns.size());
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const record::NumberKind* kind = columns.number(table.columns[i]);
    cells[i].push_back(columns.short_name(table.columns[i]));
    for (const auto& row : table.rows) cells[i].push_back(shown_cell(row[i], kind));
    std::size_t widest = 0;
    for (const std::string& cell : cells[i]) widest = std::max(widest, columns_of(cell));
    const std::size_t gap = chosen.empty() ? 0 : 2;
    if (width > 0 && !chosen.empty() && used + gap + widest > width) {
      fitted.left_out.push_back(table.columns[i]);
      continue;
    }
    used += gap + widest;
    chosen.push_back(i);
  }
  if (width > 0)  // keys that found room behind the numbers belong before them
    std::stable_partition(chosen.begin(), chosen.end(),
                          [&](std::size_t i) { return columns.number(table.columns[i]) == nullptr; });
  std::string alignment;
  for (const std::size_t i : chosen) alignment += holds_texts(table, i) ? 'l' : 'r';
  Rows rows(table.rows.size() + 1);
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (const std::size_t i : chosen) rows[r].push_back(std::move(cells[i][r]));
  fitted.text = in_columns(rows, alignment);
  return fitted;
}

}  // namespace sluice::cli
