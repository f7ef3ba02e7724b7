#include "sluice/math/memory.hpp"

#include <unistd.h>

#include <algorithm>

namespace sluice::math {

double affordable_bytes() {
  const double all =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  return std::min(all, std::max(8 * kGibibyte, all / 2));
}

}  // namespace sluice::math
