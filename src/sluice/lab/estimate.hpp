/// What a run would take, from a short try: before a sweep begins, somebody wants to know whether it is minutes or days.
#pragma once

#include "sluice/gpu/deep_engine.hpp"
#include "sluice/lab/experiment.hpp"

namespace sluice::lab {

struct Estimate {
  double seconds = 0;       ///< of one thread; on a device, of steps alone, and 0 where there is none to try
  double bytes = 0;         ///< of its folder, arrays as they are before they are deflated
  double device_bytes = 0;  ///< of a device's memory for one run, at least
};

/// Of so many runs like this one, which share their samples and move together. Sets one up and moves it for a fraction of a second, in memory, where it would be
/// trained. What a look costs on a device is left out: the first one brings the samples there, and says nothing of the others.
Estimate estimate(Experiment experiment, std::size_t together = 1, const gpu::Place& place = {});

}  // namespace sluice::lab
