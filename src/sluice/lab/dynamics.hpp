/// The [dynamics] section: an optimiser that sees samples, or the gradient flow they scatter around.
#pragma once

#include <string>

#include "sluice/flow/engine.hpp"
#include "sluice/learn/options.hpp"
#include "sluice/spec/keys.hpp"

namespace sluice::lab {

struct DynamicsOptions : learn::TrainingOptions {
  std::string rate_unit = "one";  // what rate is measured in
  flow::EngineOptions flow;       // of kind = "flow" and "exact"

  /// In expectation: no samples are seen.
  bool is_flow() const { return kind == "flow" || kind == "exact"; }
  void describe(spec::Keys& keys);
};

/// Every kind: the optimisers, then the flow.
spec::Choices dynamics_kinds();

}  // namespace sluice::lab
