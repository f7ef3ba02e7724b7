/// What a data set should hold is not there, or is something else: whoever speaks to the user may say how it is fetched.
#pragma once

#include <string>
#include <utility>

#include "sluice/file/errors.hpp"

namespace sluice::data {

struct Missing : InputError {
  Missing(std::string data_set, const std::string& message) : InputError(message), set(std::move(data_set)) {}

  std::string set;  ///< its name
};

}  // namespace sluice::data
