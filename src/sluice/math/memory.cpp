#include "sluice/math/memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

namespace sluice::math {

double affordable_bytes() {
  const double all =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  rlimit limit{RLIM_INFINITY, RLIM_INFINITY};
  ::getrlimit(RLIMIT_AS, &limit);
  const double allowed = limit.rlim_cur == RLIM_INFINITY ? all : static_cast<double>(limit.rlim_cur);
  return std::min({all, allowed, std::max(8 * kGibibyte, all / 2)});
}

}  // namespace sluice::math
