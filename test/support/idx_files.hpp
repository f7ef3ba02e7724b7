/// IDX files as bytes, right or wrong, and packed as gzip.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <string>

#include "sluice/file/atomic_file.hpp"

namespace sluice::test {

inline std::string big_endian(std::uint32_t value) {
  return {static_cast<char>(value >> 24), static_cast<char>(value >> 16), static_cast<char>(value >> 8),
          static_cast<char>(value)};
}

/// A header of these words, then the elements as they are.
inline std::string idx(std::initializer_list<std::uint32_t> header, const std::string& elements) {
  std::string bytes;
  for (const std::uint32_t word : header) bytes += big_endian(word);
  return bytes + elements;
}

inline std::string idx_labels(const std::string& labels) {
  return idx({2049, static_cast<std::uint32_t>(labels.size())}, labels);
}

inline std::string idx_images(std::uint32_t rows, std::uint32_t columns, const std::string& pixels) {
  return idx({2051, static_cast<std::uint32_t>(pixels.size()) / rows / columns, rows, columns}, pixels);
}

inline std::string gzipped(std::string bytes) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, bytes.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

/// A folder with the four names of MNIST and these contents.
struct FourFiles {
  std::string train_images;
  std::string train_labels;
  std::string test_images;
  std::string test_labels;

  void write(const std::filesystem::path& folder, const std::string& ending = "") const {
    std::filesystem::create_directories(folder);
    file::write_atomically(folder / ("train-images-idx3-ubyte" + ending), train_images);
    file::write_atomically(folder / ("train-labels-idx1-ubyte" + ending), train_labels);
    file::write_atomically(folder / ("t10k-images-idx3-ubyte" + ending), test_images);
    file::write_atomically(folder / ("t10k-labels-idx1-ubyte" + ending), test_labels);
  }
};

/// `count` images of 28 × 28, digit r mod 10 in row r: a bright bar whose height is the digit, on pixels that differ from image
/// to image and from `variant` to `variant`.
inline std::string digit_images(std::uint32_t count, std::uint32_t variant) {
  std::string pixels;
  std::uint32_t noise = variant;
  for (std::uint32_t r = 0; r < count; ++r) {
    for (std::uint32_t i = 0; i < 28 * 28; ++i) {
      noise = noise * 1664525 + 1013904223;  // Numerical Recipes' generator
      const bool bar = i / 28 / 2 == 2 + r % 10;
      pixels += static_cast<char>(bar ? 255 : noise >> 26);
    }
  }
  return idx_images(28, 28, pixels);
}

/// Small sets that stand in for MNIST wherever a test needs images: 640 to train on, 128 of them fours and sevens, and 160.
inline FourFiles small_digits(std::uint32_t variant = 1) {
  const auto labels = [](int count) {
    std::string bytes;
    for (int r = 0; r < count; ++r) bytes += static_cast<char>(r % 10);
    return idx_labels(bytes);
  };
  return {digit_images(640, variant), labels(640), digit_images(160, variant + 1), labels(160)};
}

}  // namespace sluice::test
