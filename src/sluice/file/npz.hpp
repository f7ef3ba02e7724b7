/// The .npz format: a zip archive of .npy arrays, what numpy.savez writes and numpy.load reads.
///
/// Written by hand because Debian has no such library. Bytes depend on the arrays alone (time stamps are fixed), so
/// equal records are equal files. Archives beyond 4 GiB use zip64.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sluice/file/array.hpp"
#include "sluice/file/place.hpp"

namespace sluice::file {

enum class Packing { stored, compressed };

/// Lists of texts under their names. They are written only: nothing of ours reads texts from an archive.
using NamedTexts = std::vector<std::pair<std::string, std::vector<std::string>>>;

/// Sizes and places that 32 bits hold.
inline constexpr std::uint64_t kMostWithoutZip64 = 0xFFFFFFFE;

/// Writes all arrays atomically. `zip64_above` is lowered in tests to exercise zip64 on small files.
void write_npz(const std::filesystem::path& path, const NamedArrays& arrays, Packing packing,
               IfTaken if_taken = IfTaken::replace, std::uint64_t zip64_above = kMostWithoutZip64);
void write_npz(const std::filesystem::path& path, const NamedViews& arrays, Packing packing);
/// The same with texts behind the arrays.
void write_npz(const std::filesystem::path& path, const NamedArrays& arrays, const NamedTexts& texts,
               Packing packing, IfTaken if_taken = IfTaken::replace,
               std::uint64_t zip64_above = kMostWithoutZip64);

/// Writes one array as .npy, atomically.
void write_npy(const std::filesystem::path& path, const Array& array, IfTaken if_taken = IfTaken::replace);

/// An archive of which an array is unpacked when somebody asks for it, so that what lies beside it costs nothing. A single .npy file is one array under the name
/// "array". Checks sizes and checksums; throws InputError naming the file and what is wrong with it.
class Archive {
 public:
  /// Reads the file and its directory.
  explicit Archive(const std::filesystem::path& path);
  Archive(Archive&&) noexcept;
  Archive& operator=(Archive&&) noexcept;
  ~Archive();

  /// In the order of the file; no two are the same.
  const std::vector<std::string>& names() const { return names_; }
  bool holds(const std::string& name) const;
  /// Null when there is none of this name.
  const Array* find(const std::string& name) const;
  /// All of them.
  NamedArrays take() &&;

 private:
  struct Members;
  std::unique_ptr<Members> members_;
  std::vector<std::string> names_;
};

/// Every array.
NamedArrays read_npz(const std::filesystem::path& path);

}  // namespace sluice::file
