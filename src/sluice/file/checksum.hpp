/// CRC-32 of files, to tell whether they are still those a run was begun with.
#pragma once

#include <filesystem>
#include <span>
#include <string>

namespace sluice::file {

/// Eight hexadecimal digits. Throws InputError naming the path when it cannot be read.
std::string checksum(const std::filesystem::path& path);

/// The checksum of the file at `path`; throws InputError when `known` is not empty and differs. `key` names it to the user.
std::string checked_checksum(const std::filesystem::path& path, const std::string& known,
                             const std::string& key);

/// Of what the files hold, one after the other, unpacked where they are gzip: packing a file does not change it. Throws
/// InputError naming the path that cannot be read.
std::string checksum_of_contents(std::span<const std::filesystem::path> paths);

}  // namespace sluice::file
