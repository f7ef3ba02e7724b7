#include "sluice/math/memory.hpp"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <optional>
#include <string>

#include "sluice/math/control_group.hpp"

namespace sluice::math {
namespace {

/// None for "max" and what cannot be read.
std::optional<double> number_in(const std::string& file) {
  const std::string line = first_line(file);
  char* end = nullptr;
  const double bytes = std::strtod(line.c_str(), &end);
  return end != line.c_str() && bytes > 0 ? std::optional(bytes) : std::nullopt;
}

std::optional<double> bytes_of_group() {
  const auto unified = least_upwards(group_of(""), [](const std::string& group) {
    return number_in("/sys/fs/cgroup" + group + "/memory.max");
  });
  if (unified) return unified;
  return least_upwards(group_of("memory"), [](const std::string& group) {
    return number_in("/sys/fs/cgroup/memory" + group + "/memory.limit_in_bytes");
  });
}

}  // namespace

double memory_bytes() {
  static const double granted = [] {
    const double machine =
        static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
    return std::min(machine, bytes_of_group().value_or(machine));
  }();
  rlimit space{};
  if (getrlimit(RLIMIT_AS, &space) != 0 || space.rlim_cur == RLIM_INFINITY) return granted;
  return std::min(granted, static_cast<double>(space.rlim_cur));
}

double affordable_bytes() {
  const double all = memory_bytes();
  return std::min(all, std::max(8 * kGibibyte, all / 2));
}

void require_room(std::size_t bytes) {
  void* room =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) throw std::bad_alloc();
  ::munmap(room, bytes);
}

}  // namespace sluice::math
