/// PNGs as bytes, right or wrong, made without the library that reads them.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>
#include <vector>

#include "test/support/idx_files.hpp"

namespace sluice::test {

/// Length, name, content, CRC-32 of the last two.
inline std::string png_chunk(const std::string& name, const std::string& content) {
  const std::string body = name + content;
  const auto crc = crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
  return big_endian(static_cast<std::uint32_t>(content.size())) + body +
         big_endian(static_cast<std::uint32_t>(crc));
}

inline std::string zlib_packed(const std::string& bytes) {
  std::vector<Bytef> packed(compressBound(bytes.size()));
  auto size = static_cast<uLongf>(packed.size());
  compress(packed.data(), &size, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  return {packed.begin(), packed.begin() + static_cast<std::ptrdiff_t>(size)};
}

inline const std::string kPngSignature = "\x89PNG\r\n\x1a\n";

/// A PNG in parts, so that a test can make any of them wrong.
struct PngParts {
  std::uint32_t columns = 0, rows = 0;
  std::string rows_of_bytes = {};  ///< every row behind its filter, 0
  char depth = 8, colors = 2, interlaced = 0;
  std::string between = {};  ///< other chunks, before the pixels

  std::string header() const {
    return png_chunk("IHDR",
                     big_endian(columns) + big_endian(rows) + std::string{depth, colors, 0, 0, interlaced});
  }
  std::string bytes() const {
    return kPngSignature + header() + between + png_chunk("IDAT", zlib_packed(rows_of_bytes)) +
           png_chunk("IEND", "");
  }
};

/// Of pixels [rows, columns, 3].
inline PngParts rgb_parts(std::uint32_t columns, const std::string& pixels) {
  PngParts parts{.columns = columns, .rows = static_cast<std::uint32_t>(pixels.size() / 3 / columns)};
  for (std::size_t at = 0; at < pixels.size(); at += 3 * std::size_t{columns})
    parts.rows_of_bytes += '\0' + pixels.substr(at, 3 * std::size_t{columns});
  return parts;
}

inline std::string rgb_png(std::uint32_t columns, const std::string& pixels) {
  return rgb_parts(columns, pixels).bytes();
}

}  // namespace sluice::test
