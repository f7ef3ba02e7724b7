/// The bytes of a file, unpacked on the way when the file is gzip, in pieces of any size.
///
/// Nothing is believed that the file cannot hold: `most()` bounds what can still come, so a reader checks the sizes a
/// header claims before it allocates. gzip's own check (CRC-32 and length) is made at the end of the stream.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "sluice/file/open_file.hpp"

namespace sluice::file {

/// Deflate's best: 258 bytes in two bits.
inline constexpr std::uint64_t kMostPerPackedByte = 1032;

class ByteSource {
 public:
  /// Throws InputError when it is not a regular file that can be read.
  explicit ByteSource(const std::filesystem::path& path);
  ~ByteSource();
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  /// Fills the front of `out` and returns how much; less than all of it only at the end of the bytes. Throws InputError
  /// where gzip is damaged or breaks off.
  std::size_t read(std::span<std::uint8_t> out);

  bool gzip() const;
  /// Of the file as it stands on the disk.
  std::uint64_t size() const { return file_.size(); }
  /// Bytes that can come at all: the size of the file, or the kMostPerPackedByte-fold of it.
  std::uint64_t most() const;
  const std::string& name() const { return file_.name(); }

 private:
  struct Unpacking;

  std::size_t read_unpacked(std::span<std::uint8_t> out);

  OpenFile file_;
  std::unique_ptr<Unpacking> unpacking_;  // null: the file is plain
};

}  // namespace sluice::file
