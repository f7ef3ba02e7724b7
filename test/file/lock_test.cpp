#include "sluice/file/lock.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <fstream>
#include <memory>
#include <sstream>
#include <thread>
#include <vector>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/system.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice::file {
namespace {

namespace fs = std::filesystem;

std::string error_of(const fs::path& folder) {
  try {
    const FolderLock lock(folder);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

std::string line_of(const std::string& path) {
  std::ifstream stream(path);
  std::string line;
  std::getline(stream, line);
  return line;
}

std::string start_of(pid_t pid) {
  const std::string stat = line_of("/proc/" + std::to_string(pid) + "/stat");
  std::istringstream fields(stat.substr(stat.rfind(')') + 1));
  std::string field;
  for (int i = 3; i <= 22; ++i) fields >> field;
  return field;
}

/// A lock file that nobody holds by flock: its writer was killed, or is where flock does not reach.
void leave_lock(const fs::path& folder, pid_t pid, const std::string& start, const std::string& host) {
  std::ofstream(folder / ".sluice-lock")
      << "lock of sluice\npid " << pid << "\nstart " << start << "\nboot "
      << line_of("/proc/sys/kernel/random/boot_id") << "\nhost " << host << "\nsince 2026-01-01 00:00:00\n";
}

std::string this_host() { return line_of("/proc/sys/kernel/hostname"); }

TEST(Safety, H2_OneHoldsTheLockAndTheOtherIsToldWho) {
  const test::TempFolder folder;
  {
    const FolderLock lock(folder.path());
    const std::string who =
        "another sluice (pid " + std::to_string(::getpid()) + ", host " + this_host() + ", since ";
    EXPECT_NE(error_of(folder.path()).find(who), std::string::npos) << error_of(folder.path());
    EXPECT_NE(error_of(folder.path()).find("is at work there"), std::string::npos);
  }
  EXPECT_TRUE(fs::is_empty(folder.path())) << "released, nothing is left";
  EXPECT_EQ(error_of(folder.path()), "no error");
}

TEST(Safety, H2_ALockIsTakenOverFromTheDeadAndNotFromTheLiving) {
  const test::TempFolder folder;
  const pid_t living = ::getppid();
  leave_lock(folder.path(), 0x7ffffff0, "1", this_host());
  EXPECT_EQ(error_of(folder.path()), "no error") << "no such process";
  leave_lock(folder.path(), living, start_of(living) + "1", this_host());
  EXPECT_EQ(error_of(folder.path()), "no error") << "its pid was given to another process";
  leave_lock(folder.path(), living, start_of(living), this_host());
  EXPECT_NE(error_of(folder.path()).find("is at work there"), std::string::npos);
  EXPECT_TRUE(fs::exists(folder / ".sluice-lock")) << "a lock that is not ours stays";
}

/// A killed process gives flock back first, then it is one whose parent has not asked how it ended, then it is gone.
TEST(Safety, H2_ALockIsTakenOverFromTheDying) {
  const test::TempFolder folder;
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  siginfo_t ended{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT), 0);
  leave_lock(folder.path(), child, start_of(child), this_host());
  EXPECT_EQ(error_of(folder.path()), "no error");
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);

  leave_lock(folder.path(), ::getppid(), start_of(::getppid()), this_host());  // lives, and then does not
  std::thread death([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    leave_lock(folder.path(), ::getppid(), "1", this_host());
  });
  EXPECT_NO_THROW(FolderLock(folder.path(), std::chrono::seconds(20)));
  death.join();
}

TEST(Safety, H2_ALockOfAnotherHostIsRespectedWhileItBeats) {
  const test::TempFolder folder;
  leave_lock(folder.path(), 1, "1", "elsewhere");
  EXPECT_NE(error_of(folder.path()).find("pid 1, host elsewhere"), std::string::npos)
      << error_of(folder.path());
  const timespec three_minutes_ago{::time(nullptr) - 180, 0};
  const timespec times[2]{three_minutes_ago, three_minutes_ago};
  ASSERT_EQ(::utimensat(AT_FDCWD, (folder / ".sluice-lock").c_str(), times, 0), 0);
  EXPECT_EQ(error_of(folder.path()), "no error");
}

/// A sweep on a device holds thousands at once: they share one heart, which is gone with the last of them.
TEST(Safety, H2_ManyLocksHaveOneThread) {
  const auto threads = [] {
    return std::distance(fs::directory_iterator("/proc/self/task"), fs::directory_iterator());
  };
  const auto before = threads();
  {
    const test::TempFolder one, two, three;
    const FolderLock first(one.path());
    {
      const FolderLock second(two.path()), third(three.path());
      EXPECT_EQ(threads(), before + 1);
    }
    EXPECT_EQ(threads(), before + 1) << "the first is still held";
  }
  for (int i = 0; threads() != before && i < 1000; ++i)  // what was joined is listed a moment longer
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(threads(), before);
}

/// As a file system that knows no flock answers.
int refuse_flock(system::Call call) { return call == system::Call::lock ? ENOLCK : 0; }

class WithoutFlock : public testing::Test {
 protected:
  WithoutFlock() { system::ask(refuse_flock); }
  ~WithoutFlock() override { system::ask(nullptr); }
  void age(int seconds) const {
    const timespec then{::time(nullptr) - seconds, 0};
    const timespec times[2]{then, then};
    ASSERT_EQ(::utimensat(AT_FDCWD, (folder_ / ".sluice-lock").c_str(), times, 0), 0);
  }
  const test::TempFolder folder_;
};

TEST_F(WithoutFlock, H2_TheFileIsTheLock) {
  {
    const FolderLock lock(folder_.path());
    EXPECT_NE(error_of(folder_.path()).find("another sluice (pid " + std::to_string(::getpid())),
              std::string::npos);
    EXPECT_THROW(FolderLock::require_free(folder_.path()), Busy);
    EXPECT_TRUE(FolderLock::is_held(folder_.path()));
  }
  EXPECT_TRUE(fs::is_empty(folder_.path())) << "released, nothing is left";
  leave_lock(folder_.path(), 0x7ffffff0, "1", this_host());
  EXPECT_EQ(error_of(folder_.path()), "no error") << "no such process";
  EXPECT_TRUE(fs::is_empty(folder_.path()));
  leave_lock(folder_.path(), ::getppid(), start_of(::getppid()), this_host());
  EXPECT_NE(error_of(folder_.path()).find("is at work there"), std::string::npos);
  leave_lock(folder_.path(), 1, "1", "elsewhere");
  EXPECT_NE(error_of(folder_.path()).find("host elsewhere"), std::string::npos);
  age(180);
  EXPECT_EQ(error_of(folder_.path()), "no error");
}

/// One that was made and not written yet, or that had no room for a word: its holder is not known, that it was touched is.
TEST_F(WithoutFlock, H2_AnEmptyFileIsALockWhileItIsYoung) {
  write_atomically(folder_ / ".sluice-lock", "");
  EXPECT_NE(error_of(folder_.path()).find("another sluice is at work there"), std::string::npos);
  age(180);
  EXPECT_EQ(error_of(folder_.path()), "no error");
}

TEST_F(WithoutFlock, H2_ALockThatWasTakenForDeadStaysWithWhoTookIt) {
  {
    const FolderLock silent(folder_.path());
    fs::remove(folder_ / ".sluice-lock");
    leave_lock(folder_.path(), ::getppid(), start_of(::getppid()), this_host());
  }
  EXPECT_TRUE(fs::exists(folder_ / ".sluice-lock"));
}

/// Processes that want it at once, each of which dies with it in the end: nobody is ever there with another.
TEST_F(WithoutFlock, H2_OnlyOneOfManyHasIt) {
  constexpr int kProcesses = 6, kTimes = 40;
  write_atomically(folder_ / "count", "0");
  std::vector<pid_t> all;
  for (int i = 0; i < kProcesses; ++i) {
    all.push_back(::fork());
    if (all.back() != 0) continue;
    for (int time = 0; time < kTimes; ++time) {
      auto lock = std::make_unique<FolderLock>(folder_.path(), std::chrono::seconds(60));
      std::ifstream in(folder_ / "count");
      int count = 0;
      in >> count;
      ::usleep(200);
      std::ofstream(folder_ / "count") << count + 1;
      if (time + 1 == kTimes) ::_exit(0);  // with the lock
    }
  }
  for (const pid_t each : all) {
    int status = 0;
    ASSERT_EQ(::waitpid(each, &status, 0), each);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(read_text(folder_ / "count"), std::to_string(kProcesses * kTimes));
}

TEST(Safety, H2_AFileThatIsNoLockIsLeftAlone) {
  const test::TempFolder folder;
  write_atomically(folder / ".sluice-lock", "mine");
  EXPECT_NE(error_of(folder.path()).find("not a lock of sluice; move it away"), std::string::npos);
  EXPECT_EQ(read_text(folder / ".sluice-lock"), "mine");
}

}  // namespace
}  // namespace sluice::file
