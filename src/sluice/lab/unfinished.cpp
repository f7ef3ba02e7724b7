#include "sluice/lab/unfinished.hpp"

#include "sluice/file/atomic_file.hpp"
#include "sluice/lab/simulation.hpp"
#include "sluice/lab/take_up.hpp"

namespace sluice::lab {
namespace fs = std::filesystem;

bool is_unfinished(const fs::path& folder) {
  std::error_code no_checkpoint, no_conclusion;
  const auto saved = fs::last_write_time(folder / "checkpoint.npz", no_checkpoint);
  const auto concluded = fs::last_write_time(folder / "run.json", no_conclusion);
  return !no_checkpoint && fs::exists(folder / "spec.toml") && (no_conclusion || concluded < saved);
}

record::Recording read_unfinished(const fs::path& folder) {
  const fs::path spec = folder / "spec.toml";
  const Setup setup(load({.name_or_file = spec.string()}));
  math::Workers workers(1);  // nothing is computed but summary numbers
  Simulation simulation(setup, workers);
  take_up(folder / "checkpoint.npz", file::read_text(spec), setup,
          simulation);  // what was watched; nothing goes on from here
  record::Recording recording =
      simulation.recording(fs::absolute(folder).filename().string(), Ending::interrupted);
  recording.status = "unfinished";
  recording.folder = folder;
  return recording;
}

}  // namespace sluice::lab
