/// A sweep in memory: threads own whole points, as in a sweep of folders, those that share their samples move together, and nothing is written.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sluice/lab/experiment.hpp"
#include "sluice/lab/recorded.hpp"
#include "sluice/lab/simulation.hpp"
#include "sluice/lab/sweep_plan.hpp"

namespace sluice::lab {

/// What became of a point: a run, or the reason why there is none; neither where it was not begun before somebody asked to stop.
struct SimulatedPoint {
  SweepPoint point;
  std::optional<Recorded> run = {};
  std::string failure = {};
};

/// Every point is set up before the first one runs: what can fail on the user's input fails then. A point that fails later does not stop the others.
/// Progress is told in steps of all points together, by any of the threads.
std::vector<SimulatedPoint> simulate_sweep(const Source& source, const std::vector<SweepAxis>& axes,
                                           int threads, const Hooks& hooks = {},
                                           const gpu::Place& place = {});

}  // namespace sluice::lab
