#include "sluice/learn/deep_trainer.hpp"

#include <algorithm>
#include <utility>

#include "sluice/math/assert.hpp"
#include "sluice/math/kernels.hpp"

namespace sluice::learn {

DeepTrainer::DeepTrainer(const Batches& batches, const net::DeepGated<float>& network, const OutputLoss& loss,
                         const TrainingOptions& options, std::uint64_t gate_seed, State start,
                         math::Workers& workers)
    : options_(options),
      optimizer_(optimizer(options.kind)),
      network_(network),
      workers_(workers),
      pass_(batches, network, loss, gate_seed, workers, true),
      state_(std::move(start)) {
  SLUICE_ASSERT(state_.parameters.size() == network.parameter_count());
  const std::size_t memory = state_.parameters.size() * static_cast<std::size_t>(optimizer_.memories);
  SLUICE_ASSERT(state_.memory.empty() || state_.memory.size() == memory);
  state_.memory.resize(memory);
  const net::DeepOptions& what = network.options();
  constexpr std::int64_t kTileRows = 32;
  std::size_t largest = 0;
  const auto add_tiles = [&](std::int64_t layer, bool gating) {
    const std::int64_t units = network.width(layer);
    const std::int64_t rows =
        what.circular() ? units : kTileRows;  // a kernel's gradient needs the whole layer
    for (std::int64_t row = 0; row < units; row += rows)
      tiles_.push_back({layer, gating, row, std::min(row + rows, units)});
    largest = std::max(largest, static_cast<std::size_t>(std::min(rows, units) *
                                                         math::whole_vectors(network.width(layer - 1))));
  };
  for (std::int64_t l = 1; l <= network.depth(); ++l) {
    if (what.trains_weights() && network.weights(l).size() > 0) add_tiles(l, false);
    if (what.gated_by_network() && what.trains_gates() && l < network.depth()) add_tiles(l, true);
  }
  gradients_.assign(static_cast<std::size_t>(workers.threads()), math::Aligned<float>(largest));
  folded_.assign(static_cast<std::size_t>(workers.threads()),
                 std::vector<float>(static_cast<std::size_t>(what.kernel)));
  const auto layers = static_cast<std::size_t>(network.depth());
  inputs_.assign(static_cast<std::size_t>(pass_.parts()), std::vector<math::Aligned<float>>(layers));
  gate_inputs_ = inputs_;
  for (std::size_t part = 0; part < inputs_.size(); ++part) {
    for (std::size_t l = 0; l < layers; ++l) {
      const auto size = static_cast<std::size_t>(
          DeepPass::kRows * math::whole_vectors(network.width(static_cast<std::int64_t>(l))));
      if (what.trains_weights() || l == 0) inputs_[part][l].resize(size);
      if (what.gated_by_network() && what.trains_gates() && l > 0) gate_inputs_[part][l].resize(size);
    }
  }
}

void DeepTrainer::move() {
  moving_ = options_.at(state_.step);
  const std::span<const float> matrices = network_.matrices(state_.parameters, matrix_storage_);
  const double scale = 1.0 / static_cast<double>(pass_.rows());
  workers_.run(pass_.parts(), [&](std::int64_t part, int thread) {
    pass_.forward(static_cast<std::uint64_t>(state_.step), part, thread, matrices);
    pass_.backward(part, thread, scale, matrices);
    net::Trace<float>& trace = pass_.trace(part, thread);
    for (std::size_t l = 0; l < inputs_[static_cast<std::size_t>(part)].size(); ++l) {
      net::LayerTrace<float>& layer = trace.layers[l];
      const std::int64_t units = network_.width(static_cast<std::int64_t>(l));
      const auto turn = [&](math::Aligned<float>& from, math::Aligned<float>& to) {
        if (!to.empty())
          math::transpose(math::Lanes{from.data(), units, trace.samples, trace.stride}, to.data(),
                          math::whole_vectors(units));
      };
      turn(layer.z, inputs_[static_cast<std::size_t>(part)][l]);
      turn(layer.gate_z, gate_inputs_[static_cast<std::size_t>(part)][l]);
      // A unit that gates itself learns by both ways at once.
      if (network_.options().own_gates()) {
        for (std::size_t i = 0; i < layer.eta.size(); ++i) layer.delta[i] += layer.eta[i];
      }
    }
  });
  workers_.run(static_cast<std::int64_t>(tiles_.size()), [&](std::int64_t tile, int thread) {
    descend(tiles_[static_cast<std::size_t>(tile)], thread);
  });
  ++state_.step;
}

void DeepTrainer::descend(const Rows& rows, int thread) {
  math::Aligned<float>& gradient = gradients_[static_cast<std::size_t>(thread)];
  const std::int64_t columns = network_.width(rows.layer - 1);
  const std::int64_t stride = math::whole_vectors(columns);
  const auto layer = static_cast<std::size_t>(rows.layer);
  for (std::int64_t part = 0; part < pass_.parts(); ++part) {
    const net::Trace<float>& trace = pass_.trace(part, thread);
    const math::Aligned<float>& slopes = rows.gating ? trace.layers[layer].eta : trace.layers[layer].delta;
    const auto& turned = rows.gating && rows.layer > 1 ? gate_inputs_ : inputs_;
    math::multiply(math::Product<float>{.m = rows.last - rows.first,
                                        .n = stride,
                                        .k = trace.samples,
                                        .a = slopes.data() + rows.first * trace.stride,
                                        .a_stride = trace.stride,
                                        .b = turned[static_cast<std::size_t>(part)][layer - 1].data(),
                                        .b_stride = stride,
                                        .c = gradient.data(),
                                        .c_stride = stride,
                                        .add = part > 0});
  }
  const net::MatrixPlace& place =
      rows.gating ? network_.gate_weights(rows.layer) : network_.weights(rows.layer);
  const auto move = [&](std::size_t first, std::int64_t count, const float* slopes) {
    Stretch stretch =
        optimizer_.stretch(state_.parameters, state_.memory, first, static_cast<std::size_t>(count));
    stretch.gradient = slopes;
    optimizer_.move(moving_, state_.step + 1 - state_.memory_from, stretch);
  };
  if (network_.options().circular()) {
    std::vector<float>& kernel = folded_[static_cast<std::size_t>(thread)];
    network_.fold(gradient, stride, kernel);
    move(place.offset, place.columns, kernel.data());
    return;
  }
  for (std::int64_t row = rows.first; row < rows.last; ++row)
    move(place.offset + static_cast<std::size_t>(row * columns), columns,
         gradient.data() + (row - rows.first) * stride);
}

}  // namespace sluice::learn
