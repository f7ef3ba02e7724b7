#include "sluice/learn/trainer.hpp"

#include <algorithm>
#include <utility>

namespace sluice::learn {

Trainer::Trainer(const task::Task& task, const net::TwoLayer<float>& network, const SgdOptions& options,
                 std::uint64_t seed, State start, math::Workers& workers)
    : options_(options),
      seed_(seed),
      plan_(options.batch),
      labels_{static_cast<float>(task.labels()[0]), static_cast<float>(task.labels()[1])},
      state_(std::move(start)),
      workers_(workers),
      block_workers_(static_cast<std::size_t>(workers.threads()), BlockWorker(task, network)),
      chunk_gradients_(static_cast<std::size_t>(plan_.chunks),
                       std::vector<float>(network.parameter_count())) {}

void Trainer::step() {
  const math::Address batch{
      .seed = seed_, .purpose = math::Purpose::training, .step = static_cast<std::uint64_t>(state_.step)};
  const float per_sample = 1.0F / static_cast<float>(options_.batch);

  workers_.run(plan_.chunks, [&](std::int64_t chunk, int thread) {
    BlockWorker& worker = block_workers_[static_cast<std::size_t>(thread)];
    std::vector<float>& gradient = chunk_gradients_[static_cast<std::size_t>(chunk)];
    std::fill(gradient.begin(), gradient.end(), 0.0F);
    for (std::int64_t i = plan_.first(chunk); i < plan_.last(chunk); ++i) {
      const Block& block = plan_.blocks[static_cast<std::size_t>(i)];
      worker.forward(batch, block, state_.parameters);
      worker.backward(labels_[static_cast<std::size_t>(block.which_class)], per_sample, gradient);
    }
  });

  for (std::size_t p = 0; p < state_.parameters.size(); ++p) {
    double gradient = 0;
    for (const std::vector<float>& part : chunk_gradients_) gradient += static_cast<double>(part[p]);
    state_.parameters[p] =
        static_cast<float>(static_cast<double>(state_.parameters[p]) - options_.rate * gradient);
  }
  ++state_.step;
}

}  // namespace sluice::learn
