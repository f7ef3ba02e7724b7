#include "sluice/learn/evaluate.hpp"

#include <algorithm>
#include <cmath>

#include "sluice/math/assert.hpp"

namespace sluice::learn {

Evaluator::Evaluator(const Batches& set, const net::Network& network, const OutputLoss& loss,
                     std::uint64_t seed, math::Workers& workers)
    : samples_(set.rows()),
      plan_(set.rows(), set.rows_of_first_class()),
      loss_(loss),
      workers_(workers),
      chunk_sums_(static_cast<std::size_t>(plan_.chunks)) {
  SLUICE_ASSERT(samples_ > 0);
  for (int thread = 0; thread < workers.threads(); ++thread)
    block_workers_.emplace_back(set, network, loss, seed);
}

Evaluator::Sums Evaluator::sums(std::span<const float> parameters, bool labels_too) {
  for (BlockWorker& worker : block_workers_) worker.use(parameters);
  workers_.run(plan_.chunks, [&](std::int64_t chunk, int thread) {
    BlockWorker& worker = block_workers_[static_cast<std::size_t>(thread)];
    Sums sums;
    for (std::int64_t i = plan_.first(chunk); i < plan_.last(chunk); ++i) {
      worker.forward(0, plan_.blocks[static_cast<std::size_t>(i)]);
      const math::Lanes& outputs = worker.outputs();
      const std::span<const float> labels = worker.labels();
      if (labels_too) sums.labels.insert(sums.labels.end(), labels.begin(), labels.end());
      for (std::size_t r = 0; r < labels.size(); ++r) {
        const float* output = outputs.data + r;
        const double value = loss_.value(output, outputs.stride, labels[r]);
        sums.loss += value;
        sums.squares += value * value;
        sums.right += loss_.right(output, outputs.stride, labels[r]) ? 1 : 0;
      }
    }
    chunk_sums_[static_cast<std::size_t>(chunk)] = sums;
  });

  Sums total;
  for (const Sums& sums : chunk_sums_) {
    total.loss += sums.loss;
    total.squares += sums.squares;
    total.right += sums.right;
    total.labels.insert(total.labels.end(), sums.labels.begin(), sums.labels.end());
  }
  return total;
}

Evaluation Evaluator::evaluate(std::span<const float> parameters) {
  const Sums total = sums(parameters, false);
  const auto count = static_cast<double>(samples_);
  return {.loss = total.loss / count, .accuracy = total.right / count};
}

Resolution Evaluator::resolution(std::span<const float> parameters) {
  const Sums total = sums(parameters, true);
  const auto count = static_cast<double>(samples_);
  const double mean = total.loss / count;
  const std::vector<float> constant = loss_.best_constant(total.labels);
  Resolution resolution{.loss_error = std::sqrt(std::max(0.0, total.squares / count - mean * mean) / count)};
  double right = 0;
  for (const float label : total.labels) {
    resolution.constant_loss += loss_.value(constant.data(), 1, label) / count;
    right += loss_.right(constant.data(), 1, label) ? 1 : 0;
  }
  // On two sides an output that is always wrong is as good as one that is always right.
  const double share = right / count;
  resolution.constant_share = constant.size() == 1 ? std::max(share, 1 - share) : share;
  resolution.accuracy_error = std::sqrt(resolution.constant_share * (1 - resolution.constant_share) / count);
  return resolution;
}

}  // namespace sluice::learn
