#include "sluice/data/mnist_files.hpp"

#include <fmt/format.h>

#include "sluice/file/sha256.hpp"

namespace sluice::data {

std::optional<std::string> wrong_content(const std::filesystem::path& path, const DataFile& file) {
  const std::string found = file::sha256_of_content(path);
  if (found == file.sha256) return std::nullopt;
  return fmt::format("{}: SHA-256 {}, expected {}", path.string(), found, file.sha256);
}

}  // namespace sluice::data
