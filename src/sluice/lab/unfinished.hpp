/// A run that is still at work, or was killed there: as its last checkpoint has it.
#pragma once

#include <filesystem>

#include "sluice/record/recording.hpp"

namespace sluice::lab {

/// A checkpoint, and no conclusion after it.
bool is_unfinished(const std::filesystem::path& folder);

/// Its status is "unfinished". Throws InputError naming the file that cannot be used.
record::Recording read_unfinished(const std::filesystem::path& folder);

}  // namespace sluice::lab
