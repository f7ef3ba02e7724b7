/// Text in columns on a terminal.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "sluice/file/printable.hpp"

namespace sluice::cli {

/// Columns of a UTF-8 text: continuation bytes take none.
inline std::size_t columns_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

inline std::string left(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, columns_of(text)), ' ');
}
inline std::string right(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, columns_of(text)), ' ') + text;
}

using Rows = std::vector<std::vector<std::string>>;

/// Rows of as many cells each, two spaces apart; a cell is one line, whatever is in it (file/printable.hpp). `alignment` has a letter for every column, l or r; the last one goes on.
inline std::string in_columns(Rows rows, std::string_view alignment) {
  for (auto& row : rows)
    for (std::string& cell : row) cell = file::printable(cell);
  std::vector<std::size_t> widths(rows.empty() ? 0 : rows.front().size());
  for (const auto& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], columns_of(row[c]));
  std::string text;
  for (const auto& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      const bool to_the_left = alignment[std::min(c, alignment.size() - 1)] == 'l';
      const std::size_t width = to_the_left && c + 1 == row.size() ? 0 : widths[c];  // no spaces at the end
      text += (c == 0 ? "" : "  ") + (to_the_left ? left(row[c], width) : right(row[c], width));
    }
    text += '\n';
  }
  return text;
}

}  // namespace sluice::cli
