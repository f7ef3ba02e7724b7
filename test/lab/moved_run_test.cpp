/// A run whose folder is exchanged for another while it comes to its end, after its results were written and before it says so.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/lab/run.hpp"
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

}  // namespace
}  // namespace sluice::lab
