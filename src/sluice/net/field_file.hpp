/// Parts of a network that stand in a file: an npy file, or arrays of an npz file, such as the record of a run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sluice/file/array.hpp"
#include "sluice/file/npz.hpp"

namespace sluice::net {

/// Which weights or gates [K, n].
struct FieldFile {
  std::string path;         ///< also the folder of a run, whose record.npz is meant
  std::string array = {};   ///< of an npz file; empty: its only array, or "weights"
  std::int64_t index = -1;  ///< entry of a time-first [T, K, n] array; negative: from the end
};

/// record.npz of a run's folder, else the path itself.
std::filesystem::path arrays_at(const std::string& path);

/// The file, of which no more is read than is asked for. Errors are InputErrors that name it and what was expected; `section` is that of the spec, "network.init".
class PartFile {
 public:
  PartFile(FieldFile file, std::string_view section);

  /// The array that FieldFile names.
  std::vector<float> fields(std::int64_t units, std::int64_t inputs) const;
  /// Another part, under its own name: [T, shape] and the same entry as the fields, or [shape], which is of the end.
  bool holds(const std::string& name) const { return arrays_.holds(name); }
  /// It is of the same time as the fields: not that of the end beside fields of an earlier entry.
  bool holds_at_index(const std::string& name, const file::Shape& shape) const;
  std::vector<float> part(const std::string& name, const file::Shape& shape) const;

 private:
  std::vector<float> entry_of(const file::Array& array, const file::Shape& shape, const std::string& name,
                              const std::string& where_from) const;

  FieldFile file_;
  std::string section_;
  file::Archive arrays_;
};

/// [K, n] numbers.
std::vector<float> read_fields(const FieldFile& file, std::string_view section, std::int64_t units,
                               std::int64_t inputs);

}  // namespace sluice::net
