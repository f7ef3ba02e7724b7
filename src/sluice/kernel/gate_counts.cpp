#include "sluice/kernel/gate_counts.hpp"

#include <algorithm>
#include <cmath>

#include "sluice/math/kernels.hpp"

namespace sluice::kernel {
namespace {

/// [units] of one sample of a layer.
std::vector<float> column(const math::Aligned<float>& values, std::int64_t stride, std::int64_t sample) {
  std::vector<float> out(values.size() / static_cast<std::size_t>(stride));
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = values[i * static_cast<std::size_t>(stride) + static_cast<std::size_t>(sample)];
  return out;
}

float largest(std::span<const float> values) {
  float most = 0;
  for (const float value : values) most = std::max(most, std::abs(value));
  return most;
}

/// Rows with whole vectors, for math::multiply.
struct Jacobian {
  std::int64_t rows, columns, stride;
  math::Aligned<float> values;
  Jacobian(std::int64_t r, std::int64_t c)
      : rows(r), columns(c), stride(math::whole_vectors(c)), values(static_cast<std::size_t>(r * stride)) {}
  std::span<float> row(std::int64_t i) {
    return std::span(values).subspan(static_cast<std::size_t>(i * stride), static_cast<std::size_t>(columns));
  }
};

/// What a sample's gates and the weights behind them say of every gate: max_m |∂G/∂θ^g(m)|, layer by layer.
class Sensitivity {
 public:
  Sensitivity(const net::DeepGated<float>& network, std::span<const float> matrices)
      : network_(network), matrices_(matrices) {}

  std::vector<std::vector<float>> of(const net::Trace<float>& trace, std::int64_t sample) const {
    const bool own = network_.options().own_gates();
    std::vector<std::vector<float>> sensitivity;
    std::vector<Jacobian> reach;  // ∂q^g_l/∂q^g_k for k = 1, …, l
    std::vector<float> entering;  // max_j |z^g_(k−1)(j)|
    std::vector<float> passing;   // ∂z^g_(l−1)/∂q^g_(l−1) = G + q^g G'
    for (std::int64_t l = 1; l < network_.depth(); ++l) {
      const net::LayerTrace<float>& before = trace.layers[static_cast<std::size_t>(l - 1)];
      const net::LayerTrace<float>& here = trace.layers[static_cast<std::size_t>(l)];
      entering.push_back(largest(column(own || l == 1 ? before.z : before.gate_z, trace.stride, sample)));
      if (l > 1) extend(reach, l, passing);
      reach.emplace_back(network_.width(l), network_.width(l));
      for (std::int64_t i = 0; i < network_.width(l); ++i)
        reach.back().row(i)[static_cast<std::size_t>(i)] = 1;

      const std::vector<float> gate = column(here.gate, trace.stride, sample);
      const std::vector<float> slope = column(here.slope, trace.stride, sample);
      const std::vector<float> q = column(own ? here.q : here.gate_q, trace.stride, sample);
      passing.resize(gate.size());
      std::vector<float>& most = sensitivity.emplace_back(gate.size());
      for (std::size_t i = 0; i < gate.size(); ++i) {
        passing[i] = gate[i] + q[i] * slope[i];
        for (std::size_t k = 0; k < reach.size(); ++k)
          most[i] = std::max(most[i], std::abs(slope[i]) *
                                          largest(reach[k].row(static_cast<std::int64_t>(i))) * entering[k]);
      }
    }
    return sensitivity;
  }

 private:
  /// ∂q_l/∂q_k = Θ^g_l diag(passing) ∂q_(l−1)/∂q_k
  void extend(std::vector<Jacobian>& reach, std::int64_t layer, const std::vector<float>& passing) const {
    const net::MatrixPlace& place =
        network_.options().own_gates() ? network_.matrix(layer) : network_.gate_matrix(layer);
    for (Jacobian& jacobian : reach) {
      for (std::int64_t i = 0; i < jacobian.rows; ++i) {
        for (float& value : jacobian.row(i)) value *= passing[static_cast<std::size_t>(i)];
      }
      Jacobian next(place.rows, jacobian.columns);
      math::multiply(math::Product<float>{.m = place.rows,
                                          .n = jacobian.stride,
                                          .k = place.columns,
                                          .a = matrices_.data() + place.offset,
                                          .a_stride = place.columns,
                                          .b = jacobian.values.data(),
                                          .b_stride = jacobian.stride,
                                          .c = next.values.data(),
                                          .c_stride = next.stride,
                                          .add = false});
      jacobian = std::move(next);
    }
  }

  const net::DeepGated<float>& network_;
  std::span<const float> matrices_;
};

double log_count(double count) { return count > 0 ? std::log10(count) : 0; }

}  // namespace

GateCounts count_gates(const Passage<float>& passage, std::span<const float> parameters,
                       const GateThresholds& thresholds) {
  const net::DeepGated<float>& network = passage.network();
  std::vector<float> storage;
  const Sensitivity sensitivity(network, network.matrices(parameters, storage));
  GateCounts mean;
  double gates = 0;
  for (std::int64_t l = 1; l < network.depth(); ++l) gates += static_cast<double>(network.width(l));
  const double weight = 1 / static_cast<double>(passage.samples());
  for (const net::Trace<float>& trace : passage.blocks()) {
    for (std::int64_t s = 0; s < trace.samples; ++s) {
      const auto slopes =
          network.adapts_gates() ? sensitivity.of(trace, s) : std::vector<std::vector<float>>{};
      double active_paths = static_cast<double>(network.inputs());  // through active gates so far
      double sensitive_paths = 0;                                   // with one sensitive gate among them
      for (std::int64_t l = 1; l < network.depth(); ++l) {
        const auto above = [](std::span<const float> values, double threshold) {
          return static_cast<double>(std::ranges::count_if(
              values, [&](float value) { return static_cast<double>(value) > threshold; }));
        };
        const double active =
            above(column(trace.layers[static_cast<std::size_t>(l)].gate, trace.stride, s), thresholds.active);
        const double sensitive =
            slopes.empty() ? 0 : above(slopes[static_cast<std::size_t>(l - 1)], thresholds.sensitive);
        sensitive_paths = sensitive_paths * active + active_paths * sensitive;
        active_paths *= active;
        mean.active += weight * active / gates;
        mean.sensitive += weight * sensitive / gates;
      }
      mean.active_paths += weight * log_count(active_paths);
      mean.sensitive_paths += weight * log_count(sensitive_paths);
    }
  }
  return mean;
}

double changed_gates(const Passage<float>& now, const Passage<float>& before) {
  const auto half = static_cast<float>(now.network().options().gate().half());
  double changed = 0;
  double gates = 0;
  for (std::size_t b = 0; b < now.blocks().size(); ++b) {
    const net::Trace<float>& trace = now.blocks()[b];
    for (std::size_t l = 1; l + 1 < trace.layers.size(); ++l) {
      const math::Aligned<float>& here = trace.layers[l].gate;
      const math::Aligned<float>& there = before.blocks()[b].layers[l].gate;
      for (std::size_t i = 0; i < here.size(); i += static_cast<std::size_t>(trace.stride)) {
        for (std::size_t s = 0; s < static_cast<std::size_t>(trace.samples); ++s)
          changed += (here[i + s] > half) != (there[i + s] > half) ? 1 : 0;
        gates += static_cast<double>(trace.samples);
      }
    }
  }
  return changed / gates;
}

}  // namespace sluice::kernel
