/// Many processes on one sweep, killed at any moment: at the end every point is there once, and is what an undisturbed sweep makes it.
#include <gtest/gtest.h>

#include <sched.h>
#include <sys/mount.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <numeric>
#include <random>
#include <thread>

#include "sluice/file/atomic_file.hpp"
#include "test/support/process.hpp"

namespace sluice {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

/// `make test-long` asks for more of both.
int number_from(const char* variable, int usual) {
  const char* text = std::getenv(variable);
  return text == nullptr ? usual : std::atoi(text);
}

class Workers : public testing::Test {
 protected:
  const int points_ = number_from("SLUICE_TEST_POINTS", 24);
  const int kills_ = number_from("SLUICE_TEST_KILLS", 10);
  test::TempFolder folder_;
  std::mt19937_64 random_{20260117};

  std::vector<std::string> sweep(std::vector<std::string> more) const {
    std::vector<std::string> words{"sweep", "localization", "--over", "seed=1.." + std::to_string(points_)};
    for (const char* setting : {"task.n=12", "network.hidden=4", "dynamics.steps=20000", "dynamics.batch=100",
                                "probe.every=2000", "probe.samples=200"})
      words.insert(words.end(), {"--set", setting});
    words.insert(words.end(), {"--threads", "1", "--checkpoint-every", "0.005", "--quiet"});
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  void make_undisturbed() { ASSERT_EQ(test::sluice(sweep({"--out", "whole"}), folder_.path()).code, 0); }
  void expect_the_same(const std::string& out) const {
    for (int seed = 1; seed <= points_; ++seed) {
      const std::string point = "seed=" + std::to_string(seed);
      for (const char* name : {"record.npz", "metrics.csv", "spec.toml"})
        EXPECT_EQ(file::read_text(folder_ / out / point / name),
                  file::read_text(folder_ / "whole" / point / name))
            << point << "/" << name;
      EXPECT_FALSE(fs::exists(folder_ / out / point / ".sluice-lock"));
      EXPECT_FALSE(fs::exists(folder_ / out / point / "checkpoint.npz"));
    }
    EXPECT_EQ(file::read_text(folder_ / out / "summary.csv"), file::read_text(folder_ / "whole/summary.csv"));
    std::size_t folders = 0;
    for (const auto& entry : fs::directory_iterator(folder_ / out))
      folders += entry.is_directory() && entry.path().filename() != "figures" ? 1 : 0;
    EXPECT_EQ(folders, static_cast<std::size_t>(points_)) << "every point once";
  }
  /// So long that all kills come before the sweep is done, however fast the machine is.
  std::chrono::duration<double> a_while() {
    const double mean = whole_seconds_ / (3.0 * kills_);
    return std::chrono::duration<double>(std::exponential_distribution<double>(1 / mean)(random_));
  }
  double whole_seconds_ = 1;
};

/// Three workers; one after the other is killed and another takes its place, until there was enough of it.
TEST_F(Workers, KilledAtRandomLoseNothing) {
  make_undisturbed();
  std::vector<std::unique_ptr<test::Process>> workers(3);
  const std::vector<std::string> words = sweep({"--out", "s", "--resume", "--worker"});
  int kills = 0;
  bool over = false;
  const auto limit = std::chrono::steady_clock::now() + 20min;
  while (!over) {
    ASSERT_LT(std::chrono::steady_clock::now(), limit);
    for (auto& worker : workers)
      if (!worker) worker = std::make_unique<test::Process>(words, folder_.path());
    std::this_thread::sleep_for(a_while());
    const std::size_t victim = random_() % workers.size();
    for (std::size_t i = 0; i < workers.size(); ++i) {
      if (i == victim && kills < kills_) workers[i]->signal(SIGKILL);
      const auto said =
          i == victim && kills < kills_ ? std::optional(workers[i]->wait()) : workers[i]->poll();
      if (!said) continue;
      if (said->code == 128 + SIGKILL) {
        ++kills;
      } else {
        ASSERT_EQ(said->code, 0) << said->err;
        over = fs::exists(folder_ / "s/report.html");
      }
      workers[i].reset();
    }
  }
  for (auto& worker : workers) {
    if (worker) {
      EXPECT_EQ(worker->wait().code, 0);
    }
  }
  EXPECT_GE(kills, kills_ / 2) << "hardly anybody was killed: this test cannot fail";
  std::printf("%d kills over %d points, every record identical\n", kills, points_);
  expect_the_same("s");
}

/// Without a word about workers: who comes second takes what nobody has, waits for the rest, and both end with the whole.
TEST_F(Workers, TwoSweepsInOneFolderShareIt) {
  make_undisturbed();
  test::Process one(sweep({"--out", "s", "--resume"}), folder_.path());
  test::Process two(sweep({"--out", "s", "--resume"}), folder_.path());
  const test::Said first = one.wait(), second = two.wait();
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_EQ(second.code, 0) << second.err;
  expect_the_same("s");
}

TEST_F(Workers, ADiskThatIsFullStopsTheSweepAndLosesNothing) {
  make_undisturbed();
  // Records outgrow the limit from the first point on; what was finished before stays.
  ASSERT_EQ(test::sluice(sweep({"--out", "s", "--shard", "1/8", "--resume"}), folder_.path()).code, 0);
  test::Process full(sweep({"--out", "s", "--resume"}), folder_.path(), 3000);
  const test::Said said = full.wait();
  EXPECT_EQ(said.code, 1);
  EXPECT_NE(said.err.find("sweep: stopped: "), std::string::npos) << said.err;
  EXPECT_NE(said.err.find("File too large"), std::string::npos) << said.err;
  EXPECT_TRUE(fs::exists(folder_ / "s/seed=1/record.npz"));
  EXPECT_EQ(test::sluice(sweep({"--out", "s", "--resume"}), folder_.path()).code, 0);
  expect_the_same("s");
}

/// A disk that has no room for another point stops the sweep, too: points are not failed one after the other. On one thread the first point takes its files in the
/// same order every time: of disks with one file more each, on one it is its lock that has no room, on the next its manifest, then one of its
/// files. (Later points always have room for these: while the one before is written, there are more files than when it is.) Then on several threads.
TEST_F(Workers, ADiskWithoutRoomForAnotherPointStopsTheSweep) {
  constexpr int kNoDisk = 99;
  fs::create_directory(folder_ / "disk");
  bool before_its_files = false;
  std::string all_said;
  std::vector<int> disks(9);
  std::iota(disks.begin(), disks.end(), 5);
  const std::size_t on_one_thread = disks.size();
  for (int files = 54; files < 60; ++files) disks.push_back(files);
  for (std::size_t i = 0; i < disks.size(); ++i) {
    const int files = disks[i];
    const auto mount_small_disk = [&] {
      const std::string size = "size=4m,nr_inodes=" + std::to_string(files);
      const bool own = ::unshare(CLONE_NEWNS) == 0 || ::unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0;
      if (!own || ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
          ::mount("none", (folder_ / "disk").c_str(), "tmpfs", 0, size.c_str()) != 0)
        ::_exit(kNoDisk);
    };
    test::Process small({"sweep", "localization", "--over", "seed=1..12", "--set", "dynamics.steps=10",
                         "--threads", i < on_one_thread ? "1" : "4", "--quiet", "--out", "disk/s"},
                        folder_.path(), RLIM_INFINITY, mount_small_disk);
    const test::Said said = small.wait();
    if (said.code == kNoDisk) GTEST_SKIP() << "no file system can be mounted here";
    EXPECT_EQ(said.code, 1) << files << ": " << said.err;
    EXPECT_NE(said.err.find("sweep: stopped: "), std::string::npos) << files << ": " << said.err;
    EXPECT_NE(said.err.find("No space left on device"), std::string::npos) << files << ": " << said.err;
    before_its_files = before_its_files || said.err.find("cannot be used as a folder") != std::string::npos ||
                       said.err.find(".sluice-lock: cannot be written") != std::string::npos;
    all_said += said.err;
  }
  EXPECT_TRUE(before_its_files)
      << "every disk had room for folders and locks: this test does not see what it is for\n"
      << all_said;
}

}  // namespace
}  // namespace sluice
