/// The IDX format of the MNIST files: a big-endian header, then one byte per element, row by row.
///   images   magic 2051 = 0x00000803 (unsigned bytes, three dimensions), count, rows, columns, then the pixels
///   labels   magic 2049 = 0x00000801 (unsigned bytes, one dimension), count, then the labels
/// Files may be gzip. A header is held against the real size of the file before anything is allocated for it; of gzip,
/// which may promise a thousand times its size, memory follows what really comes. Whatever is wrong throws InputError: one
/// line that names the file, what was found and what was expected.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace sluice::file {

struct IdxImages {
  std::int64_t count = 0;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::vector<std::uint8_t> pixels;  ///< [count, rows, columns]
};

IdxImages read_idx_images(const std::filesystem::path& path);

/// Labels below `classes`.
std::vector<std::uint8_t> read_idx_labels(const std::filesystem::path& path, int classes);

struct LabelledImages {
  IdxImages images;
  std::vector<std::uint8_t> labels;  ///< [images.count]
};

/// Both files, which must hold equally many.
LabelledImages read_labelled_images(const std::filesystem::path& images, const std::filesystem::path& labels,
                                    int classes);

}  // namespace sluice::file
