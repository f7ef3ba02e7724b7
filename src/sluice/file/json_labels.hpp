/// Labels as a JSON list: [3, 8, 8, 0, …], the whole file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace sluice::file {

/// Integers below `classes`. Throws InputError that names the file and what was found: no JSON, no flat list, a label that is
/// none.
std::vector<std::uint8_t> read_json_labels(const std::filesystem::path& path, int classes);

}  // namespace sluice::file
