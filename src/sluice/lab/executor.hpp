/// Who runs the points of a sweep: every thread owns whole points, so that no step waits for another thread, and no thread more than there
/// are is at work. Bits do not depend on it.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace sluice::lab {

/// So many points at once, on so many threads each.
struct Shift {
  std::size_t points;
  int at_once;
  int threads_each;

  bool operator==(const Shift&) const = default;
};
/// A whole number of points for every thread; what is left over, fewer than there are threads, shares them at the end.
std::vector<Shift> shifts(std::size_t points, int threads);

/// Calls work(i, threads) once for every i in [0, points), in the order in which threads become free. The first exception ends it and is
/// thrown again, when what was begun has come to its end.
void execute(std::size_t points, int threads,
             const std::function<void(std::size_t point, int threads)>& work);

}  // namespace sluice::lab
