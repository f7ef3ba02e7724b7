/// A law on finitely many points.
#pragma once

#include <cstdint>
#include <vector>

namespace sluice::task {

struct FiniteSupport {
  std::int64_t inputs = 0;      ///< n
  std::vector<double> points;   ///< [P, n]
  std::vector<double> weights;  ///< [P], adding up to 1
};

}  // namespace sluice::task
