/// How a device trains: learn/optimizer.hpp and learn/loss.hpp, written down as numbers.
#pragma once

#include <cstdint>

namespace sluice::gpu {

struct TrainingPlan {
  enum class Rule { sgd, momentum, rmsprop, adam };
  enum class Loss { half_squared, l1, cross_entropy };
  std::int64_t batch = 0;
  bool drawn = false;  ///< samples are drawn for every step; else they are those of a set
  Rule rule = Rule::sgd;
  Loss loss = Loss::half_squared;
  double momentum = 0, decay = 0, epsilon = 0, weight_decay = 0;
  double midpoint = 0;  ///< separates the labels of two classes where there is one output

  int memories() const { return rule == Rule::sgd ? 0 : rule == Rule::adam ? 2 : 1; }
};

}  // namespace sluice::gpu
