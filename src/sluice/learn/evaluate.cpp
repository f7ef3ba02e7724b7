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

Evaluator::Evaluator(const Batches& set, const net::TwoLayer<float>& network, const Loss& loss,
                     double midpoint, math::Workers& workers)
    : samples_(set.rows()),
      plan_(set.rows(), set.rows_of_first_class()),
      midpoint_(midpoint),
      loss_(loss),
      workers_(workers),
      chunk_sums_(static_cast<std::size_t>(plan_.chunks)) {
  for (int thread = 0; thread < workers.threads(); ++thread) block_workers_.emplace_back(set, network, loss);
}

Evaluation Evaluator::evaluate(std::span<const float> parameters) {
  const double boundary = loss_.logit ? 0.0 : midpoint_;

  workers_.run(plan_.chunks, [&](std::int64_t chunk, int thread) {
    BlockWorker& worker = block_workers_[static_cast<std::size_t>(thread)];
    Sums sums;
    for (std::int64_t i = plan_.first(chunk); i < plan_.last(chunk); ++i) {
      const Block& block = plan_.blocks[static_cast<std::size_t>(i)];
      worker.forward(0, block, parameters);
      const std::span<const float> outputs = worker.outputs();
      const std::span<const float> labels = worker.labels();
      for (std::size_t r = 0; r < outputs.size(); ++r) {
        sums.loss += loss_.value(outputs[r], labels[r]);
        sums.right += (outputs[r] > boundary) == (labels[r] > midpoint_) ? 1 : 0;
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
  // Where classes are not told apart, all samples stand under the first.
  const double kurtosis = excess_kurtosis(total.powers[0]);
  const bool both = total.powers[1][0] > 0;
  const auto count = static_cast<double>(samples_);
  return {.loss = total.loss / count,
          .accuracy = total.right / count,
          .excess_kurtosis = both ? (kurtosis + excess_kurtosis(total.powers[1])) / 2 : kurtosis};
}

}  // namespace sluice::learn
