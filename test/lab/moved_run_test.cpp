/// Runs and sweeps whose folder is exchanged for another while they are at work, the run after its results were written and before it says so.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/lab/run.hpp"
#include "sluice/lab/sweep.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice::lab {
namespace {

namespace fs = std::filesystem;

/// So few steps at such a rate that it ends with a remark: nothing was learned.
Experiment idle(int seed) {
  return load({.name_or_file = "localization",
               .assignments = {"seed=" + std::to_string(seed), "network.hidden=3", "dynamics.steps=2",
                               "dynamics.rate=1e-6", "probe.samples=2000"}});
}

std::map<std::string, std::string> all_in(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file())
      files[fs::relative(entry.path(), folder).string()] = file::read_text(entry.path());
  return files;
}

TEST(MovedRun, LeavesTheRunInItsPlaceAsItIs) {
  const test::TempFolder folder;
  run(idle(1), "other", {.out = folder / "other"});
  const auto other = all_in(folder / "other");
  bool exchanged = false;
  RunOptions options{.out = folder / "r"};
  options.remark = [&](const std::string& remark) {
    if (!remark.starts_with("nothing was learned")) return;
    fs::rename(folder / "r", folder / "moved");
    fs::rename(folder / "other", folder / "r");
    exchanged = true;
  };
  try {
    run(idle(0), "r", options);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const IoError& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with((folder / "r").string() + ": not the folder in which"))
        << error.what();
  }
  ASSERT_TRUE(exchanged);
  EXPECT_EQ(all_in(folder / "r"), other);
  // Where it is now it goes on to its end.
  fs::rename(folder / "r", folder / "other");
  fs::rename(folder / "moved", folder / "r");
  EXPECT_EQ(run(idle(0), "r", {.out = folder / "r", .existing = record::Existing::resume}).ending,
            Ending::finished);
}

/// The same of a sweep, between two of its points and after the last one.
TEST(MovedSweep, LeavesTheSweepInItsPlaceAsItIs) {
  for (const std::size_t after : {1, 2}) {
    SCOPED_TRACE(after);
    const test::TempFolder folder;
    const auto sweep_into = [&](const char* name, const char* seeds, const SweepHooks& hooks,
                                record::Existing existing) {
      return sweep({.name_or_file = "localization",
                    .assignments = {"network.hidden=3", "dynamics.steps=2", "probe.samples=100"}},
                   {parse_axis(seeds)}, {.out = folder / name, .existing = existing}, hooks);
    };
    sweep_into("other", "seed=1,2", {}, record::Existing::refuse);
    const auto other = all_in(folder / "other");
    std::size_t ended = 0;
    SweepHooks hooks;
    hooks.ends = [&](const std::string&, const Outcome&) {
      if (++ended != after) return;
      fs::rename(folder / "s", folder / "moved");
      fs::rename(folder / "other", folder / "s");
    };
    std::string said;
    try {
      said = sweep_into("s", "seed=3,4", hooks, record::Existing::refuse).stopped_by;
    } catch (const IoError& error) {
      said = error.what();
    }
    EXPECT_TRUE(said.starts_with((folder / "s").string() + ": not the folder in which")) << said;
    EXPECT_EQ(ended, after);
    EXPECT_EQ(all_in(folder / "s"), other);
    fs::rename(folder / "s", folder / "other");
    fs::rename(folder / "moved", folder / "s");
    EXPECT_TRUE(sweep_into("s", "seed=3,4", {}, record::Existing::resume).complete);
  }
}

}  // namespace
}  // namespace sluice::lab
