#include "sluice/file/atomic_file.hpp"
#include "sluice/lab/take_up.hpp"
#include "sluice/math/stopping.hpp"
#include "test/fuzz/folders.hpp"

namespace {

using namespace sluice;

struct Begun {
  std::string spec;
  lab::Setup setup;

  explicit Begun(const char* name)
      : spec(file::read_text(std::filesystem::path(FUZZ_FOLDER) / "folders" / name / "endless.toml")),
        setup(lab::parse_spec(spec, name)) {}
};

}  // namespace

/// A checkpoint, held against the setup of its run.
SLUICE_FUZZ_TARGET(resume) {
  const auto which = fuzz::folder_of(bytes);
  if (!which) return;
  static std::array<std::optional<Begun>, fuzz::kFolders.size()> all;
  if (!all[*which]) all[*which].emplace(fuzz::kFolders[*which]);
  static math::Workers workers(1);
  const Begun& begun = *all[*which];
  lab::Simulation simulation(begun.setup, workers);
  const auto& path = fuzz::file_with(bytes.subspan(1));
  simulation.begin_at(lab::take_up(path, begun.spec, begun.setup, simulation));
  const math::Stoppable at_once([] {
    return true;
  });  // who is in a hurry draws no samples for a summary: they are none of a reader's business
  simulation.recording("input", lab::Ending::interrupted);
}
SLUICE_FUZZ_REPAIR(sluice::fuzz::behind_letter(sluice::fuzz::repair_checkpoint))
