/// What a run would take, from a short try: before a sweep begins, somebody wants to know whether it is minutes or days.
#pragma once

#include "sluice/lab/experiment.hpp"

namespace sluice::lab {

struct Estimate {
  double seconds = 0;  ///< of one thread
  double bytes = 0;    ///< of its folder, arrays as they are before they are deflated
};

/// Of so many runs like this one, which share their samples and move together. Sets one up and moves it for a fraction of a second, in memory.
Estimate estimate(Experiment experiment, std::size_t together = 1);

}  // namespace sluice::lab
