/// Gradient flow dθ/dt = −∂L/∂θ, integrated with error control (Dormand and Prince 5(4), Boost.Odeint).
///
/// A flow is advanced from one probe time to the next and stops exactly there. All it carries on is its State (time,
/// parameters, the step size it would try next): a flow made from a saved State continues to the same bits. Which times it
/// is stopped at does change the last digits, within the tolerance, because steps end there.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sluice/flow/landscape.hpp"

namespace sluice::flow {

/// Error per step, in units of the root mean square of the parameters. Sampled landscapes have kinks of about one over the
/// number of samples; asking for less than 1e-6 there only costs steps.
struct FlowOptions {
  double tolerance = 1e-8;
  double steady = 0;  ///< stop when max |dθ/dt| falls below this; 0: never
};

struct FlowState {
  double time = 0;
  std::vector<double> parameters;
  double step = 0;  ///< to be tried next; 0: find out
};

enum class Stop {
  time_reached,
  steady,    ///< max |dθ/dt| ≤ FlowOptions::steady
  diverged,  ///< not a number, or steps became too small to move, or to come to the time in any
};

class Flow {
 public:
  /// The landscape must outlive the flow.
  Flow(const Landscape& landscape, FlowState start, FlowOptions options = {});

  /// To the time `until`, or to a steady state before it.
  Stop advance(double until);

  const FlowState& state() const { return state_; }
  std::span<const double> parameters() const { return state_.parameters; }
  double time() const { return state_.time; }
  double loss() const { return landscape_->loss(state_.parameters); }

 private:
  double first_step() const;

  const Landscape* landscape_;
  FlowOptions options_;
  FlowState state_;
  std::vector<double> slope_;  // −∂L/∂θ at state_: follows from it
};

}  // namespace sluice::flow
