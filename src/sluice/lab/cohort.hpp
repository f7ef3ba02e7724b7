/// Runs that share their samples, moved together by one thread (learn/shared_trainer.hpp): a batch is drawn once for all of them, an evaluation set too.
/// Records have the bits of runs alone, so that a run that cannot join is run alone.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sluice/lab/joinable.hpp"

namespace sluice::lab {

/// What runs must have in common to be moved together: everything but seed, start and rate. Empty where a run moves alone: flows, samples of
/// its own, networks that know samples by their place.
std::string cohort_key(const Experiment& experiment);

/// Called with the outcome of each run, by its number, as it ends.
using Ended = std::function<void(std::size_t run, Outcome outcome)>;

/// Runs with one cohort_key, open where they are in folders. Where they were begun before and stand at different steps (a kill comes between two
/// checkpoints), those behind move first, and take the others along when they come to them.
void run_together(const std::vector<std::unique_ptr<Joinable>>& runs, const Ended& ended);

}  // namespace sluice::lab
