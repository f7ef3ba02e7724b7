#include "sluice/learn/evaluate.hpp"

namespace sluice::learn {

Evaluator::Evaluator(const task::Task& task, const net::TwoLayer<float>& network, const Loss& loss,
                     std::int64_t samples, std::uint64_t seed, math::Workers& workers)
    : seed_(seed),
      samples_(samples),
      inputs_(task.inputs()),
      plan_(samples),
      labels_(task.labels()),
      loss_(loss),
      workers_(workers),
      chunk_sums_(static_cast<std::size_t>(plan_.chunks)) {
  for (int thread = 0; thread < workers.threads(); ++thread) block_workers_.emplace_back(task, network, loss);
}

Evaluation Evaluator::evaluate(std::span<const float> parameters) {
  const math::Address set{.seed = seed_, .purpose = math::Purpose::evaluation};
  const double midpoint = (labels_[0] + labels_[1]) / 2;
  const double boundary = loss_.logit ? 0.0 : midpoint;

  workers_.run(plan_.chunks, [&](std::int64_t chunk, int thread) {
    BlockWorker& worker = block_workers_[static_cast<std::size_t>(thread)];
    Sums sums{};
    for (std::int64_t i = plan_.first(chunk); i < plan_.last(chunk); ++i) {
      const Block& block = plan_.blocks[static_cast<std::size_t>(i)];
      const double label = labels_[static_cast<std::size_t>(block.which_class)];
      worker.forward(set, block, parameters);
      for (const float output : worker.outputs()) {
        sums.loss += loss_.value(output, label);
        sums.right += (output > boundary) == (label > midpoint) ? 1 : 0;
      }
      const math::Lanes& x = worker.samples();
      for (std::int64_t site = 0; site < x.sites; ++site) {
        for (std::int64_t r = 0; r < x.samples; ++r) {
          const double square = static_cast<double>(x.at(site, r)) * x.at(site, r);
          sums.second += square;
          sums.fourth += square * square;
        }
      }
    }
    chunk_sums_[static_cast<std::size_t>(chunk)] = sums;
  });

  Sums total{};
  for (const Sums& sums : chunk_sums_) {
    total.loss += sums.loss;
    total.right += sums.right;
    total.second += sums.second;
    total.fourth += sums.fourth;
  }
  const auto count = static_cast<double>(samples_);
  const double values = count * static_cast<double>(inputs_);
  const double variance = total.second / values;
  return {.loss = total.loss / count,
          .accuracy = total.right / count,
          .excess_kurtosis = total.fourth / values / (variance * variance) - 3};
}

}  // namespace sluice::learn
