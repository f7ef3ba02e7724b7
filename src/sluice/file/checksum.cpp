#include "sluice/file/checksum.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <cstdint>
#include <vector>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/byte_source.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/math/memory.hpp"

namespace sluice::file {
namespace {

std::string digits(uLong crc) { return fmt::format("{:08x}", crc); }

/// Of what will be held in memory: more need not be read to the end to be refused.
std::uint64_t most_bytes() { return static_cast<std::uint64_t>(math::affordable_bytes()); }

}  // namespace

std::string checksum(const std::filesystem::path& path) {
  const std::string bytes = read_text(path, most_bytes());
  return digits(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::string checked_checksum(const std::filesystem::path& path, const std::string& known,
                             const std::string& key) {
  std::string found = checksum(path);
  if (!known.empty() && known != found) {
    throw InputError(fmt::format("{}: its checksum is {}, expected {} ({}): the file has changed",
                                 path.string(), found, known, key));
  }
  return found;
}

std::string checksum_of_contents(std::span<const std::filesystem::path> paths) {
  uLong crc = crc32_z(0, nullptr, 0);
  std::vector<std::uint8_t> piece(1 << 20);
  for (const std::filesystem::path& path : paths) {
    ByteSource source(path);
    if (source.size() > most_bytes())
      throw InputError(
          fmt::format("{}: {} bytes, expected at most {}", path.string(), source.size(), most_bytes()));
    while (const std::size_t got = source.read(piece)) crc = crc32_z(crc, piece.data(), got);
  }
  return digits(crc);
}

}  // namespace sluice::file
