/// Opening what is to be read: a regular file, or a line that says what it is instead.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace sluice::file {

/// A regular file that is open for reading. A pipe that nobody writes to would be waited for, a device never ends: neither is one.
class OpenFile {
 public:
  /// Throws InputError naming the path when it is not a regular file that can be read.
  explicit OpenFile(const std::filesystem::path& path);
  ~OpenFile();
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  /// Fills the front of `out` from where the last call ended and returns how much; less than all of it only at the end of the file.
  std::size_t read(std::span<std::uint8_t> out) const;
  /// The bytes that it begins with; nothing is taken away.
  std::size_t peek(std::span<std::uint8_t> out) const;

  /// When it was opened.
  std::uint64_t size() const { return size_; }
  const std::string& name() const { return name_; }

 private:
  std::string name_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace sluice::file
