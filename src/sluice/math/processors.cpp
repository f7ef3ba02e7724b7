/// How many threads can run at once, on Linux: affinity, and the quota of the control group (version 2, or 1).
#include <sched.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <thread>

#include "sluice/math/control_group.hpp"
#include "sluice/math/workers.hpp"

namespace sluice::math {
namespace {

int processors_of_affinity() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
  return static_cast<int>(std::thread::hardware_concurrency());  // more than 1024 processors
}

std::optional<int> processors_of_group() {
  const auto unified = least_upwards(group_of(""), [](const std::string& group) {
    return granted_processors(first_line("/sys/fs/cgroup" + group + "/cpu.max"));
  });
  if (unified) return unified;
  return least_upwards(group_of("cpu"), [](const std::string& group) {
    const std::string folder = "/sys/fs/cgroup/cpu" + group;
    return granted_processors(first_line(folder + "/cpu.cfs_quota_us") + " " +
                              first_line(folder + "/cpu.cfs_period_us"));
  });
}

}  // namespace

std::optional<int> granted_processors(const std::string& cpu_max) {
  std::istringstream text(cpu_max);
  double quota = 0, period = 0;
  if (!(text >> quota >> period) || !(quota > 0) || !(period > 0)) return std::nullopt;  // "max", −1
  return static_cast<int>(std::ceil(std::min(quota / period, 1e6)));
}

int hardware_threads() {
  const int allowed = processors_of_affinity();
  return std::max(1, std::min(allowed, processors_of_group().value_or(allowed)));
}

}  // namespace sluice::math
