/// Loss and accuracy on a fixed set: the same samples at every probe time, never stored.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sluice/learn/block_worker.hpp"
#include "sluice/learn/evaluation.hpp"
#include "sluice/math/workers.hpp"

namespace sluice::learn {

/// A network held against the best outputs that never change, sample by sample.
struct Resolution {
  double constant_loss = 0;   ///< theirs
  double constant_share = 0;  ///< the largest accuracy of such outputs: chance
  double loss_gain = 0;       ///< by how much the mean loss of the network is smaller
  double loss_error = 0;      ///< standard error of that, from the differences on the same samples
  double accuracy_gain = 0;   ///< by how much its accuracy is larger
  double accuracy_error = 0;  ///< standard error of that, likewise
};

Resolution resolution_of(const std::vector<Judged>& samples, const OutputLoss& loss);

class Evaluator {
 public:
  /// Batch 0 of `set` is the evaluation set. Everything must outlive the evaluator.
  Evaluator(const Batches& set, const net::Network& network, const OutputLoss& loss, std::uint64_t seed,
            math::Workers& workers);

  Evaluation evaluate(std::span<const float> parameters);
  std::vector<Judged> judge(std::span<const float> parameters);

 private:
  struct Sums {
    double loss = 0;
    double right = 0;
    std::vector<Judged> samples = {};  ///< where they are asked for
  };
  Sums sums(std::span<const float> parameters, bool samples_too);

  std::int64_t samples_;
  BlockPlan plan_;
  OutputLoss loss_;
  math::Workers& workers_;
  std::vector<BlockWorker> block_workers_;
  std::vector<Sums> chunk_sums_;
};

}  // namespace sluice::learn
