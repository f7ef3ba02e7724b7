/// One ReLU unit on two classes with labels 1 and 0, moved in expectation.                                ledger: N0.20, C.3
#pragma once

#include <vector>

#include "sluice/flow/response.hpp"
#include "sluice/task/nlgp.hpp"
#include "sluice/theory/vector.hpp"

namespace sluice::theory {

/// Where the unit is at `time` when its first class answers by f.
std::vector<double> flow_end(const task::Task& task, const flow::Response& f, const Vector& start,
                             double time);

/// Where training takes it from a small random start: its flow under a sampled response, at a time when shapes have settled.
Vector trained_field(const task::NlgpOptions& options);

}  // namespace sluice::theory
