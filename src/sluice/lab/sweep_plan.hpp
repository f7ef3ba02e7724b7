/// The plan of a sweep: its points, and what their folders are called.
#pragma once

#include <string>
#include <vector>

#include "sluice/lab/recorded.hpp"
#include "sluice/lab/sweep_axis.hpp"

namespace sluice::lab {

struct SweepPoint {
  std::vector<std::string> assignments;  ///< "task.gain=3"
  std::vector<Setting> settings;         ///< {"gain", "3"}
  std::string folder;                    ///< "gain=3,n=40"
};

/// Every combination of values, the last axis fastest. Throws InputError where two points would share a folder.
std::vector<SweepPoint> sweep_points(const std::vector<SweepAxis>& axes);

/// What one of several workers does that divide a sweep among themselves without talking to each other: points i, i + n, i + 2n, … of all.
struct Shard {
  std::size_t index = 0, count = 1;

  bool has(std::size_t point) const { return point % count == index; }
};

}  // namespace sluice::lab
