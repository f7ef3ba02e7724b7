#include "sluice/record/recording.hpp"

#include "test/fuzz/target.hpp"

SLUICE_FUZZ_TARGET(run_json) {
  using namespace sluice;
  static const auto folder = fuzz::folder_with("two", "run.json");
  fuzz::file_with(bytes);
  const record::Recording recording = record::read_recording(folder);
  record::to_json(recording).dump();
}
