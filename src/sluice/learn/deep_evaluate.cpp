#include "sluice/learn/deep_evaluate.hpp"

namespace sluice::learn {

DeepEvaluator::DeepEvaluator(const Batches& set, const net::DeepGated<float>& network, const OutputLoss& loss,
                             std::uint64_t gate_seed, math::Workers& workers)
    : network_(network),
      loss_(loss),
      workers_(workers),
      pass_(set, network, loss, gate_seed, workers, false),
      part_sums_(static_cast<std::size_t>(pass_.parts())) {}

Evaluation DeepEvaluator::evaluate(std::span<const float> parameters) {
  const std::span<const float> matrices = network_.matrices(parameters, matrix_storage_);
  workers_.run(pass_.parts(), [&](std::int64_t part, int thread) {
    pass_.forward(0, part, thread, matrices);
    const net::Trace<float>& trace = pass_.trace(part, thread);
    Sums& sums = part_sums_[static_cast<std::size_t>(part)] = {};
    for (std::int64_t s = 0; s < trace.samples; ++s) {
      const float* outputs = trace.layers.back().q.data() + s;
      const double label = pass_.labels(thread)[static_cast<std::size_t>(s)];
      sums.loss += loss_.value(outputs, trace.stride, label);
      sums.right += loss_.right(outputs, trace.stride, label) ? 1 : 0;
    }
  });
  Evaluation seen;
  for (const Sums& sums : part_sums_) {
    seen.loss += sums.loss / static_cast<double>(pass_.rows());
    seen.accuracy += sums.right / static_cast<double>(pass_.rows());
  }
  return seen;
}

}  // namespace sluice::learn
