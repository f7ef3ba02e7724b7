/// Many networks trained on one stream of samples: common random numbers. A batch is drawn once for all of them; each moves as learn/trainer.hpp
/// would move it alone, to the same bits, with its own start and its own optimiser.
///
/// One thread owns all members; an ensemble of more threads has more of these.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sluice/learn/ensemble.hpp"
#include "sluice/learn/evaluate.hpp"
#include "sluice/learn/joint_worker.hpp"
#include "sluice/learn/optimizer.hpp"
#include "sluice/learn/options.hpp"
#include "sluice/learn/state.hpp"

namespace sluice::learn {

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

class SharedTrainer final : public Ensemble {
 public:
  /// All members are at the same step; batches, evaluation sets and losses are those of the first, gradients have one size.
  explicit SharedTrainer(std::vector<EnsembleMember> members);

  std::size_t size() const override { return members_.size(); }
  const State& state(std::size_t member) const override { return members_[member].state; }
  std::int64_t step() const override { return members_.front().state.step; }
  double rate(std::size_t member) const override;
  void move(std::int64_t steps) override;
  std::vector<Evaluation> evaluate() override;

 private:
  struct Moving {
    Companion of;
    TrainingOptions options;
    const Optimizer& optimizer;
    std::vector<net::Stretch> stretches;
    State state;
  };
  void move();
  void descend(Moving& member, const double* gradient) const;

  std::size_t row_;  // of a gradient, in whole vectors
  BlockPlan plan_;
  double per_sample_;  // 1/B
  const Batches& evaluation_;
  OutputLoss loss_;
  std::vector<Moving> members_;
  std::vector<std::span<const float>> parameters_;  // of all; they stay where they are
  JointWorker worker_;
  std::optional<SharedEvaluator> evaluator_;  // made when it is needed: its work space is large
  math::Aligned<float> chunk_;                // [E, row]
  math::Aligned<double> gradient_;            // [E, row]
};

}  // namespace sluice::learn
