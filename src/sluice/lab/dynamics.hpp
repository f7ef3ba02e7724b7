/// The [dynamics] section: an optimiser that sees samples, or the gradient flow they scatter around.
#pragma once

#include <string>

#include "sluice/flow/engine.hpp"
#include "sluice/learn/options.hpp"
#include "sluice/spec/keys.hpp"

namespace sluice::lab {

struct DynamicsOptions : learn::TrainingOptions {
  DynamicsOptions() { optimizer.rate = 0; }  // what is usual for the kind and the network

  std::string rate_unit = "one";  // what rate is measured in
  flow::EngineOptions flow;       // of kind = "flow" and "exact"

  /// In expectation: no samples are seen.
  bool is_flow() const { return kind == "flow" || kind == "exact"; }
  /// `units` share the output evenly: net::Options::units_sharing_output().
  void describe(spec::Keys& keys, std::int64_t units);
};

/// The rate of a spec that says none: one at which the usual networks learn within the usual steps. Where the output is a mean over K
/// units, the gradient of each is 1/K of what it would be alone, and sgd needs K times the rate; adam and rmsprop divide that out.
double usual_rate(std::string_view kind, std::int64_t units);

/// Every kind: the optimisers, then the flow.
spec::Choices dynamics_kinds();

}  // namespace sluice::lab
