/// Text in columns on a terminal.
#pragma once

#include <algorithm>
#include <string>

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

}  // namespace sluice::cli
