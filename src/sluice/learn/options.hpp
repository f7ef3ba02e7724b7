/// The [dynamics] section: which optimiser moves the weights, on which loss, with how many samples.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sluice/learn/optimizer.hpp"
#include "sluice/learn/schedule.hpp"
#include "sluice/spec/keys.hpp"

namespace sluice::learn {

constexpr std::int64_t kFullBatch = 0;

struct TrainingOptions {
  std::string kind = "sgd";
  std::string loss = "half-squared";
  OptimizerOptions optimizer;
  std::int64_t batch = 1000;  // samples per step; kFullBatch: every sample of a dataset
  std::int64_t epochs = 0;    // passes over a finite set, in place of steps; 0: as steps says
  std::int64_t steps = 5000;
  std::int64_t patience = 0;  // probe times without a higher accuracy after which training ends; 0: never
  ScheduleOptions schedule;
  std::string precision = "strict";  // or "fast", which a device alone can be

  bool fast() const { return precision == "fast"; }

  /// All keys but the kind, which must be an optimiser's.
  void describe_optimizer(spec::Keys& keys);
  void describe_batch(spec::Keys& keys, std::string_view meaning);
  void describe_precision(spec::Keys& keys);

  /// What step s, counted from 0, moves by: the rate on its schedule.
  OptimizerOptions at(std::int64_t step) const;
};

}  // namespace sluice::learn
