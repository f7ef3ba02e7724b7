/// From which gain on the flat field of one unit is modulated, against the ratio of the two lengths: to leading order (flow/modulation.hpp) and from samples
/// without dilution (critical_gain.hpp), the standard error over independent sets of draws.
#pragma once

#include <cstdint>
#include <vector>

#include "sluice/task/nlgp.hpp"

namespace sluice::theory {

struct ModulationOnset {
  double ratio = 0;    ///< ξ₁/ξ₂
  double leading = 0;  ///< to leading order
  double gain = 0;     ///< critical
  double error = 0;
};

/// At ξ₁ = ratio · ξ₂, for ratios from 1.25 to 4; ξ₂ and n of the task, labels 1 and 0. Where the onset is not found its gain is not a number.
std::vector<ModulationOnset> modulation_onsets(task::NlgpOptions task, std::uint64_t seed);

}  // namespace sluice::theory
