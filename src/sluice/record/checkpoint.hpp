/// What a run needs to go on after it was stopped: the state that evolves and what the probes saw so far.
#pragma once

#include <filesystem>

#include "sluice/file/array.hpp"
#include "sluice/learn/trainer.hpp"

namespace sluice::record {

struct Checkpoint {
  learn::State state;
  file::NamedArrays watched;
};

void save(const Checkpoint& checkpoint, const std::filesystem::path& path);

/// Throws InputError when the file is damaged or of another version.
Checkpoint load_checkpoint(const std::filesystem::path& path);

}  // namespace sluice::record
