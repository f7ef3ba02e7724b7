/// What a run would take, from a short try: before a sweep begins, somebody wants to know whether it is minutes or days.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sluice/gpu/deep_engine.hpp"
#include "sluice/lab/experiment.hpp"
#include "sluice/learn/ensemble.hpp"

namespace sluice::lab {

struct Estimate {
  double seconds = 0;       ///< of one thread; on a device, of steps alone, and 0 where there is none to try
  double bytes = 0;         ///< of all folders, arrays as they are before they are deflated
  double device_bytes = 0;  ///< of a device's memory for one run, at least
  std::size_t groups = 1;   ///< of runs that move together; on a device they follow each other
};

/// Of so many runs like this one, which move together: here on samples that they share, networks with one hidden layer on a device each on its own. Sets one up and moves
/// it, or as many, for a fraction of a second, in memory, where they would be trained. What a look costs on a device is left out: the first one brings the samples there,
/// and says nothing of the others.
Estimate estimate(Experiment experiment, std::size_t together = 1, const gpu::Place& place = {});

/// Seconds of a step of all, moved as a run moves them that looks every so many steps: in stretches as long as the ensemble asks for, cut where there is a look.
double seconds_of_step(learn::Ensemble& ensemble, std::int64_t every);

}  // namespace sluice::lab
