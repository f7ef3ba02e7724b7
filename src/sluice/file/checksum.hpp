/// CRC-32 of a file, to tell whether it is still the file a run was begun with.
#pragma once

#include <filesystem>
#include <string>

namespace sluice::file {

/// Eight hexadecimal digits. Throws InputError naming the path when it cannot be read.
std::string checksum(const std::filesystem::path& path);

/// The checksum of the file at `path`; throws InputError when `known` is not empty and differs. `key` names it to the user.
std::string checked_checksum(const std::filesystem::path& path, const std::string& known,
                             const std::string& key);

}  // namespace sluice::file
