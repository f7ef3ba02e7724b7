/// Lists of numbers on the command line: 3,17,40.
#pragma once

#include <charconv>
#include <string>
#include <system_error>
#include <vector>

#include "sluice/file/errors.hpp"

namespace sluice::cli {

/// Throws InputError that names the option, the text and what was expected.
template <class Number>
std::vector<Number> numbers_in(const std::string& option, const std::string& text, const char* expected) {
  std::vector<Number> numbers;
  const char* at = text.data();
  const char* const last = text.data() + text.size();
  while (at <= last && !text.empty()) {
    Number number{};
    const auto [end, error] = std::from_chars(at, last, number);
    if (error != std::errc{} || (end != last && *end != ','))
      throw InputError(std::string(option).append(" ").append(text).append(": expected ").append(expected));
    numbers.push_back(number);
    if (end == last) break;
    at = end + 1;
  }
  return numbers;
}

}  // namespace sluice::cli
