/// Loss and accuracy on a fixed set: the same samples at every probe time, never stored.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sluice/learn/block_worker.hpp"
#include "sluice/math/workers.hpp"

namespace sluice::learn {

struct Evaluation {
  double loss = 0;  ///< mean over the set
  double accuracy =
      0;  ///< share of samples on their label's side of the boundary, or whose class has the largest output
};

/// What there is to know of a set by which a loss and an accuracy are judged.
struct Resolution {
  double loss_error = 0;      ///< standard error of the mean loss
  double constant_loss = 0;   ///< that of the best outputs that never change
  double constant_share = 0;  ///< the largest accuracy of such outputs: chance
  double accuracy_error = 0;  ///< standard error of that
};

class Evaluator {
 public:
  /// Batch 0 of `set` is the evaluation set. Everything must outlive the evaluator.
  Evaluator(const Batches& set, const net::Network& network, const OutputLoss& loss, std::uint64_t seed,
            math::Workers& workers);

  Evaluation evaluate(std::span<const float> parameters);
  Resolution resolution(std::span<const float> parameters);

 private:
  struct Sums {
    double loss = 0;
    double squares = 0;
    double right = 0;
    std::vector<float> labels = {};  ///< where they are asked for
  };
  Sums sums(std::span<const float> parameters, bool labels_too);

  std::int64_t samples_;
  BlockPlan plan_;
  OutputLoss loss_;
  math::Workers& workers_;
  std::vector<BlockWorker> block_workers_;
  std::vector<Sums> chunk_sums_;
};

}  // namespace sluice::learn
