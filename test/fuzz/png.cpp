#include "sluice/file/png.hpp"

#include "test/fuzz/target.hpp"

SLUICE_FUZZ_TARGET(png) {
  using namespace sluice;
  const file::RgbImage image = file::read_rgb_png(fuzz::file_with(bytes));
  fuzz::require(image.pixels.size() == static_cast<std::size_t>(image.rows * image.columns * 3),
                "as many pixels as the header says");
}
SLUICE_FUZZ_REPAIR(sluice::fuzz::repair_png)
