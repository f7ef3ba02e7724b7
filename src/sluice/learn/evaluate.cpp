#include "sluice/learn/evaluate.hpp"

namespace sluice::learn {
namespace {

/// From Σ x^p, p = 0 … 4: E(x−m)⁴/(E(x−m)²)² − 3.
double excess_kurtosis(const std::array<double, 5>& powers) {
  const double m = powers[1] / powers[0];
  const double m2 = powers[2] / powers[0];
  const double m3 = powers[3] / powers[0];
  const double m4 = powers[4] / powers[0];
  const double variance = m2 - m * m;
  return (m4 - 4 * m * m3 + 6 * m * m * m2 - 3 * m * m * m * m) / (variance * variance) - 3;
}

}  // namespace

Evaluator::Evaluator(const task::Task& task, const net::TwoLayer<float>& network, const Loss& loss,
                     std::int64_t samples, std::uint64_t seed, math::Workers& workers)
    : seed_(seed),
      samples_(samples),
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
    Sums sums;
    for (std::int64_t i = plan_.first(chunk); i < plan_.last(chunk); ++i) {
      const Block& block = plan_.blocks[static_cast<std::size_t>(i)];
      const double label = labels_[static_cast<std::size_t>(block.which_class)];
      worker.forward(set, block, parameters);
      for (const float output : worker.outputs()) {
        sums.loss += loss_.value(output, label);
        sums.right += (output > boundary) == (label > midpoint) ? 1 : 0;
      }
      const math::Lanes& x = worker.samples();
      std::array<double, 5>& powers = sums.powers[static_cast<std::size_t>(block.which_class)];
      for (std::int64_t site = 0; site < x.sites; ++site) {
        for (std::int64_t r = 0; r < x.samples; ++r) {
          const double value = x.at(site, r);
          const double square = value * value;
          powers[0] += 1;
          powers[1] += value;
          powers[2] += square;
          powers[3] += square * value;
          powers[4] += square * square;
        }
      }
    }
    chunk_sums_[static_cast<std::size_t>(chunk)] = sums;
  });

  Sums total;
  for (const Sums& sums : chunk_sums_) {
    total.loss += sums.loss;
    total.right += sums.right;
    for (std::size_t c = 0; c < 2; ++c) {
      for (std::size_t p = 0; p < 5; ++p) total.powers[c][p] += sums.powers[c][p];
    }
  }
  const auto count = static_cast<double>(samples_);
  return {.loss = total.loss / count,
          .accuracy = total.right / count,
          .excess_kurtosis = (excess_kurtosis(total.powers[0]) + excess_kurtosis(total.powers[1])) / 2};
}

}  // namespace sluice::learn
