/// A cell of a table: nothing, a whole number, a number, or a text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

namespace sluice::file {

using Cell = std::variant<std::monostate, std::int64_t, double, std::string>;

inline bool is_absent(const Cell& cell) { return std::holds_alternative<std::monostate>(cell); }

/// The number that it holds, whole or not.
inline std::optional<double> number_in(const Cell& cell) {
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*whole);
  if (const auto* number = std::get_if<double>(&cell)) return *number;
  return std::nullopt;
}

/// All digits of a number; empty where there is nothing.
std::string to_text(const Cell& cell);

}  // namespace sluice::file
