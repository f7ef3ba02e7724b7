/// Comma-separated values.
#pragma once

#include <string>

namespace sluice::file {

/// RFC 4180: a cell with commas, quotes or line ends is quoted, quotes inside are doubled.
inline std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace sluice::file
