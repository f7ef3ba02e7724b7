/// Which parts of an experiment the program around the library gave (spec/given.hpp): what makes a run one that its spec alone does not repeat.
#pragma once

#include <map>
#include <string>

#include "sluice/lab/experiment.hpp"
#include "sluice/record/recording.hpp"

namespace sluice::lab {

/// The SHA-256 of their sources, or of the arrays of a data set, by part: "task", "network.gate", "probe.NAME".
std::map<std::string, std::string> functions_of(const Experiment& experiment);

/// One sentence for people, of a run that has some.
std::string missing_functions(const record::Recording& run);

}  // namespace sluice::lab
