/// Without descriptors or memory nothing is known of a folder: it is not empty, not free, not without runs, and its runs are not damaged.
#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <functional>
#include <iterator>
#include <string>
#include <variant>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/lock.hpp"
#include "sluice/file/system.hpp"
#include "sluice/lab/experiment.hpp"
#include "sluice/lab/point_state.hpp"
#include "sluice/lab/remove_runs.hpp"
#include "sluice/lab/run_index.hpp"
#include "sluice/lab/run_row.hpp"
#include "sluice/lab/run_walk.hpp"
#include "sluice/record/manifest.hpp"
#include "sluice/record/run_folder.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice::lab {
namespace {

namespace fs = std::filesystem;
using Call = file::system::Call;
using file::FolderLock;

/// While it lives only so many calls of one kind succeed; and where nobody knows flock.
class Few {
 public:
  Few(int calls, Call of, int error, bool flock) {
    left_ = calls;
    of_ = of;
    error_ = error;
    flock_ = flock;
    file::system::ask([](Call call) {
      if (call == Call::lock && !flock_) return ENOSYS;
      return call == of_ && left_-- <= 0 ? error_ : 0;
    });
  }
  ~Few() { file::system::ask(nullptr); }
  Few(const Few&) = delete;
  Few& operator=(const Few&) = delete;
  static bool were_too_few() { return left_ < 0; }

 private:
  inline static std::atomic<int> left_ = 0;
  inline static Call of_ = Call::open;
  inline static int error_ = 0;
  inline static bool flock_ = true;
};

std::ptrdiff_t descriptors() {
  return std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator());
}

struct Shortage {
  Call of = Call::open;
  int error = EMFILE;
  bool flock = true;
};

/// How many calls it takes. With fewer it says so, whichever of them fails, and leaves no descriptor open.
int calls_taken(const std::function<void()>& work, Shortage shortage = {}) {
  constexpr int kMost = 60;
  for (int calls = 0; calls < kMost; ++calls) {
    const std::ptrdiff_t before = descriptors();
    bool said = false, too_few = false;
    {
      const Few few(calls, shortage.of, shortage.error, shortage.flock);
      try {
        work();
      } catch (const WorldError&) {
        said = true;
      }
      too_few = Few::were_too_few();
    }
    EXPECT_EQ(said, too_few) << "after " << calls << " calls";
    EXPECT_EQ(descriptors(), before) << "after " << calls << " calls";
    if (!too_few) return calls;
  }
  ADD_FAILURE() << "not with " << kMost << " calls";
  return kMost;
}

constexpr const char* kSpec = R"(
[task]
kind = "nlgp"
[network]
kind = "two-layer"
[dynamics]
kind = "sgd"
)";

/// A folder with a run of version 0.1.0 that has ended, and a file of somebody.
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
  EXPECT_EQ(calls_taken([&] { EXPECT_FALSE(record::is_vacant(folder.path())); }), 1);
  EXPECT_EQ(calls_taken([&] { EXPECT_EQ(record::entries_of(run).size(), 2U); }), 1);
}

TEST_F(Exhausted, ARunIsNotTakenForOneThatIsGone) {
  EXPECT_EQ(calls_taken([&] { EXPECT_EQ(find_runs(folder.path()).runs.size(), 1U); }), 2);
}

TEST_F(Exhausted, ARunIsNotTakenForADamagedOne) {
  const FoundRun found = find_runs(folder.path()).runs.at(0);
  const auto read = [&] {
    const RunRow row = read_row(run, found);
    EXPECT_EQ(std::get<std::string>(row.at(2).second), "finished");
  };
  EXPECT_EQ(calls_taken(read), 2);
  EXPECT_EQ(calls_taken(read, {.of = Call::read, .error = ENOMEM}), 2);
}

/// A row stays in the index as it was found, one that is missing there is not looked for.
TEST_F(Exhausted, TheIndexForgetsNothing) {
  const auto status = [&] {
    RunIndex index(folder.path());
    const RunTable table = index.select({});
    return table.rows.empty() ? "none" : std::get<std::string>(table.rows.front().at(2));
  };
  constexpr int kMost = 60;
  for (int calls = 0; calls < kMost; ++calls) {
    {
      const Few few(calls, Call::open, EMFILE, true);
      try {
        EXPECT_EQ(status(), "finished") << calls;  // without a file of its own where that is what it lacks
      } catch (const WorldError&) {
        EXPECT_TRUE(Few::were_too_few());
      }
      if (!Few::were_too_few()) return;
    }
    EXPECT_EQ(status(), "finished") << calls;
    fs::remove(folder.path() / record::kIndexName);
  }
  FAIL() << "never enough";
}

TEST_F(Exhausted, APointIsNotTakenForOneThatWasStopped) {
  EXPECT_EQ(calls_taken([&] { EXPECT_EQ(status_of(run).state, PointState::done); }), 1);
}

/// Without a manifest its files say what a folder is, as in version 0.1.0; one that is nothing of ours is not overwritten.
TEST_F(Exhausted, AFolderIsNotTakenForNothingOfOurs) {
  using record::Manifest;
  file::write_atomically(folder / "summary.csv", "seed,train_loss,train_accuracy,loss,accuracy,error\n1\n");
  const auto is = [](const fs::path& in, Manifest::Kind kind) {
    return [in, kind] { EXPECT_EQ(Manifest(in, is_spec).kind(), kind); };
  };
  EXPECT_EQ(calls_taken(is(folder.path(), Manifest::Kind::sweep)), 1);
  EXPECT_EQ(calls_taken(is(run, Manifest::Kind::run)), 2);
}

TEST_F(Exhausted, NothingIsRemovedOfWhatCouldNotBeLookedInto) {
  const auto plan = [&] { EXPECT_EQ(plan_removals({run}).size(), 1U); };
  EXPECT_GE(calls_taken(plan), 4) << "what it is, whether somebody is at work, what it holds";
}

/// Where flock is not known its file alone says that a holder lives, and files of the kernel that it is still the same process.
TEST_F(Exhausted, ALockIsNotTakenForOneOfTheDead) {
  const FolderLock held(run);
  const auto busy = [](const std::function<void()>& work) {
    return [work] {
      try {
        work();
        ADD_FAILURE() << "two have the lock";
      } catch (const file::Busy&) {
      }
    };
  };
  const auto look = busy([&] { FolderLock::require_free(run); });
  const auto take = busy([&] { const FolderLock second(run); });
  const Shortage of_flock_too{.flock = false};
  EXPECT_EQ(calls_taken(look), 1);
  EXPECT_EQ(calls_taken(look, of_flock_too), 3);
  EXPECT_EQ(calls_taken(take, of_flock_too), 4) << "two to open it";
  EXPECT_EQ(calls_taken(look, {.of = Call::read, .error = ENOMEM, .flock = false}), 3);
  EXPECT_EQ(calls_taken(take, {.of = Call::read, .error = ENOMEM, .flock = false}), 3);
  EXPECT_EQ(calls_taken([&] { EXPECT_TRUE(FolderLock::is_held(run)); }), 3);
  EXPECT_TRUE(FolderLock::is_held(run));
}

/// A lock that does not say whose it is would be taken for one of the dead.
TEST_F(Exhausted, ALockIsNotTakenWithoutANameInIt) {
  const auto take = [&] { const FolderLock lock(run); };
  EXPECT_EQ(calls_taken(take), 3) << "its file, when we began, which boot this is";
  EXPECT_FALSE(fs::exists(run / FolderLock::kName));
}

}  // namespace
}  // namespace sluice::lab
