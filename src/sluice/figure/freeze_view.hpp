/// ReLU networks with frozen gates, as a picture wants them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sluice/figure/figure.hpp"

namespace sluice::figure {

/// One run, frozen at several steps.
struct FrozenCurves {
  std::string condition;     ///< "gain = 3": runs of one condition share a colour and a name
  std::size_t category = 0;  ///< which colour
  std::vector<double> step = {};
  std::vector<double> of_way = {}, of_end = {};  ///< distance of the ends, shares
  std::vector<double> flips = {};                ///< share of gates that differ from the end's
};

/// All three against the step. At least one run.
Figure freezing(std::span<const FrozenCurves> runs);

}  // namespace sluice::figure
