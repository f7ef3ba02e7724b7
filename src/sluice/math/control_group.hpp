/// What the control group of this process (a container, a batch job) is granted, on Linux.
#pragma once

#include <algorithm>
#include <optional>
#include <string>

namespace sluice::math {

std::string first_line(const std::string& path);

/// The path of this process's group in one hierarchy: "0::/job" of version 2 (no controller), "4:cpu,cpuacct:/job" of version 1.
std::string group_of(const std::string& controller);

/// The least that a group and those above it are granted.
template <class Quota>
auto least_upwards(std::string group, const Quota& quota) -> decltype(quota(group)) {
  decltype(quota(group)) least;
  for (;;) {
    if (const auto here = quota(group)) least = std::min(least.value_or(*here), *here);
    if (group.empty() || group == "/") return least;
    group.resize(group.rfind('/'));
  }
}

}  // namespace sluice::math
