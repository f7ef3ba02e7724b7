/// The four files of MNIST (LeCun, Cortes and Burges): 60,000 training and 10,000 test images of 28 × 28 pixels.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::data {

/// A file of a data set: as it stands here, or gzip with the ending .gz.
struct DataFile {
  std::string_view name;
  std::uint64_t bytes;      ///< unpacked
  std::string_view sha256;  ///< of the unpacked bytes
};

inline constexpr std::array<DataFile, 4> kMnistFiles{{
    {"train-images-idx3-ubyte", 47'040'016,
     "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db"},
    {"train-labels-idx1-ubyte", 60'008, "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5"},
    {"t10k-images-idx3-ubyte", 7'840'016, "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7"},
    {"t10k-labels-idx1-ubyte", 10'008, "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2"},
}};

/// Where the file lies in the folder, plain or else with .gz; empty when there is neither.
inline std::filesystem::path find_in(const std::filesystem::path& folder, const DataFile& file) {
  std::error_code ignored;
  const std::filesystem::path plain = folder / file.name;
  for (const std::filesystem::path& path : {plain, std::filesystem::path(plain.string() + ".gz")}) {
    if (std::filesystem::exists(path, ignored)) return path;
  }
  return {};
}

/// "PATH: SHA-256 …, expected …" when what stands at the path is not this file's content; nothing when it is. Throws
/// InputError when it cannot be read.
std::optional<std::string> wrong_content(const std::filesystem::path& path, const DataFile& file);

}  // namespace sluice::data
