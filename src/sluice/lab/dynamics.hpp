/// The [dynamics] section: an optimiser that sees samples, or the gradient flow they scatter around.
///
/// dynamics.kind = "flow" integrates dθ/dt = −∂L/∂θ in expectation. Time is t = rate × step of SGD, so the same spec with the
/// kind changed gives records that can be held against each other step by step.
#pragma once

#include <cstdint>
#include <string>

#include "sluice/learn/options.hpp"
#include "sluice/spec/keys.hpp"

namespace sluice::lab {

struct DynamicsOptions : learn::TrainingOptions {
  std::string rate_unit = "one";   // what rate is measured in
  std::string response = "auto";   // key "operator": how f(w) is computed
  std::string pairs = "auto";      // how units answer together, where there are several
  std::int64_t samples = 1 << 14;  // of sampled operators; at least 16 for every weight of a network
  double tolerance = 1e-4;         // error per step of the integrator
  double steady = 0;               // the flow ends when max |dθ/dt| falls below; 0: never

  bool is_flow() const { return kind == "flow"; }
  void describe(spec::Keys& keys);
};

/// "one": the rate is the number itself. "depth": 1/d of a deep network. "kernel": P/ρ_max(K_0), P the size of the training set, so that full-batch
/// descent on the half-squared loss is e ← (I − rate·K/ρ_max)e, the step size of document 004's experiments 1 and 2.
spec::Choices rate_units();

/// Every kind: the optimisers, then the flow.
spec::Choices dynamics_kinds();

/// What dynamics.operator and dynamics.pairs can name.
spec::Choices flow_operators();
spec::Choices flow_pairs();

}  // namespace sluice::lab
