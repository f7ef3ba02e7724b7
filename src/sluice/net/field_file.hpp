/// Weights or gates [K, n] that stand in a file: an npy file, or an array of an npz file, such as a record.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::net {

struct FieldFile {
  std::string path;
  std::string array = {};   ///< of an npz file; empty: its only array
  std::int64_t index = -1;  ///< entry of a time-first [T, K, n] array; negative: from the end
};

/// [K, n] numbers. Throws InputError that names the file and what was expected; `section` is that of the spec, "network.init".
std::vector<float> read_fields(const FieldFile& file, std::string_view section, std::int64_t units,
                               std::int64_t inputs);

}  // namespace sluice::net
