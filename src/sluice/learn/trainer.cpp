#include "sluice/learn/trainer.hpp"

#include <algorithm>
#include <utility>

#include "sluice/math/kernels.hpp"

namespace sluice::learn {

Trainer::Trainer(const Batches& batches, const net::TwoLayer<float>& network, const TrainingOptions& options,
                 State start, math::Workers& workers)
    : options_(options),
      optimizer_(optimizer(options.kind)),
      network_(network),
      plan_(batches.rows(), batches.rows_of_first_class(), network.gradient_size()),
      per_sample_(1.0 / static_cast<double>(batches.rows())),
      state_(std::move(start)),
      workers_(workers),
      chunk_gradients_(static_cast<std::size_t>(plan_.chunks), math::Aligned<float>(network.gradient_size())),
      gradient_(network.gradient_size()) {
  for (int thread = 0; thread < workers.threads(); ++thread)
    block_workers_.emplace_back(batches, network, loss(options.loss));
  // A fresh state remembers nothing; a restored one brings its memory.
  state_.memory.resize(state_.parameters.size() * static_cast<std::size_t>(optimizer_.memories));
}

void Trainer::step() {
  workers_.run(plan_.chunks, [&](std::int64_t chunk, int thread) {
    BlockWorker& worker = block_workers_[static_cast<std::size_t>(thread)];
    math::Aligned<float>& gradient = chunk_gradients_[static_cast<std::size_t>(chunk)];
    std::fill(gradient.begin(), gradient.end(), 0.0F);
    for (std::int64_t i = plan_.first(chunk); i < plan_.last(chunk); ++i) {
      const Block& block = plan_.blocks[static_cast<std::size_t>(i)];
      worker.forward(static_cast<std::uint64_t>(state_.step), block, state_.parameters);
      worker.backward(per_sample_, gradient);
    }
  });

  descend();
  ++state_.step;
}

/// The optimiser's step, chunks of the gradient added in order and in double. Parameters are independent of each other,
/// so they can be shared by the threads without touching the order of any sum: rows of units, and whole vectors of the
/// readout behind them.
void Trainer::descend() {
  const auto inputs = static_cast<std::size_t>(network_.inputs());
  const auto stride = static_cast<std::size_t>(network_.gradient_stride());
  const std::size_t count = state_.parameters.size();
  const auto move = [&](std::size_t first, std::size_t size, const double* gradient) {
    Stretch stretch = optimizer_.stretch(state_.parameters, state_.memory, first, size);
    stretch.gradient64 = gradient;
    optimizer_.move(options_.optimizer, state_.step + 1, stretch);
  };
  const auto add_chunks = [&](std::size_t from, std::size_t to) {
    const auto sums = std::span(gradient_).subspan(from, to - from);
    std::fill(sums.begin(), sums.end(), 0.0);
    for (const math::Aligned<float>& part : chunk_gradients_) {
      math::accumulate(std::span(part).subspan(from, sums.size()), sums);
    }
  };
  constexpr std::int64_t kMostGroups = 8;
  const std::int64_t units = network_.units();
  const std::int64_t groups = std::min(kMostGroups, units);
  workers_.run(groups, [&](std::int64_t group, int) {
    const auto first = static_cast<std::size_t>(group * units / groups);
    const auto last = static_cast<std::size_t>((group + 1) * units / groups);
    add_chunks(first * stride, last * stride);
    for (std::size_t k = first; k < last; ++k) {
      const double* row = gradient_.data() + k * stride;
      move(k * inputs, inputs, row);
      if (network_.learns_bias()) move(static_cast<std::size_t>(units) * inputs + k, 1, row + inputs);
    }
    if (network_.learns_readout()) {
      const std::size_t behind = network_.unit_gradient_size();
      const std::size_t parameter = static_cast<std::size_t>(units) * (inputs + 1);
      const auto vectors = static_cast<std::int64_t>(gradient_.size() - behind) / math::kWidestVector;
      const auto from = static_cast<std::size_t>(group * vectors / groups * math::kWidestVector);
      const auto to = static_cast<std::size_t>((group + 1) * vectors / groups * math::kWidestVector);
      add_chunks(behind + from, behind + to);
      const std::size_t end = std::min(to, count - parameter);
      if (from < end) move(parameter + from, end - from, gradient_.data() + behind + from);
    }
  });
}

}  // namespace sluice::learn
