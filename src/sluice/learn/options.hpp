/// The [dynamics] section: which optimiser moves the weights, on which loss, with how many fresh samples.
#pragma once

#include <cstdint>
#include <string>

#include "sluice/learn/optimizer.hpp"
#include "sluice/spec/keys.hpp"

namespace sluice::learn {

struct TrainingOptions {
  std::string kind = "sgd";
  std::string loss = "half-squared";
  OptimizerOptions optimizer;
  std::int64_t batch = 1000;  // fresh samples per step, half from each class
  std::int64_t steps = 5000;

  void describe(spec::Keys& keys);
};

}  // namespace sluice::learn
