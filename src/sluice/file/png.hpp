/// PNG as data sets have it: eight bits of red, green and blue, row by row, nothing else.
/// No other colours, depths or interlaced rows, and no correction of colours: the bytes are those of the file. What a header
/// claims is held against the size of the file before anything is allocated for it, and memory follows the rows that really
/// come. Whatever is wrong throws InputError: one line that names the file, what was found and what was expected. Every
/// checksum counts, also those of parts that a viewer would skip, and nothing may follow the end.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace sluice::file {

struct RgbImage {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::vector<std::uint8_t> pixels;  ///< [rows, columns, 3]
};

/// How large an image must be.
struct RgbSize {
  std::int64_t rows = 0;  ///< 0: any number of them
  std::int64_t columns = 0;
};

RgbImage read_rgb_png(const std::filesystem::path& path, const RgbSize& expected = {});

}  // namespace sluice::file
