/// Theory's boundaries (theory/critical_gain.hpp) for runs that somebody draws over the gain.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sluice/lab/run_points.hpp"
#include "sluice/theory/critical_gain.hpp"

namespace sluice::lab {

/// Throws InputError where a column is not the gain along which they are known.
void require_gain(const RunPoints& points, const std::string& name);

/// The task that theory is asked about for these runs, which may differ in the gain, in seeds and in what theory does not ask: the number
/// of units, how they are trained. Throws InputError where they are not ReLU units on nlgp rings, or differ in their task; `which` says
/// which runs they are.
task::NlgpOptions task_of_theory(const theory::GainBoundary& boundary,
                                 const std::vector<const RunPoint*>& runs, const std::string& which);

/// Of theory's draws, whatever seeds the runs have: a boundary does not move with them.
inline constexpr std::uint64_t kBoundarySeed = 1;

/// What theory asks of a run but the gain: equal ones have one boundary.
std::string task_but_gain(const RunPoint& run);

/// "0.1729 ± 0.0011"
std::string to_text(const theory::CriticalGain& critical);

}  // namespace sluice::lab
