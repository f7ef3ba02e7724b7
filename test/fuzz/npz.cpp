#include "sluice/file/npz.hpp"

#include "test/fuzz/target.hpp"

SLUICE_FUZZ_TARGET(npz) {
  using namespace sluice;
  for (const auto& [name, array] : file::read_npz(fuzz::file_with(bytes))) {
    const std::size_t length = std::visit([](const auto& values) { return values.size(); }, array.data);
    fuzz::require(length == static_cast<std::size_t>(file::element_count(array.shape)),
                  "as many numbers as the shape says");
  }
}
SLUICE_FUZZ_REPAIR(sluice::fuzz::repair_zip)
