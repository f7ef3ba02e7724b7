/// A file of a data set: where npm's package has it, where the user does, and what it holds.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::data {

struct DataFile {
  std::string_view name;    ///< in the folder of the set, and in its own folder of the package
  std::uint64_t bytes;      ///< unpacked
  std::string_view sha256;  ///< of the unpacked bytes
  std::string_view inside;  ///< its folder in the package; empty: where the package begins
  bool packs = true;        ///< may also stand there as gzip, with the ending .gz: not what is packed already
};

/// The names under which the file may lie in the folder: plain, and with .gz where it packs.
std::vector<std::filesystem::path> places_in(const std::filesystem::path& folder, const DataFile& file);

/// Where it does: the first of these places; empty when it is at none.
std::filesystem::path find_in(const std::filesystem::path& folder, const DataFile& file);

/// "PATH: SHA-256 …, expected …" when what stands at the path is not this file's content; nothing when it is. Throws
/// InputError when it cannot be read.
std::optional<std::string> wrong_content(const std::filesystem::path& path, const DataFile& file);

}  // namespace sluice::data
