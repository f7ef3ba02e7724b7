#include "sluice/file/idx.hpp"

#include "sluice/file/errors.hpp"
#include "test/fuzz/target.hpp"

SLUICE_FUZZ_TARGET(idx) {
  using namespace sluice;
  const auto& path = fuzz::file_with(bytes);
  try {
    const file::IdxImages images = file::read_idx_images(path);
    fuzz::require(
        images.pixels.size() == static_cast<std::size_t>(images.count * images.rows * images.columns),
        "as many pixels as the header says");
  } catch (const InputError&) {  // then they may be labels
    file::read_idx_labels(path, 10);
  }
}
SLUICE_FUZZ_REPAIR(sluice::fuzz::repair_gzip)
