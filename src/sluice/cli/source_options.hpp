/// The arguments by which a verb names an experiment: SPEC, --set, --seed.
#pragma once

#include <string>

#include "sluice/cli/app.hpp"
#include "sluice/lab/experiment.hpp"

namespace sluice::cli {

/// Adds the positional argument, which the caller may make required, and --set.
Option* add_source(App& verb, lab::Source& source, const std::string& positional,
                   const std::string& meaning = "A name from `sluice list`, or a TOML file");
void add_seed(App& verb, lab::Source& source);

}  // namespace sluice::cli
