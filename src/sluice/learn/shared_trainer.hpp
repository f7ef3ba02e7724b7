/// Many networks trained on one stream of samples: common random numbers. A batch is drawn once for all of them; each moves as learn/trainer.hpp
/// would move it alone, to the same bits, with its own start and its own optimiser.
///
/// One thread owns all members; an ensemble of more threads has more of these.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sluice/learn/evaluate.hpp"
#include "sluice/learn/joint_worker.hpp"
#include "sluice/learn/optimizer.hpp"
#include "sluice/learn/options.hpp"
#include "sluice/learn/state.hpp"

namespace sluice::learn {

class SharedTrainer {
 public:
  struct Member {
    Companion of;
    TrainingOptions options;
    State start;
  };

  /// Batches and networks must outlive the trainer. All members are at the same step; gradients have one size.
  SharedTrainer(const Batches& batches, const OutputLoss& loss, std::vector<Member> members);

  std::size_t size() const { return members_.size(); }
  const State& state(std::size_t member) const { return members_[member].state; }
  double rate(std::size_t member) const;

  /// One step of every member.
  void move();

 private:
  struct Moving {
    TrainingOptions options;
    const Optimizer& optimizer;
    std::vector<net::Stretch> stretches;
    State state;
  };
  void descend(Moving& member, const double* gradient) const;

  std::size_t row_;  // of a gradient, in whole vectors
  BlockPlan plan_;
  double per_sample_;  // 1/B
  std::vector<Moving> members_;
  std::vector<std::span<const float>> parameters_;
  JointWorker worker_;
  math::Aligned<float> chunk_;      // [E, row]
  math::Aligned<double> gradient_;  // [E, row]
};

/// Loss and accuracy of many networks on one set, as learn/evaluate.hpp finds them for each alone.
class SharedEvaluator {
 public:
  SharedEvaluator(const Batches& set, std::span<const Companion> members, const OutputLoss& loss);

  std::vector<Evaluation> evaluate(std::span<const std::span<const float>> parameters);

 private:
  double samples_;
  BlockPlan plan_;
  OutputLoss loss_;
  std::size_t members_;
  JointWorker worker_;
};

}  // namespace sluice::learn
