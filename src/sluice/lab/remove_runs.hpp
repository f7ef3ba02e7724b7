/// Removing runs and sweeps: planned as a whole, and only carried out where all of it can be.
#pragma once

#include <filesystem>
#include <vector>

#include "sluice/record/removal.hpp"

namespace sluice::lab {

/// What would go, in this order: of a sweep its runs, then what it wrote itself. Looks only; throws InputError at the first folder that
/// has to stay: at work, with files that sluice did not write or that were changed, the current one or around it, behind a link, or none of ours.
std::vector<record::Removal> plan_removals(const std::vector<std::filesystem::path>& folders);

void remove(const std::vector<record::Removal>& removals);

}  // namespace sluice::lab
