/// Without descriptors nothing is known of a folder: it is not empty, not free, not without runs, and its runs are not damaged.
#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <string>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/lock.hpp"
#include "sluice/file/system.hpp"
#include "sluice/lab/experiment.hpp"
#include "sluice/lab/point_state.hpp"
#include "sluice/lab/recorded.hpp"
#include "sluice/lab/remove_runs.hpp"
#include "sluice/lab/run_row.hpp"
#include "sluice/lab/run_walk.hpp"
#include "sluice/record/manifest.hpp"
#include "sluice/record/run_folder.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice::lab {
namespace {

namespace fs = std::filesystem;
using Call = file::system::Call;

/// While it lives no file and no folder can be opened any more, once `left` were; and where nobody knows flock.
class NoDescriptors {
 public:
  explicit NoDescriptors(int left = 0, bool flock = true) {
    left_ = left;
    flock_ = flock;
    file::system::ask([](Call call) {
      if (call == Call::lock && !flock_) return ENOSYS;
      return call == Call::open && left_-- <= 0 ? EMFILE : 0;
    });
  }
  ~NoDescriptors() { file::system::ask(nullptr); }
  NoDescriptors(const NoDescriptors&) = delete;
  NoDescriptors& operator=(const NoDescriptors&) = delete;
  static bool were_wanted() { return left_ < 0; }

 private:
  inline static std::atomic<int> left_ = 0;
  inline static std::atomic<bool> flock_ = true;
};

constexpr const char* kSpec = R"(
[task]
kind = "nlgp"
[network]
kind = "two-layer"
[dynamics]
kind = "sgd"
)";

/// A folder with a run that has ended, and a file of somebody.
struct Exhausted : ::testing::Test {
  Exhausted() {
    fs::create_directory(run);
    file::write_atomically(run / "spec.toml", kSpec);
    file::write_atomically(run / "run.json", R"({"sluice": "0.1.0", "status": "finished"})");
    file::write_atomically(folder / "notes.txt", "mine");
  }
  test::TempFolder folder;
  const fs::path run = folder / "seed=1";
};

TEST_F(Exhausted, AFolderIsNotTakenForAnEmptyOne) {
  const NoDescriptors none;
  EXPECT_THROW(static_cast<void>(record::is_vacant(folder.path())), ExhaustedError);
  EXPECT_THROW(static_cast<void>(record::is_vacant(run)), ExhaustedError);
  EXPECT_THROW(static_cast<void>(read_runs(folder.path())), ExhaustedError);
  EXPECT_THROW(static_cast<void>(plan_removals({run})), ExhaustedError);
}

/// Wherever the descriptors end: the walk opens two folders.
TEST_F(Exhausted, ARunIsNotTakenForOneThatIsGone) {
  for (int left = 0;; ++left) {
    const NoDescriptors few(left);
    std::optional<FoundRuns> found;
    try {
      found = find_runs(folder.path());
    } catch (const ExhaustedError&) {
      EXPECT_TRUE(NoDescriptors::were_wanted());
      continue;
    }
    ASSERT_FALSE(NoDescriptors::were_wanted());
    EXPECT_EQ(found->runs.size(), 1U);
    EXPECT_EQ(left, 2);
    return;
  }
}

/// A row is kept in the index: one that says "unreadable" would be there when the descriptors are back.
TEST_F(Exhausted, ARunIsNotTakenForADamagedOne) {
  const FoundRun found = find_runs(folder.path()).runs.at(0);
  for (int left = 0; left < 2; ++left) {
    const NoDescriptors few(left);
    EXPECT_THROW(static_cast<void>(read_row(run, found)), ExhaustedError) << left;
  }
  const NoDescriptors enough(2);
  EXPECT_EQ(std::get<std::string>(read_row(run, found).at(2).second), "finished");
}

TEST_F(Exhausted, APointIsNotTakenForOneThatWasStopped) {
  const NoDescriptors none;
  EXPECT_THROW(static_cast<void>(status_of(run)), ExhaustedError);
}

/// Without a manifest its files say what a folder is, as in version 0.1.0; one that is nothing of ours is not overwritten.
TEST_F(Exhausted, AFolderIsNotTakenForNothingOfOurs) {
  file::write_atomically(folder / "summary.csv", "seed,train_loss,train_accuracy,loss,accuracy,error\n1\n");
  const auto found_with = [](int left, const fs::path& in) -> std::optional<record::Manifest::Kind> {
    const NoDescriptors few(left);
    try {
      return record::Manifest(in, is_spec).kind();
    } catch (const ExhaustedError&) {
      return std::nullopt;
    }
  };
  EXPECT_EQ(found_with(0, folder.path()), std::nullopt);
  EXPECT_EQ(found_with(1, folder.path()), record::Manifest::Kind::sweep);
  EXPECT_EQ(found_with(0, run), std::nullopt);
  EXPECT_EQ(found_with(1, run), std::nullopt);
  EXPECT_EQ(found_with(2, run), record::Manifest::Kind::run);
}

/// Where flock is not known its file alone says that a holder lives, and files of the kernel that it is still the same process.
TEST_F(Exhausted, ALockIsNotTakenForOneOfTheDead) {
  const file::FolderLock held(run);
  for (const bool flock : {true, false}) {
    int left = 0;
    for (bool wanted = true; wanted; ++left) {
      const NoDescriptors few(left, flock);
      std::string told = "nothing";
      try {
        file::FolderLock::require_free(run);
      } catch (const ExhaustedError&) {
        told = "no descriptors";
      } catch (const file::Busy&) {
        told = "busy";
      }
      wanted = NoDescriptors::were_wanted();
      EXPECT_EQ(told, wanted ? "no descriptors" : "busy") << left << ", with flock: " << flock;
    }
    EXPECT_GE(left, flock ? 2 : 4);
    const NoDescriptors none(0, flock);
    EXPECT_THROW(static_cast<void>(file::FolderLock::is_held(run)), ExhaustedError);
    EXPECT_THROW(file::FolderLock{run}, WorldError);
  }
}

}  // namespace
}  // namespace sluice::lab
