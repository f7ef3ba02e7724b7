/// Small sets in the format of CIFAR-10: eight files with images of side × side pixels in three colours.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "sluice/file/atomic_file.hpp"
#include "test/support/png_files.hpp"

namespace sluice::test {

/// The byte of a photograph: image r of the training or (`test`) the test set, channel c, row y, column x. Its class r mod 10 shows
/// in the rows 3·class and 3·class + 1, which are bright in the colour class mod 3.
inline std::uint8_t photograph_byte(std::uint32_t r, std::uint32_t c, std::uint32_t y, std::uint32_t x,
                                    bool test) {
  const std::uint32_t kind = r % 10;
  if (y / 3 == kind && y % 3 < 2 && c == kind % 3) return 250;
  std::uint32_t z = (((r * 3 + c) * 64 + y) * 64 + x) * 2 + (test ? 1 : 0);
  z = (z ^ (z >> 15)) * 0x2C1B3C6DU;
  z = (z ^ (z >> 12)) * 0x297A2D39U;
  return static_cast<std::uint8_t>((z ^ (z >> 15)) % 200);
}

/// Rows first, …, first + count − 1 as a PNG.
inline std::string photographs(std::uint32_t first, std::uint32_t count, std::uint32_t side, bool test) {
  std::string pixels;
  for (std::uint32_t r = first; r < first + count; ++r)
    for (std::uint32_t y = 0; y < side; ++y)
      for (std::uint32_t x = 0; x < side; ++x)
        for (std::uint32_t c = 0; c < 3; ++c) pixels += static_cast<char>(photograph_byte(r, c, y, x, test));
  return rgb_png(side * side, pixels);
}

inline std::string label_list(std::uint32_t count) {
  std::string text = "[";
  for (std::uint32_t r = 0; r < count; ++r) text += (r > 0 ? "," : "") + std::to_string(r % 10);
  return text + "]";
}

/// Five batches of `batch` training images, `tests` test images; every image of r has the label r mod 10.
inline void write_photographs(const std::filesystem::path& folder, std::uint32_t batch = 40,
                              std::uint32_t tests = 50) {
  std::filesystem::create_directories(folder);
  for (std::uint32_t b = 0; b < 5; ++b)
    file::write_atomically(folder / ("data_batch_" + std::to_string(b + 1) + ".png"),
                           photographs(b * batch, batch, 32, false));
  file::write_atomically(folder / "train_lables.json", label_list(5 * batch));
  file::write_atomically(folder / "test_batch.png", photographs(0, tests, 32, true));
  file::write_atomically(folder / "test_lables.json", label_list(tests));
}

}  // namespace sluice::test
