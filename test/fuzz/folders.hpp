/// Runs of several families: an input's first letter says which, the others are the file.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "test/fuzz/target.hpp"

namespace sluice::fuzz {

inline constexpr std::array<const char*, 4> kFolders{"two", "deep", "flow", "gated"};

/// Nothing where the letter is none of theirs.
inline std::optional<std::size_t> folder_of(Bytes bytes) {
  for (std::size_t i = 0; i < kFolders.size(); ++i)
    if (!bytes.empty() && bytes[0] == static_cast<std::uint8_t>(*kFolders[i])) return i;
  return std::nullopt;
}

/// Repairs all but the letter.
inline Repair behind_letter(Repair repair) {
  return [repair = std::move(repair)](std::string& bytes) {
    if (bytes.empty()) return;
    std::string file = bytes.substr(1);
    repair(file);
    bytes = bytes[0] + file;
  };
}

}  // namespace sluice::fuzz
