#include "sluice/file/npy.hpp"

#include <cstring>

#include "test/fuzz/target.hpp"

namespace {

using sluice::file::Array;

std::size_t length_of(const Array& array) {
  return std::visit([](const auto& values) { return values.size(); }, array.data);
}

}  // namespace

SLUICE_FUZZ_TARGET(npy) {
  using namespace sluice;
  const Array array = file::parse_npy(fuzz::text(bytes), "input");
  fuzz::require(length_of(array) == static_cast<std::size_t>(file::element_count(array.shape)),
                "as many numbers as the shape says");
  const std::string written = file::npy_header(array) + std::string(file::raw_bytes(array));
  const Array again = file::parse_npy(written, "written");
  fuzz::require(again.shape == array.shape && again.data.index() == array.data.index() &&
                    file::raw_bytes(again) == file::raw_bytes(array),
                "what is written reads back the same");
}
