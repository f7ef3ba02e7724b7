#pragma once

#include <cstdlib>

namespace sluice::math {

/// A variable of the environment; null where it is not set. Nothing here ever sets one, so any thread may ask.
inline const char* environment(const char* variable) {
  return std::getenv(variable);  // NOLINT(concurrency-mt-unsafe)
}

}  // namespace sluice::math
