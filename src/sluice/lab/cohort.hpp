/// Runs that are moved together (learn/ensemble.hpp): those that share their samples by one thread, a batch drawn once for all of them, an evaluation set too; on a
/// device all of one shape. Records here have the bits of runs alone, so that a run that cannot join is run alone; those of a device have them up to rounding.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sluice/lab/joinable.hpp"
#include "sluice/lab/task_shelf.hpp"

namespace sluice::lab {

/// What runs must have in common to be moved together: everything but seed, start and rate; on a device, where each has its own samples, everything but the task, too,
/// of which inputs, size, whether the device can draw it, and then the share of classes are the same. Empty where a run moves alone: flows, deep networks, networks that know samples by their place, and here
/// samples of its own. A shelf may have the task already.
std::string cohort_key(const Experiment& experiment, const gpu::Place& place, TaskShelf* shelf);

/// Whether a run of a sweep moves as one of many also where it is the only one that is left: on a device, which sums in another order for a network that has it to itself.
bool moves_among_others(const Experiment& experiment, const gpu::Place& place);

/// Called with the outcome of each run, by its number, as it ends, by the thread that ended it.
using Ended = std::function<void(std::size_t run, Outcome outcome)>;

/// Runs with one cohort_key, open where they are in folders. Where they were begun before and stand at different steps (a kill comes between two
/// checkpoints), those behind move first, and take the others along when they come to them. What each does for itself, its files, its looks, its end, is
/// shared out among the workers.
void run_together(const std::vector<std::unique_ptr<Joinable>>& runs, const gpu::Place& place,
                  const Ended& ended, math::Workers& workers);

}  // namespace sluice::lab
