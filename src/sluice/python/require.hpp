/// What arguments must be, said in one line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sluice/file/errors.hpp"
#include "sluice/spec/keys.hpp"

namespace sluice::python {

/// Throws InputError "NAME = "VALUE": expected one of …".
void require_one_of(const char* name, const std::string& value, spec::Choices choices);
/// Throws InputError "NAME = VALUE: expected an integer from LOW to HIGH", or a number.
void require_within(const char* name, std::int64_t value, std::int64_t low, std::int64_t high);
void require_within(const char* name, double value, double low, double high);
/// Throws InputError "NAME: expected at least one".
template <class Each>
void require_some(const char* name, const std::vector<Each>& list) {
  if (list.empty()) throw InputError(std::string(name) + ": expected at least one");
}

}  // namespace sluice::python
