/// SHA-256 (FIPS 180-4), to tell whether a file is the one it should be. Nothing secret depends on it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace sluice::file {

/// 64 hexadecimal digits.
std::string sha256(std::span<const std::uint8_t> bytes);

/// Of what the file holds, unpacked when it is gzip: train-labels.gz and train-labels have one digest. Throws InputError
/// naming the path when it cannot be read.
std::string sha256_of_content(const std::filesystem::path& path);

}  // namespace sluice::file
