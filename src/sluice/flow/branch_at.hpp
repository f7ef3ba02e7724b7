/// A branch at one coordinate, and two branches with one loss.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "sluice/flow/continuation.hpp"

namespace sluice::flow {

/// The fixed point of a family near a branch that may be that of a similar family; of several stretches, the one on which the fewest
/// perturbations grow. Nothing where the branch does not come by.
std::optional<FixedPoint> branch_at(const Family& family, const Branch& branch, double coordinate,
                                    const ContinuationOptions& options);

/// Where both are stable, the loss of the first minus that of the second; nothing elsewhere.
std::optional<double> loss_gap(const Family& family, const Branch& first, const Branch& second,
                               double coordinate, const ContinuationOptions& options);

/// Two neighbouring points of the first branch between which the gap changes its sign: the lowest minimum changes hands. Losses that
/// differ by less than 1e-9 are one.
std::optional<std::pair<double, double>> exchange_bracket(const Family& family, const Branch& first,
                                                          const Branch& second,
                                                          const ContinuationOptions& options);

/// Where the losses are equal, by the secant method from a bracket.
std::optional<double> exchange(const Family& family, const Branch& first, const Branch& second,
                               std::pair<double, double> bracket, const ContinuationOptions& options);

}  // namespace sluice::flow
