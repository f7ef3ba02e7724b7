/// Loss and accuracy of a deep gated network on a fixed set.
#pragma once

#include <span>
#include <vector>

#include "sluice/learn/deep_pass.hpp"
#include "sluice/learn/evaluate.hpp"

namespace sluice::learn {

class DeepEvaluator {
 public:
  /// Batch 0 of `set` is the evaluation set; everything must outlive the evaluator.
  DeepEvaluator(const Batches& set, const net::DeepGated<float>& network, const OutputLoss& loss,
                std::uint64_t gate_seed, math::Workers& workers);

  /// Mean loss and share of right samples; excess_kurtosis is left at 0.
  Evaluation evaluate(std::span<const float> parameters);

 private:
  struct Sums {
    double loss = 0;
    double right = 0;
  };

  const net::DeepGated<float>& network_;
  const OutputLoss& loss_;
  math::Workers& workers_;
  DeepPass pass_;
  std::vector<Sums> part_sums_;
  std::vector<float> matrix_storage_;
};

}  // namespace sluice::learn
