/// Numbers on the command line.
#pragma once

#include <charconv>
#include <string>
#include <system_error>

namespace sluice::cli {

/// For an option's check(): empty when the text is such a number, else what to say. CLI11's own words change with
/// its version.
template <class Number>
std::string check_number(const std::string& text, Number low, Number high, const std::string& expected) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool good = error == std::errc{} && end == text.data() + text.size() && value >= low && value <= high;
  return good ? "" : text + ": expected " + expected;
}

}  // namespace sluice::cli
