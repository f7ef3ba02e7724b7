#include "sluice/kernel/gate_gradients.hpp"

#include <numeric>
#include <stdexcept>

namespace sluice::kernel {
namespace {

/// An entry of a layer's array, [units, stride] with samples as lanes.
struct Place {
  std::size_t block, lane;
  Place(std::size_t sample)
      : block(sample / static_cast<std::size_t>(Passage<double>::kBlock)),
        lane(sample % static_cast<std::size_t>(Passage<double>::kBlock)) {}
  std::size_t at(const net::Trace<double>& trace, std::size_t unit) const {
    return unit * static_cast<std::size_t>(trace.stride) + lane;
  }
};

std::size_t width(const net::DeepGated<double>& network, std::size_t layer) {
  return static_cast<std::size_t>(network.width(static_cast<std::int64_t>(layer)));
}

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace

double gate_of(const Passage<double>& passage, std::size_t sample, std::size_t layer, std::size_t unit) {
  const Place place(sample);
  const net::Trace<double>& trace = passage.blocks()[place.block];
  return trace.layers[layer].gate[place.at(trace, unit)];
}

GateGradients::GateGradients(const Passage<double>& passage, std::span<const double> parameters) {
  const net::DeepGated<double>& network = passage.network();
  if (!network.options().gated_by_network() || !network.options().dense())
    throw std::invalid_argument("gradients of gates are those of a dense gating network");
  const auto depth = static_cast<std::size_t>(network.depth());
  first_gate_.assign(1, 0);
  for (std::size_t l = 1; l < depth; ++l) first_gate_.push_back(first_gate_.back() + width(network, l));
  const std::size_t begin = network.gate_weights(1).offset;  // Θ^g is the tail of the parameters
  weights_ = network.parameter_count() - begin;
  const auto samples = static_cast<std::size_t>(passage.samples());
  slopes_.assign(samples * first_gate_.back() * weights_, 0.0);

  for (std::size_t s = 0; s < samples; ++s) {
    const Place place(s);
    const net::Trace<double>& trace = passage.blocks()[place.block];
    std::vector<std::vector<double>> below;  // ∂z^g of the layer before; the input does not move
    for (std::size_t l = 1; l < depth; ++l) {
      const net::LayerTrace<double>& here = trace.layers[l];
      const math::Aligned<double>& in = l == 1 ? trace.layers[0].z : trace.layers[l - 1].gate_z;
      const net::MatrixPlace& matrix = network.gate_weights(static_cast<std::int64_t>(l));
      const auto columns = static_cast<std::size_t>(matrix.columns);
      std::vector<std::vector<double>> moved(width(network, l), std::vector<double>(weights_));
      for (std::size_t i = 0; i < moved.size(); ++i) {
        std::vector<double>& slope = moved[i];  // ∂q^g, then ∂z^g
        for (std::size_t j = 0; j < columns; ++j) {
          const std::size_t theta = matrix.offset + i * columns + j;
          slope[theta - begin] = in[place.at(trace, j)];
          if (l == 1) continue;
          for (std::size_t m = 0; m < matrix.offset - begin; ++m) slope[m] += parameters[theta] * below[j][m];
        }
        const double open = here.gate[place.at(trace, i)];
        const double steep = here.slope.empty() ? 0 : here.slope[place.at(trace, i)];
        const double through = open + here.gate_q[place.at(trace, i)] * steep;
        double* out = slopes_.data() + (s * first_gate_.back() + first_gate_[l - 1] + i) * weights_;
        for (std::size_t m = 0; m < weights_; ++m) {
          out[m] = steep * slope[m];
          slope[m] *= through;
        }
      }
      below = std::move(moved);
    }
  }
}

std::span<const double> GateGradients::of(std::size_t sample, std::size_t layer, std::size_t unit) const {
  const std::size_t row = sample * first_gate_.back() + first_gate_[layer - 1] + unit;
  return std::span(slopes_).subspan(row * weights_, weights_);
}

double gate_adaptation(const Passage<double>& passage, const GateGradients& gradients, std::size_t s,
                       std::size_t t) {
  const net::DeepGated<double>& network = passage.network();
  const auto gated = static_cast<std::size_t>(network.depth()) - 1;
  std::vector<double> overlap(gated);  // τ
  std::vector<double> alike(gated);    // Σ_i ⟨∂G_s, ∂G_t⟩
  // Σ_i G_t ∂G_s and Σ_j G_s ∂G_t of every layer
  std::vector<std::vector<double>> first(gated, std::vector<double>(gradients.weights()));
  std::vector<std::vector<double>> second = first;
  for (std::size_t l = 0; l < gated; ++l) {
    for (std::size_t i = 0; i < width(network, l + 1); ++i) {
      const double open_s = gate_of(passage, s, l + 1, i);
      const double open_t = gate_of(passage, t, l + 1, i);
      const std::span<const double> slope_s = gradients.of(s, l + 1, i);
      const std::span<const double> slope_t = gradients.of(t, l + 1, i);
      overlap[l] += open_s * open_t;
      alike[l] += dot(slope_s, slope_t);
      for (std::size_t m = 0; m < gradients.weights(); ++m) {
        first[l][m] += open_t * slope_s[m];
        second[l][m] += open_s * slope_t[m];
      }
    }
  }
  double sum = 0;
  for (std::size_t l = 0; l < gated; ++l) {
    for (std::size_t k = 0; k < gated; ++k) {
      double others = 1;
      for (std::size_t m = 0; m < gated; ++m) others *= m == l || m == k ? 1 : overlap[m];
      sum += others * (l == k ? alike[l] : dot(first[l], second[k]));
    }
  }
  return sum;
}

}  // namespace sluice::kernel
