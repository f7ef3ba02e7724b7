#include "sluice/flow/sampled_landscape.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "sluice/math/assert.hpp"
#include "sluice/math/kernels.hpp"

namespace sluice::flow {

SampledLandscape::SampledLandscape(const net::Network& network, const learn::OutputLoss& loss,
                                   KeptSamples samples, math::Workers& workers)
    : network_(network),
      loss_(loss),
      samples_(std::move(samples)),
      plan_(samples_.rows(), samples_.rows_of_first_class(), network.gradient_size()),
      workers_(workers),
      parameters_(network.parameter_count()) {
  const auto padded =
      static_cast<std::size_t>(math::whole_vectors(static_cast<std::int64_t>(network.gradient_size())));
  for (int thread = 0; thread < workers.threads(); ++thread) {
    block_workers_.emplace_back(samples_, network, loss_, 0);
    thread_gradients_.emplace_back(padded);
  }
  chunk_gradients_.resize(static_cast<std::size_t>(plan_.chunks), math::Aligned<double>(padded));
}

void SampledLandscape::use(std::span<const double> parameters) const {
  SLUICE_ASSERT(parameters.size() == size());
  std::ranges::transform(parameters, parameters_.begin(), [](double p) { return static_cast<float>(p); });
  for (learn::BlockWorker& worker : block_workers_) worker.use(parameters_);
}

void SampledLandscape::downhill(std::span<const double> parameters, std::span<double> out) const {
  const std::lock_guard lock(turn_);
  use(parameters);
  workers_.run(plan_.chunks, [&](std::int64_t chunk, int thread) {
    learn::BlockWorker& worker = block_workers_[static_cast<std::size_t>(thread)];
    math::Aligned<float>& gradient = thread_gradients_[static_cast<std::size_t>(thread)];
    math::Aligned<double>& sums = chunk_gradients_[static_cast<std::size_t>(chunk)];
    std::ranges::fill(gradient, 0.0F);
    std::ranges::fill(sums, 0.0);
    constexpr std::int64_t kTogether = 8;
    for (std::int64_t i = plan_.first(chunk); i < plan_.last(chunk); ++i) {
      const learn::Block& block = plan_.blocks[static_cast<std::size_t>(i)];
      worker.forward(0, block);
      worker.backward(samples_.weights(block.first_row, block.rows), gradient);
      if ((i + 1 - plan_.first(chunk)) % kTogether != 0 && i + 1 != plan_.last(chunk)) continue;
      math::accumulate(gradient, sums);
      std::ranges::fill(gradient, 0.0F);
    }
  });
  std::ranges::fill(out, 0.0);
  for (const net::Stretch& stretch : network_.trained()) {
    for (const math::Aligned<double>& sums : chunk_gradients_) {
      for (std::size_t i = 0; i < stretch.count; ++i)
        out[stretch.parameter + i] -= sums[stretch.gradient + i];
    }
  }
}

double SampledLandscape::loss(std::span<const double> parameters) const {
  const std::lock_guard lock(turn_);
  use(parameters);
  std::vector<double> chunk_losses(static_cast<std::size_t>(plan_.chunks));
  workers_.run(plan_.chunks, [&](std::int64_t chunk, int thread) {
    learn::BlockWorker& worker = block_workers_[static_cast<std::size_t>(thread)];
    double sum = 0;
    for (std::int64_t i = plan_.first(chunk); i < plan_.last(chunk); ++i) {
      const learn::Block& block = plan_.blocks[static_cast<std::size_t>(i)];
      worker.forward(0, block);
      const std::span<const double> weights = samples_.weights(block.first_row, block.rows);
      for (std::size_t r = 0; r < weights.size(); ++r)
        sum +=
            weights[r] * loss_.value(worker.outputs().data + r, worker.outputs().stride, worker.labels()[r]);
    }
    chunk_losses[static_cast<std::size_t>(chunk)] = sum;
  });
  return std::accumulate(chunk_losses.begin(), chunk_losses.end(), 0.0);
}

}  // namespace sluice::flow
