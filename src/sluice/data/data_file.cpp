#include "sluice/data/data_file.hpp"

#include <fmt/format.h>

#include "sluice/file/sha256.hpp"

namespace sluice::data {
namespace fs = std::filesystem;

std::vector<fs::path> places_in(const fs::path& folder, const DataFile& file) {
  std::vector<fs::path> places{folder / file.name};
  if (file.packs) places.emplace_back(places[0].string() + ".gz");
  return places;
}

fs::path find_in(const fs::path& folder, const DataFile& file) {
  std::error_code ignored;
  for (const fs::path& path : places_in(folder, file))
    if (fs::exists(path, ignored)) return path;
  return {};
}

std::optional<std::string> wrong_content(const fs::path& path, const DataFile& file) {
  const std::string found = file::sha256_of_content(path);
  if (found == file.sha256) return std::nullopt;
  return fmt::format("{}: SHA-256 {}, expected {}", path.string(), found, file.sha256);
}

}  // namespace sluice::data
