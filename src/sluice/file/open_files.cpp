#include "sluice/file/open_files.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace sluice::file {

std::size_t most_open_files() {
  constexpr std::size_t kPromised = 20;  // _POSIX_OPEN_MAX
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return kPromised;
  const rlimit all{.rlim_cur = limit.rlim_max, .rlim_max = limit.rlim_max};
  if (limit.rlim_cur < limit.rlim_max && ::setrlimit(RLIMIT_NOFILE, &all) == 0) limit = all;
  return static_cast<std::size_t>(std::min<rlim_t>(limit.rlim_cur, std::numeric_limits<std::int32_t>::max()));
}

}  // namespace sluice::file
