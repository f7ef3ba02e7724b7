#include "sluice/file/json_labels.hpp"

#include <algorithm>

#include "test/fuzz/target.hpp"

SLUICE_FUZZ_TARGET(json_labels) {
  using namespace sluice;
  const auto labels = file::read_json_labels(fuzz::file_with(bytes), 10);
  fuzz::require(std::ranges::all_of(labels, [](int label) { return label < 10; }), "labels are classes");
}
SLUICE_FUZZ_REPAIR(sluice::fuzz::repair_gzip)
