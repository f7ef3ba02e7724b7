#include "sluice/learn/trainer.hpp"

#include <algorithm>
#include <utility>

#include "sluice/math/kernels.hpp"

namespace sluice::learn {

Trainer::Trainer(const task::Task& task, const net::TwoLayer<float>& network, const SgdOptions& options,
                 std::uint64_t seed, State start, math::Workers& workers)
    : options_(options),
      seed_(seed),
      network_(network),
      plan_(options.batch, network.gradient_size()),
      labels_{static_cast<float>(task.labels()[0]), static_cast<float>(task.labels()[1])},
      state_(std::move(start)),
      workers_(workers),
      chunk_gradients_(static_cast<std::size_t>(plan_.chunks), math::Aligned<float>(network.gradient_size())),
      gradient_(network.gradient_size()) {
  for (int thread = 0; thread < workers.threads(); ++thread) block_workers_.emplace_back(task, network);
}

void Trainer::step() {
  const math::Address batch{
      .seed = seed_, .purpose = math::Purpose::training, .step = static_cast<std::uint64_t>(state_.step)};
  const float per_sample = 1.0F / static_cast<float>(options_.batch);

  workers_.run(plan_.chunks, [&](std::int64_t chunk, int thread) {
    BlockWorker& worker = block_workers_[static_cast<std::size_t>(thread)];
    math::Aligned<float>& gradient = chunk_gradients_[static_cast<std::size_t>(chunk)];
    std::fill(gradient.begin(), gradient.end(), 0.0F);
    for (std::int64_t i = plan_.first(chunk); i < plan_.last(chunk); ++i) {
      const Block& block = plan_.blocks[static_cast<std::size_t>(i)];
      worker.forward(batch, block, state_.parameters);
      worker.backward(labels_[static_cast<std::size_t>(block.which_class)], per_sample, gradient);
    }
  });

  descend();
  ++state_.step;
}

/// θ ← θ − rate · gradient, chunks added in order and in double. Rows of units are independent of each other, so they
/// can be shared by the threads without touching the order of any sum.
void Trainer::descend() {
  const auto net = network_.view(std::span(state_.parameters));
  const auto inputs = static_cast<std::size_t>(network_.inputs());
  const auto stride = static_cast<std::size_t>(network_.gradient_stride());
  const auto move = [this](float& parameter, double gradient) {
    parameter = static_cast<float>(static_cast<double>(parameter) - options_.rate * gradient);
  };
  constexpr std::int64_t kMostGroups = 8;
  const std::int64_t units = network_.units();
  const std::int64_t groups = std::min(kMostGroups, units);
  workers_.run(groups, [&](std::int64_t group, int) {
    const auto first = static_cast<std::size_t>(group * units / groups);
    const auto last = static_cast<std::size_t>((group + 1) * units / groups);
    const auto sums = std::span(gradient_).subspan(first * stride, (last - first) * stride);
    std::fill(sums.begin(), sums.end(), 0.0);
    for (const math::Aligned<float>& part : chunk_gradients_) {
      math::accumulate(std::span(part).subspan(first * stride, sums.size()), sums);
    }
    for (std::size_t k = first; k < last; ++k) {
      const double* row = gradient_.data() + k * stride;
      for (std::size_t i = 0; i < inputs; ++i) move(net.weights[k * inputs + i], row[i]);
      if (network_.learns_bias()) move(net.bias[k], row[inputs]);
    }
  });
}

}  // namespace sluice::learn
