/// The arguments by which a verb names an experiment: SPEC, --set, --seed.
#pragma once

#include <string>

#include "sluice/lab/experiment.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace sluice::cli {

/// Adds the positional argument, which the caller may make required, and --set.
CLI::Option* add_source(CLI::App& verb, lab::Source& source, const std::string& positional,
                        const std::string& meaning = "A name from `sluice list`, or a TOML file");
void add_seed(CLI::App& verb, lab::Source& source);

}  // namespace sluice::cli
