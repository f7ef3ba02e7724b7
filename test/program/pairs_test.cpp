/// Two processes in one folder: every verb that touches the folder of a run or a sweep, started beside every other. Each does what it was asked for, or says in one
/// line that another is at work there or that what it wanted is gone; afterwards nothing half-made lies about, what is not sluice's is as it was, and the
/// same sweep, gone on with, has the bytes that it has alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/lock.hpp"
#include "test/support/process.hpp"

namespace sluice {
namespace {

namespace fs = std::filesystem;
using test::with;
using Words = std::vector<std::string>;

const Words kTiny{"--set", "network.hidden=3",  "--set",  "task.n=8", "--set", "dynamics.steps=4",
                  "--set", "probe.samples=100", "--quiet"};
const Words kSweep = with({"sweep", "localization", "--over", "seed=1,2", "--out", "s"}, kTiny);

struct Actor {
  std::string name;
  Words words;
  std::string writes;  ///< the folder whose lock it needs; empty: it reads
};

const std::vector<Actor>& actors() {
  static const std::vector<Actor> all{
      {"Run", {"run", "s/seed=1/spec.toml", "--out", "s/seed=1", "--quiet"}, "s/seed=1"},
      {"Resume", {"run", "spec.toml", "--out", "s/seed=1", "--resume", "--quiet"}, "s/seed=1"},
      {"Overwrite", {"run", "spec.toml", "--out", "s/seed=1", "--overwrite", "--quiet"}, "s/seed=1"},
      {"GoOn",
       {"run", "--continue", "s/seed=1", "--set", "dynamics.steps=8", "--out", "c", "--overwrite", "--quiet"},
       ""},
      {"Probe", {"probe", "s/seed=1"}, "s/seed=1"},
      {"Report", {"report", "s/seed=1"}, "s/seed=1"},
      {"Figure", {"figure", "s/seed=1", "unit_map"}, "s/seed=1"},
      {"Freeze", {"freeze", "s/seed=1", "--out", "f.csv", "--overwrite"}, ""},
      {"Predict", {"predict", "spec.toml", "--against", "s/seed=1"}, ""},
      {"SweepOn", with(kSweep, {"--resume"}), "s"},
      {"SweepAnew", with(kSweep, {"--overwrite"}), "s"},
      {"ReportSweep", {"report", "s", "--out", "page.html", "--overwrite"}, ""},
      {"ReportEach", {"report", "s", "--each"}, "s"},
      {"FigureSweep", {"figure", "s", "comparison"}, "s"},
      {"Runs", {"runs", "s"}, ""},
      {"Remove", {"runs", "rm", "s/seed=1", "--yes"}, "s/seed=1"},
      {"RemoveSweep", {"runs", "rm", "s", "--yes"}, "s"},
  };
  return all;
}

bool is_one_line(const std::string& text) { return std::ranges::count(text, '\n') == 1; }

class Pairs : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    original_ = new test::TempFolder;
    ASSERT_EQ(test::sluice(kSweep, original_->path()).code, 0);
    fs::copy_file(*original_ / "s/seed=1/spec.toml", *original_ / "spec.toml");
  }
  static void TearDownTestSuite() { delete std::exchange(original_, nullptr); }

  static std::map<std::string, std::string> results_in(const fs::path& folder) {
    std::map<std::string, std::string> files;
    for (const char* name : {"s/seed=1/record.npz", "s/seed=1/spec.toml", "s/seed=1/metrics.csv",
                             "s/seed=2/record.npz", "s/seed=2/spec.toml", "s/summary.csv"})
      files[name] = file::read_text(folder / name);
    return files;
  }
  static void expect_nothing_half_made(const fs::path& folder) {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      EXPECT_FALSE(file::is_temporary(entry.path().filename().string())) << entry.path();
      EXPECT_NE(entry.path().filename(), file::FolderLock::kName) << entry.path();
    }
  }
  static const fs::path& original() { return original_->path(); }

 private:
  inline static test::TempFolder* original_ = nullptr;
};

/// While the lock is held, nobody changes anything, and says who is there.
TEST_F(Pairs, WhoNeedsALockThatIsHeldIsRefused) {
  for (const Actor& actor : actors()) {
    // A plain run refuses the folder for what is in it; sweeps and report --each wait for whoever plans or compares there (Workers.TwoSweepsInOneFolderShareIt).
    if (actor.writes.empty() || actor.name == "Run" || actor.name.starts_with("Sweep") ||
        actor.name == "ReportEach")
      continue;
    SCOPED_TRACE(actor.name);
    const test::TempFolder folder;
    fs::copy(original(), folder.path(), fs::copy_options::recursive);
    const auto before = results_in(folder.path());
    const file::FolderLock lock(folder / actor.writes);
    const test::Said said = test::sluice(actor.words, folder.path());
    const std::string busy = actor.writes + ": another sluice (pid " + std::to_string(::getpid());
    EXPECT_EQ(said.code, 2);
    EXPECT_NE((said.err + said.out).find(busy), std::string::npos) << said.err << said.out;
    EXPECT_EQ(results_in(folder.path()), before);
  }
}

TEST_F(Pairs, BothDoWhatTheyWereAskedForOrSayWhyNot) {
  const auto expected = results_in(original());
  const bool all = std::getenv("SLUICE_LONG_TESTS") != nullptr;
  std::size_t number = 0, pairs = 0;
  std::map<int, int> endings;
  for (std::size_t i = 0; i < actors().size(); ++i)
    for (std::size_t j = i; j < actors().size(); ++j, ++number) {
      if (!all && number % 5 != 0) continue;
      const Actor &one = actors()[i], &two = actors()[j];
      SCOPED_TRACE(one.name + " beside " + two.name);
      ++pairs;
      const test::TempFolder folder;
      fs::copy(original(), folder.path(), fs::copy_options::recursive);
      const bool removes = one.name.starts_with("Remove") || two.name.starts_with("Remove");
      const fs::path mine =
          folder / "s/seed=1/mine.txt";  // runs rm rightly leaves a folder where it finds one
      if (!removes) file::write_atomically(mine, "precious");
      test::Process first(one.words, folder.path()), second(two.words, folder.path());
      for (test::Process* each : {&first, &second}) {
        const test::Said said = each->wait();
        ++endings[said.code];
        // Whose folder got a new file while it was removed says that this one stays.
        const bool stays =
            said.code == 1 &&
            said.err.find("the folder cannot be removed: Directory not empty") != std::string::npos;
        EXPECT_TRUE(said.code == 0 || said.code == 2 || (stays && removes)) << said.code << ": " << said.err;
        if (said.code != 0) {
          EXPECT_TRUE(is_one_line(said.err)) << said.err;
        }
      }
      if (!removes) {
        EXPECT_EQ(file::read_text(mine), "precious");
      }
      expect_nothing_half_made(folder.path());
      const test::Said on = test::sluice(with(kSweep, {"--resume"}), folder.path());
      EXPECT_EQ(on.code, 0) << on.err;
      EXPECT_EQ(results_in(folder.path()), expected);
      if (HasFailure()) return;
    }
  EXPECT_GT(endings[0], 0);
  EXPECT_GT(endings[2], 0) << "nobody ever met another: this test cannot fail";
  std::printf("%zu pairs: %d did what they were asked for, %d said why not\n", pairs, endings[0], endings[2]);
}

}  // namespace
}  // namespace sluice
