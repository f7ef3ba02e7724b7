/// Runs that share their samples, moved together by one thread (learn/shared_trainer.hpp): a batch is drawn once for all of them, an evaluation set too.
/// Records have the bits of runs alone, so that a run that cannot join is run alone.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sluice/lab/session.hpp"

namespace sluice::lab {

/// What runs must have in common to be moved together: everything but seed, start and rate. Empty where a run moves alone: flows, samples of
/// its own, networks that know samples by their place.
std::string cohort_key(const Experiment& experiment);

/// Called with the outcome of each session, by its number, as it ends.
using Ended = std::function<void(std::size_t session, Outcome outcome)>;

/// Sessions that are open, with one cohort_key. Where they were begun before and stand at different steps (a kill comes between two checkpoints),
/// those behind move first, and take the others along when they come to them.
void run_together(std::vector<std::unique_ptr<Session>> sessions, const Ended& ended);

}  // namespace sluice::lab
