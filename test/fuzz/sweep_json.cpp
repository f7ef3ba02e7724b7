#include "sluice/lab/recorded.hpp"
#include "test/fuzz/target.hpp"

SLUICE_FUZZ_TARGET(sweep_json) {
  using namespace sluice;
  static const auto folder = fuzz::folder_with("two", "sweep.json");
  fuzz::file_with(bytes);
  lab::planned_points(folder);
}
