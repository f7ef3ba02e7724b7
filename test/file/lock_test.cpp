#include "sluice/file/lock.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
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

TEST(Safety, H2_AFileThatIsNoLockIsLeftAlone) {
  const test::TempFolder folder;
  write_atomically(folder / ".sluice-lock", "mine");
  EXPECT_NE(error_of(folder.path()).find("not a lock of sluice; move it away"), std::string::npos);
  EXPECT_EQ(read_text(folder / ".sluice-lock"), "mine");
}

}  // namespace
}  // namespace sluice::file
