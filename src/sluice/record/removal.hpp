/// Removing the folder of a run or sweep: what it wrote goes, by its manifest, and then the folder; where anything else is in it, or
/// somebody is at work there, nothing is touched.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sluice/record/manifest.hpp"

namespace sluice::record {

struct Removal {
  std::filesystem::path folder;
  std::vector<std::string> aside = {};  ///< entries that somebody else removes before: the runs of a sweep
  std::int64_t files = 0;               ///< that will go, and their length
  std::uintmax_t bytes = 0;
};

/// What would go. Looks only; throws InputError naming the folder and why it has to stay.
Removal plan_removal(const std::filesystem::path& folder, const std::vector<std::string>& aside,
                     const SpecTest& is_spec);

/// Takes the lock, looks once more, and removes. A kill in between leaves a folder that can be removed again.
void remove(const Removal& removal, const SpecTest& is_spec);

}  // namespace sluice::record
