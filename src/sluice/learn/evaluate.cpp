#include "sluice/learn/evaluate.hpp"

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

Evaluation Evaluator::evaluate(std::span<const float> parameters) {
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
        sums.loss += loss_.value(output, outputs.stride, labels[r]);
        sums.right += loss_.right(output, outputs.stride, labels[r]) ? 1 : 0;
      }
    }
    chunk_sums_[static_cast<std::size_t>(chunk)] = sums;
  });

  Sums total;
  for (const Sums& sums : chunk_sums_) {
    total.loss += sums.loss;
    total.right += sums.right;
  }
  const auto count = static_cast<double>(samples_);
  return {.loss = total.loss / count, .accuracy = total.right / count};
}

}  // namespace sluice::learn
