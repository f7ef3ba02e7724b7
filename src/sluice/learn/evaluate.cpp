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

Evaluator::Sums Evaluator::sums(std::span<const float> parameters, bool samples_too) {
  for (BlockWorker& worker : block_workers_) worker.use(parameters);
  workers_.run(plan_.chunks, [&](std::int64_t chunk, int thread) {
    BlockWorker& worker = block_workers_[static_cast<std::size_t>(thread)];
    Sums sums;
    for (std::int64_t i = plan_.first(chunk); i < plan_.last(chunk); ++i) {
      worker.forward(0, plan_.blocks[static_cast<std::size_t>(i)]);
      const math::Lanes& outputs = worker.outputs();
      const std::span<const float> labels = worker.labels();
      for (std::size_t r = 0; r < labels.size(); ++r) {
        const float* output = outputs.data + r;
        const double value = loss_.value(output, outputs.stride, labels[r]);
        const bool right = loss_.right(output, outputs.stride, labels[r]);
        sums.loss += value;
        sums.right += right ? 1 : 0;
        if (samples_too) sums.samples.push_back({labels[r], value, right});
      }
    }
    chunk_sums_[static_cast<std::size_t>(chunk)] = sums;
  });

  Sums total;
  for (const Sums& sums : chunk_sums_) {
    total.loss += sums.loss;
    total.right += sums.right;
    total.samples.insert(total.samples.end(), sums.samples.begin(), sums.samples.end());
  }
  return total;
}

Evaluation Evaluator::evaluate(std::span<const float> parameters) {
  const Sums total = sums(parameters, false);
  const auto count = static_cast<double>(samples_);
  return {.loss = total.loss / count, .accuracy = total.right / count};
}

std::vector<Judged> Evaluator::judge(std::span<const float> parameters) {
  return sums(parameters, true).samples;
}

Evaluation mean_of(const std::vector<Judged>& samples) {
  const auto count = static_cast<double>(samples.size());
  Evaluation mean;
  for (const Judged& sample : samples) {
    mean.loss += sample.loss / count;
    mean.accuracy += (sample.right ? 1 : 0) / count;
  }
  return mean;
}

Resolution resolution_of(const std::vector<Judged>& samples, const OutputLoss& loss) {
  const auto count = static_cast<double>(samples.size());
  std::vector<float> labels;
  for (const Judged& sample : samples) labels.push_back(sample.label);
  const std::vector<float> constant = loss.best_constant(labels);
  Resolution resolution;
  for (const float label : labels) {
    resolution.constant_loss += loss.value(constant.data(), 1, label) / count;
    resolution.constant_share += loss.right(constant.data(), 1, label) ? 1 / count : 0;
  }
  // On two sides an output that is always wrong is as good as one that is always right.
  const bool other_side = constant.size() == 1 && resolution.constant_share < 0.5;
  if (other_side) resolution.constant_share = 1 - resolution.constant_share;
  double loss_squares = 0, share_squares = 0;
  for (const Judged& sample : samples) {
    const double lower = loss.value(constant.data(), 1, sample.label) - sample.loss;
    const bool by_chance = loss.right(constant.data(), 1, sample.label) != other_side;
    const double more = (sample.right ? 1 : 0) - (by_chance ? 1 : 0);
    resolution.loss_gain += lower / count;
    resolution.accuracy_gain += more / count;
    loss_squares += lower * lower / count;
    share_squares += more * more / count;
  }
  const auto error = [&](double squares, double mean) {
    return std::sqrt(std::max(0.0, squares - mean * mean) / count);
  };
  resolution.loss_error = error(loss_squares, resolution.loss_gain);
  resolution.accuracy_error = error(share_squares, resolution.accuracy_gain);
  return resolution;
}

}  // namespace sluice::learn
