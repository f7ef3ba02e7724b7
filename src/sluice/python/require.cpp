#include "sluice/python/require.hpp"

#include <fmt/format.h>

namespace sluice::python {

void require_one_of(const char* name, const std::string& value, spec::Choices choices) {
  std::string known;
  for (const spec::Choice& choice : choices) {
    if (choice.name == value) return;
    known += fmt::format("{}\"{}\"", known.empty() ? "" : ", ", choice.name);
  }
  throw InputError(fmt::format("{} = \"{}\": expected one of {}", name, value, known));
}

void require_within(const char* name, std::int64_t value, std::int64_t low, std::int64_t high) {
  if (value < low || value > high)
    throw InputError(fmt::format("{} = {}: expected an integer from {} to {}", name, value, low, high));
}

void require_within(const char* name, double value, double low, double high) {
  if (!(value >= low && value <= high))
    throw InputError(fmt::format("{} = {:g}: expected a number from {:g} to {:g}", name, value, low, high));
}

}  // namespace sluice::python
