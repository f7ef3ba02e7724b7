/// Where data that can be fetched again lives: $XDG_CACHE_HOME/sluice, or ~/.cache/sluice.
#pragma once

#include <filesystem>

namespace sluice::file {

/// Need not exist. Throws InputError when the environment names neither a cache nor a home.
std::filesystem::path cache_folder();

}  // namespace sluice::file
