#include "sluice/task/own_set.hpp"

#include "sluice/task/dataset.hpp"
#include "test/fuzz/target.hpp"

SLUICE_FUZZ_TARGET(own_set) {
  using namespace sluice;
  task::DatasetOptions options;
  options.path = fuzz::file_with(bytes);
  const task::OwnSet own = task::load_own_set(options);
  fuzz::require(own.rows.x.size() == own.rows.y.size() * static_cast<std::size_t>(own.layout.inputs()),
                "as many numbers as rows and inputs");
}
SLUICE_FUZZ_REPAIR(sluice::fuzz::repair_zip)
