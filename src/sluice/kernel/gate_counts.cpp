#include "sluice/kernel/gate_counts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

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

/// Rows with whole vectors: columns are lanes of a layer's maps.
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
  Sensitivity(const net::DeepGated<float>& network, std::span<const float> parameters)
      : network_(network), parameters_(parameters), own_(network.options().own_gates()) {}

  std::vector<std::vector<float>> of(const net::Trace<float>& trace, std::int64_t sample) const {
    std::vector<std::vector<float>> sensitivity;
    std::vector<Jacobian> reach;               // ∂q^g_l/∂q^g_k for k = 1, …, l
    std::vector<std::vector<float>> entering;  // z^g_(k−1)
    std::vector<float> passing;                // ∂z^g_(l−1)/∂q^g_(l−1) = G + q^g G'
    for (std::int64_t l = 1; l < network_.depth(); ++l) {
      const net::LayerTrace<float>& before = trace.layers[static_cast<std::size_t>(l - 1)];
      const net::LayerTrace<float>& here = trace.layers[static_cast<std::size_t>(l)];
      entering.push_back(column(own_ || l == 1 ? before.z : before.gate_z, trace.stride, sample));
      if (l > 1) extend(reach, l, passing);
      reach.emplace_back(network_.width(l), network_.width(l));
      for (std::int64_t i = 0; i < network_.width(l); ++i)
        reach.back().row(i)[static_cast<std::size_t>(i)] = 1;

      const std::vector<float> gate = column(here.gate, trace.stride, sample);
      const std::vector<float> slope = column(here.slope, trace.stride, sample);
      const std::vector<float> q = column(own_ ? here.q : here.gate_q, trace.stride, sample);
      std::vector<float>& most = sensitivity.emplace_back(gate.size());
      for (std::size_t k = 0; k < reach.size(); ++k) {
        const std::vector<float> moved =
            largest_moves(static_cast<std::int64_t>(k) + 1, reach[k], entering[k]);
        for (std::size_t i = 0; i < gate.size(); ++i)
          most[i] = std::max(most[i], std::abs(slope[i]) * moved[i]);
      }
      passing.resize(gate.size());
      for (std::size_t i = 0; i < gate.size(); ++i) passing[i] = gate[i] + q[i] * slope[i];
    }
    return sensitivity;
  }

 private:
  /// ∂q_l/∂q_k = Θ^g_l Pool diag(passing) ∂q_(l−1)/∂q_k
  void extend(std::vector<Jacobian>& reach, std::int64_t l, const std::vector<float>& passing) const {
    const net::MatrixPlace& place = own_ ? network_.weights(l) : network_.gate_weights(l);
    for (Jacobian& jacobian : reach) {
      for (std::int64_t i = 0; i < jacobian.rows; ++i) {
        for (float& value : jacobian.row(i)) value *= passing[static_cast<std::size_t>(i)];
      }
      const auto pass = [&](const net::Layer<float>& map, const float* weights) {
        Jacobian next(map.units(), jacobian.columns);
        map.forward(weights, jacobian.values.data(), jacobian.stride, next.values.data());
        jacobian = std::move(next);
      };
      if (network_.pool(l - 1) != nullptr) pass(*network_.pool(l - 1), nullptr);
      pass(network_.layer(l), parameters_.data() + place.offset);
    }
  }

  /// max_m |∂q_l(i)/∂θ_k(m)| for every unit i of layer l.
  std::vector<float> largest_moves(std::int64_t k, Jacobian& reach, const std::vector<float>& z) const {
    const net::Layer<float>& layer = network_.layer(k);
    std::vector<float> most(static_cast<std::size_t>(reach.rows));
    if (!layer.shared()) {
      const float entering = largest(z);
      for (std::int64_t i = 0; i < reach.rows; ++i)
        most[static_cast<std::size_t>(i)] = largest(reach.row(i)) * entering;
      return most;
    }
    // Lanes are the units i: what they feel of layer k, and the same z for all of them.
    const std::int64_t lanes = math::whole_vectors(reach.rows);
    math::Aligned<float> felt(static_cast<std::size_t>(reach.columns * lanes));
    for (std::int64_t i = 0; i < reach.rows; ++i) {
      for (std::int64_t u = 0; u < reach.columns; ++u)
        felt[static_cast<std::size_t>(u * lanes + i)] = reach.row(i)[static_cast<std::size_t>(u)];
    }
    math::Aligned<float> same(z.size() * static_cast<std::size_t>(lanes));
    for (std::size_t j = 0; j < z.size(); ++j)
      std::fill_n(same.begin() + static_cast<std::ptrdiff_t>(j) * lanes, lanes, z[j]);
    math::Aligned<float> moves(static_cast<std::size_t>(layer.rows() * layer.columns() * lanes));
    layer.sample_gradients(same.data(), felt.data(), lanes, moves.data());
    for (std::size_t m = 0; m < moves.size(); m += static_cast<std::size_t>(lanes)) {
      for (std::size_t i = 0; i < most.size(); ++i) most[i] = std::max(most[i], std::abs(moves[m + i]));
    }
    return most;
  }

  const net::DeepGated<float>& network_;
  std::span<const float> parameters_;
  bool own_;
};

double total(const std::vector<float>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

/// Paths of one sample from the inputs to the output, through active gates alone and with one sensitive gate among them: products of the layers' counts where every
/// unit sees all units before it, else counted along the connections.
class PathCounts {
 public:
  explicit PathCounts(const net::DeepGated<float>& network)
      : network_(network),
        all_to_all_(!network.shares_weights()),
        all_active_(static_cast<double>(network.inputs())) {
    if (all_to_all_) return;
    active_ = ones(network.inputs());
    sensitive_.resize(active_.size());
  }

  /// Through layer l; `active` and `sensitive` hold 1 for the units that are.
  void pass(std::int64_t l, const std::vector<float>& active, const std::vector<float>& sensitive) {
    if (all_to_all_) {
      all_sensitive_ = all_sensitive_ * total(active) + all_active_ * total(sensitive);
      all_active_ *= total(active);
      return;
    }
    join(network_.layer(l));
    for (std::size_t i = 0; i < active.size(); ++i) {
      for (std::size_t s = i * kLane; s < (i + 1) * kLane; ++s) {
        sensitive_[s] = sensitive_[s] * active[i] + active_[s] * sensitive[i];
        active_[s] *= active[i];
      }
    }
    if (network_.pool(l) != nullptr) join(*network_.pool(l));
  }
  void end() {
    if (!all_to_all_) join(network_.layer(network_.depth()));
  }
  /// To one output.
  double active() const { return all_to_all_ ? all_active_ : static_cast<double>(active_[0]); }
  double sensitive() const { return all_to_all_ ? all_sensitive_ : static_cast<double>(sensitive_[0]); }

 private:
  static constexpr std::size_t kLane = math::kWidestVector;
  static math::Aligned<float> ones(std::int64_t units) {
    return math::Aligned<float>(static_cast<std::size_t>(units) * kLane, 1.0F);
  }
  void join(const net::Layer<float>& layer) {
    for (math::Aligned<float>* counts : {&active_, &sensitive_}) {
      next_.resize(static_cast<std::size_t>(layer.units()) * kLane);
      layer.join(counts->data(), math::kWidestVector, 0, next_.data());
      counts->swap(next_);
    }
  }

  const net::DeepGated<float>& network_;
  bool all_to_all_;
  double all_active_, all_sensitive_ = 0;
  math::Aligned<float> active_, sensitive_, next_;
};

double log_count(double count) { return count > 0 ? std::log10(count) : 0; }

/// 1 where a value lies above the threshold, else 0.
std::vector<float> above(std::vector<float> values, double threshold) {
  for (float& value : values) value = static_cast<double>(value) > threshold ? 1.0F : 0.0F;
  return values;
}

}  // namespace

GateCounts count_gates(const Passage<float>& passage, std::span<const float> parameters,
                       const GateThresholds& thresholds, bool slopes) {
  const net::DeepGated<float>& network = passage.network();
  const Sensitivity sensitivity(network, parameters);
  GateCounts mean;
  double gates = 0;
  for (std::int64_t l = 1; l < network.depth(); ++l) gates += static_cast<double>(network.width(l));
  const double weight = 1 / static_cast<double>(passage.samples());
  for (const net::Trace<float>& trace : passage.blocks()) {
    for (std::int64_t s = 0; s < trace.samples; ++s) {
      const auto moves =
          slopes && network.adapts_gates() ? sensitivity.of(trace, s) : std::vector<std::vector<float>>{};
      PathCounts paths(network);
      for (std::int64_t l = 1; l < network.depth(); ++l) {
        const std::vector<float> active =
            above(column(trace.layers[static_cast<std::size_t>(l)].gate, trace.stride, s), thresholds.active);
        const std::vector<float> sensitive =
            moves.empty() ? std::vector<float>(active.size())
                          : above(moves[static_cast<std::size_t>(l - 1)], thresholds.sensitive);
        paths.pass(l, active, sensitive);
        mean.active += weight * total(active) / gates;
        mean.sensitive += weight * total(sensitive) / gates;
      }
      paths.end();
      mean.active_paths += weight * log_count(paths.active());
      mean.sensitive_paths += weight * log_count(paths.sensitive());
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
