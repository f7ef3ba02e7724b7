/// Files that are either the old one or the new one, never half.
///
/// Bytes go to a temporary name in the same folder; commit() syncs them, renames over the target and syncs the
/// folder. Without commit() the temporary is removed and the target is untouched.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace sluice::file {

class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path target);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  /// Overwrites bytes already written, for headers whose numbers are known only later.
  void patch(std::uint64_t offset, std::string_view bytes);
  std::uint64_t size() const { return size_; }
  void commit();

 private:
  [[noreturn]] void fail(const char* doing) const;

  std::filesystem::path target_;
  std::string temporary_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

void write_atomically(const std::filesystem::path& target, std::string_view bytes);

/// The whole file. Throws InputError naming the path when it cannot be read.
std::string read_text(const std::filesystem::path& path);

/// Removes temporaries that a killed process left in the folder.
void remove_stale_temporaries(const std::filesystem::path& folder);

}  // namespace sluice::file
