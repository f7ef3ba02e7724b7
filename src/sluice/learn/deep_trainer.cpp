#include "sluice/learn/deep_trainer.hpp"

#include <algorithm>
#include <utility>

#include "sluice/math/assert.hpp"
#include "sluice/math/stopping.hpp"

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
  std::size_t largest = 0;
  const auto add_tiles = [&](std::int64_t l, bool gating) {
    for (const net::GradientTile& tile : network.layer(l).tiles()) {
      tiles_.push_back({l, gating, tile});
      largest = std::max(largest, tile.size());
    }
  };
  for (std::int64_t l = 1; l <= network.depth(); ++l) {
    if (what.trains_weights()) add_tiles(l, false);
    if (what.gated_by_network() && what.trains_gates() && l < network.depth()) add_tiles(l, true);
  }
  gradients_.assign(static_cast<std::size_t>(workers.threads()), math::Aligned<float>(largest));
  const auto layers = static_cast<std::size_t>(network.depth());
  inputs_.assign(static_cast<std::size_t>(pass_.parts()), std::vector<math::Aligned<float>>(layers));
  gate_inputs_ = inputs_;
  for (std::size_t part = 0; part < inputs_.size(); ++part) {
    for (std::size_t l = 0; l < layers; ++l) {
      const std::size_t size = network.layer(static_cast<std::int64_t>(l) + 1).rows_size(DeepPass::kRows);
      if (what.trains_weights() || l == 0) inputs_[part][l].resize(size);
      if (what.gated_by_network() && what.trains_gates() && l > 0 && l + 1 < layers)
        gate_inputs_[part][l].resize(size);
    }
  }
}

void DeepTrainer::move() {
  moving_ = options_.at(state_.step);
  const net::Prepared<float> prepared = network_.prepare(state_.parameters, turned_weights_);
  const double scale = 1.0 / static_cast<double>(pass_.rows());
  workers_.run(pass_.parts(), [&](std::int64_t part, int thread) {
    pass_.forward(static_cast<std::uint64_t>(state_.step), part, thread, prepared);
    pass_.backward(part, thread, scale, prepared);
    const net::Trace<float>& trace = pass_.trace(part, thread);
    for (std::size_t l = 0; l < inputs_[static_cast<std::size_t>(part)].size(); ++l) {
      const net::LayerTrace<float>& layer = trace.layers[l];
      const net::Layer<float>& above = network_.layer(static_cast<std::int64_t>(l) + 1);
      const auto turn = [&](const math::Aligned<float>& from, math::Aligned<float>& to) {
        if (!to.empty()) above.as_rows(from.data(), trace.samples, trace.stride, to.data());
      };
      turn(layer.z, inputs_[static_cast<std::size_t>(part)][l]);
      turn(layer.gate_z, gate_inputs_[static_cast<std::size_t>(part)][l]);
    }
  });
  const math::Unstoppable whole;
  workers_.run(static_cast<std::int64_t>(tiles_.size()), [&](std::int64_t tile, int thread) {
    descend(tiles_[static_cast<std::size_t>(tile)], thread);
  });
  ++state_.step;
}

void DeepTrainer::descend(const Tile& tile, int thread) {
  math::Aligned<float>& gradient = gradients_[static_cast<std::size_t>(thread)];
  const auto l = static_cast<std::size_t>(tile.layer);
  for (std::int64_t part = 0; part < pass_.parts(); ++part) {
    const net::Trace<float>& trace = pass_.trace(part, thread);
    const math::Aligned<float>& slopes = tile.gating ? trace.layers[l].eta : trace.layers[l].delta;
    const auto& z_rows =
        (tile.gating && l > 1 ? gate_inputs_ : inputs_)[static_cast<std::size_t>(part)][l - 1];
    network_.layer(tile.layer)
        .gradient(tile.weights, slopes.data(), z_rows.data(), trace.samples, trace.stride, gradient.data(),
                  part > 0);
  }
  const net::MatrixPlace& place =
      tile.gating ? network_.gate_weights(tile.layer) : network_.weights(tile.layer);
  const net::GradientTile& weights = tile.weights;
  for (std::int64_t row = weights.first_row; row < weights.last_row; ++row) {
    for (std::int64_t p = 0; p < weights.pieces; ++p) {
      const auto first = place.offset + static_cast<std::size_t>(row * place.columns + weights.first_column +
                                                                 p * weights.piece);
      Stretch stretch = optimizer_.stretch(state_.parameters, state_.memory, first,
                                           static_cast<std::size_t>(weights.piece));
      stretch.gradient = gradient.data() + weights.at(row, p);
      optimizer_.move(moving_, state_.step + 1 - state_.memory_from, stretch);
    }
  }
}

}  // namespace sluice::learn
