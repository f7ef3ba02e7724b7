#include <fmt/format.h>

#include <cmath>

#include "sluice/spec/keys.hpp"

namespace sluice::spec {

bool Range::holds(double value) const {
  if (std::isnan(value)) return false;
  if (std::isinf(value)) return infinity_too && value > 0;
  if (whole && std::floor(value) != value) return false;
  if (even && std::fmod(value, 2) != 0) return false;
  return (open_low ? value > low : value >= low) && value <= high;
}

Range any_number() { return {.expected = "a finite number"}; }
Range positive() { return {.low = 0, .open_low = true, .expected = "a positive number"}; }
Range at_least(double low) { return {.low = low, .expected = fmt::format("a number, {} or more", low)}; }
Range numbers(double low, double high) {
  return {.low = low, .high = high, .expected = fmt::format("a number from {} to {}", low, high)};
}
Range integers(std::int64_t low, std::int64_t high) {
  return {.low = static_cast<double>(low),
          .high = static_cast<double>(high),
          .whole = true,
          .expected = fmt::format("an integer from {} to {}", low, high)};
}
Range even_integers(std::int64_t low, std::int64_t high) {
  Range range = integers(low, high);
  range.even = true;
  range.expected = fmt::format("an even integer from {} to {}", low, high);
  return range;
}

}  // namespace sluice::spec
