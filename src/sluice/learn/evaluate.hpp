/// Loss and accuracy on a fixed evaluation set: the same samples at every probe time, never stored.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sluice/learn/block_worker.hpp"
#include "sluice/math/workers.hpp"

namespace sluice::learn {

struct Evaluation {
  double loss = 0;      ///< mean over the set
  double accuracy = 0;  ///< share of samples on their label's side of the midpoint (of 0 for a logit)
  double excess_kurtosis =
      0;  ///< of the inputs, all sites pooled, about their mean; the mean over the classes
};

class Evaluator {
 public:
  /// Batch 0 of `set` is the evaluation set. `midpoint` separates the labels of the two classes.
  Evaluator(const Batches& set, const net::TwoLayer<float>& network, const Loss& loss, double midpoint,
            math::Workers& workers);

  Evaluation evaluate(std::span<const float> parameters);

 private:
  struct Sums {
    double loss = 0;
    double right = 0;
    std::array<std::array<double, 5>, 2> powers{};  ///< [class][p]: Σ x^p
  };

  std::int64_t samples_;
  BlockPlan plan_;
  double midpoint_;
  const Loss& loss_;
  math::Workers& workers_;
  std::vector<BlockWorker> block_workers_;
  std::vector<Sums> chunk_sums_;
};

}  // namespace sluice::learn
