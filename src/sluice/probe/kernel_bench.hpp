/// Where the kernels and gates of a deep network are watched: its first training samples, half of them from each class where there are
/// two and gates do not hang on a sample's place.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "sluice/kernel/gate_counts.hpp"
#include "sluice/kernel/tangent.hpp"
#include "sluice/math/workers.hpp"
#include "sluice/net/deep_network.hpp"
#include "sluice/task/task.hpp"

namespace sluice::probe {

/// Bytes that a probe of the bench takes at a probe time (kernel/memory.hpp); 0 of other probes.
double bench_bytes(std::string_view probe, const net::DeepGated<float>& layers, std::int64_t samples);

class KernelBench {
 public:
  /// `start`: the parameters of step 0, which changed gates are held against. Network and workers must outlive the bench.
  KernelBench(const net::DeepNetwork& network, const task::FiniteSet* set, std::int64_t samples,
              std::uint64_t seed, std::vector<float> start, const kernel::GateThresholds& thresholds,
              math::Workers& workers);

  const net::DeepGated<float>& layers() const { return network_.layers(); }
  const std::vector<double>& labels() const { return y_; }
  const std::vector<float>& start() const { return start_; }
  const kernel::GateThresholds& thresholds() const { return thresholds_; }

  /// In double, forth and back, for kernels.
  kernel::Passage<double> passage(std::span<const float> parameters) const;
  /// In float, forth alone, for gates.
  kernel::Passage<float> gates(std::span<const float> parameters) const;

 private:
  const net::DeepNetwork& network_;
  net::DeepGated<double> exact_;
  std::vector<float> x_;
  std::vector<double> y_;
  std::uint64_t seed_;
  std::vector<float> start_;
  kernel::GateThresholds thresholds_;
  math::Workers& workers_;
};

}  // namespace sluice::probe
