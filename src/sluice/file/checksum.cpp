#include "sluice/file/checksum.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"

namespace sluice::file {

std::string checksum(const std::filesystem::path& path) {
  const std::string bytes = read_text(path);
  return fmt::format("{:08x}", crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
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

}  // namespace sluice::file
