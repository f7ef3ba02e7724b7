/// task.kind = "points": P points with targets, drawn once: what deep gated networks are asked to memorise.
///   inputs = "ones"      x = (1, …, 1), all alike: only the gates can tell them apart                   ledger: P.E1
///   inputs = "uniform"   x ~ uniform on [−1, 1]^n                                                        ledger: P.E2
///   targets = "uniform"  y ~ uniform on [−1, 1];   targets = "ones"  y = 1                               ledger: P.E8
#pragma once

#include <memory>
#include <string>

#include "sluice/task/options.hpp"

namespace sluice::task {

struct PointsOptions final : Options {
  std::int64_t n = 1;
  std::int64_t samples = 200;
  std::string inputs = "ones";
  std::string targets = "uniform";
  std::int64_t seed = 0;

  void describe(spec::Keys& keys) override;
  std::unique_ptr<Task> make() const override;
};

}  // namespace sluice::task
