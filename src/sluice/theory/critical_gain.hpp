/// Boundaries in the gain of nlgp data that theory has for one ReLU unit without bias, labels 1 and 0, ξ₁ > ξ₂: below them it is flat.
///   flat   the flat field loses its stability: a wave with one period on it begins to grow (flow/flat_field.hpp)
///   bump   a drawn bump exp(−d²/(2s²)), s = 3 sites, has the loss of the flat field, each at its best scale (flow/advantage.hpp)
/// The first comes before the second: the flat field gives way to wide modulations continuously, and a bump is a narrow one
/// (docs/theory/branches.md). Both are found on sets of draws that are independent of each other and the same at every gain: 8 of 2¹⁴
/// latent rings, of 2¹⁵ samples with all their shifts.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "sluice/math/workers.hpp"
#include "sluice/spec/keys.hpp"
#include "sluice/task/nlgp.hpp"
#include "sluice/task/registry.hpp"

namespace sluice::theory {

struct CriticalGain {
  double gain = std::numeric_limits<double>::quiet_NaN();  ///< not a number: it was not found
  double error = 0;                                        ///< standard error over sets
};

/// Where the rate of the wave is 0, mean over the sets, on each of which it is found; not found where it is not on one of them.
CriticalGain flat_loses_stability(const task::NlgpOptions& task, std::uint64_t seed, math::Workers& workers);

/// Where D = R(bump) − R(flat), mean over the sets, is 0; its error is that of D there over dD/dg.
CriticalGain bump_beats_flat(const task::NlgpOptions& task, std::uint64_t seed, math::Workers& workers);

/// The task of a spec, where all of this is known: an nlgp ring of at most 128 sites, labels 1 and 0, balanced. Throws InputError
/// "WHO: task.kind = gaussian: expected nlgp".
const task::NlgpOptions& task_of_one_unit(const task::Section& task, const std::string& who);

struct GainBoundary {
  spec::Choice choice;
  std::string_view label;  ///< in a figure
  CriticalGain (*at)(const task::NlgpOptions& task, std::uint64_t seed, math::Workers& workers);
};
std::span<const GainBoundary> gain_boundaries();
/// Throws InputError with the nearest name when there is none.
const GainBoundary& gain_boundary(const std::string& name);

}  // namespace sluice::theory
