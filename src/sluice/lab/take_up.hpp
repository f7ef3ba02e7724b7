/// A run taken up from its checkpoint: to go on with it, or to look at it while it is at work.
#pragma once

#include <filesystem>
#include <string>

#include "sluice/lab/setup.hpp"
#include "sluice/lab/simulation.hpp"
#include "sluice/learn/state.hpp"

namespace sluice::lab {

/// The state in a checkpoint, after all of it was held against the setup and the text of the spec that lies beside it; the probes of the
/// simulation have seen what they had seen then. Throws InputError naming the file.
learn::State take_up(const std::filesystem::path& checkpoint, const std::string& spec, const Setup& setup,
                     Simulation& simulation);

}  // namespace sluice::lab
