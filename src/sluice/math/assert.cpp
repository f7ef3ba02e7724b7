#include "sluice/math/assert.hpp"

#include <cstdio>
#include <cstdlib>

namespace sluice {

void assertion_failed(const char* condition, const char* file, int line) noexcept {
  std::fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, condition);
  std::abort();
}

}  // namespace sluice
