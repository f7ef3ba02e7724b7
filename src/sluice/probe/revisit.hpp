/// Probes after the fact: over the weights of a record, ours or another program's.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sluice/file/array.hpp"
#include "sluice/math/workers.hpp"
#include "sluice/probe/kurtosis.hpp"
#include "sluice/probe/probe.hpp"

namespace sluice::probe {

/// What is left of a run.
struct Trajectory {
  std::int64_t times = 0;              ///< T
  std::int64_t units = 0;              ///< K
  std::int64_t inputs = 0;             ///< n
  std::span<const std::int64_t> step;  ///< [T]
  std::span<const float> weights;      ///< [T, K, n]
  std::span<const float> bias;         ///< [T, K], or empty
  std::span<const float> reference;    ///< [T, K, n], or empty
  const Samples* samples = nullptr;
  task::Layout layout = {};

  Subject subject() const;
};

/// The arrays of these probes, in their order; times are shared out among the workers. Every probe must have what it needs.
file::NamedArrays revisit(const Trajectory& trajectory, std::span<const Probe* const> probes,
                          math::Workers& workers);

}  // namespace sluice::probe
