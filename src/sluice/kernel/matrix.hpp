/// A square symmetric matrix over samples, row by row.
#pragma once

#include <cstdint>
#include <vector>

namespace sluice::kernel {

template <class Real>
struct SampleMatrix {
  std::int64_t n = 0;
  std::vector<Real> values;  ///< [n, n]

  SampleMatrix() = default;
  explicit SampleMatrix(std::int64_t samples)
      : n(samples), values(static_cast<std::size_t>(samples * samples)) {}
  Real& at(std::int64_t s, std::int64_t t) { return values[static_cast<std::size_t>(s * n + t)]; }
  Real at(std::int64_t s, std::int64_t t) const { return values[static_cast<std::size_t>(s * n + t)]; }
};

}  // namespace sluice::kernel
