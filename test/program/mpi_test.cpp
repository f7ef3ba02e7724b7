/// Under mpirun: one training on several ranks, and sweeps whose ranks share the points.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <random>
#include <thread>

#include "sluice/file/atomic_file.hpp"
#include "test/support/process.hpp"

namespace sluice {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

const std::string kMpirun = "/usr/bin/mpirun";

/// Ranks on this machine, as many as are asked for, whoever we are.
std::vector<std::string> ranks(int count, const std::vector<std::string>& words) {
  std::vector<std::string> all{"--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n",
                               std::to_string(count), test::program()};
  all.insert(all.end(), words.begin(), words.end());
  return all;
}

class Mpi : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(kMpirun)) GTEST_SKIP() << "no mpirun (openmpi-bin)";
    if (!fs::exists(fs::path(test::program()).parent_path() / "libsluice_mpi.so"))
      GTEST_SKIP() << "built without MPI (libopenmpi-dev)";
  }
  test::TempFolder folder_;
};

std::vector<std::string> training(const std::string& out) {
  return {"run",       "localization",
          "--set",     "network.hidden=7",
          "--set",     "dynamics.steps=60",
          "--set",     "probe.every=20",
          "--threads", "1",
          "--quiet",   "--out",
          out};
}

TEST_F(Mpi, ATrainingOnSeveralRanksHasTheBitsOfOneProcess) {
  ASSERT_EQ(test::sluice(training("alone"), folder_.path()).code, 0);
  for (const int count : {2, 3, 4}) {
    const std::string out = "ranks" + std::to_string(count);
    const test::Said said = test::run(kMpirun, ranks(count, training(out)), folder_.path());
    ASSERT_EQ(said.code, 0) << said.err;
    EXPECT_EQ(file::read_text(folder_ / out / "record.npz"), file::read_text(folder_ / "alone/record.npz"));
  }
  // And with an optimiser that remembers.
  std::vector<std::string> adam = training("adam");
  adam.insert(adam.end(), {"--set", "dynamics.kind=adam"});
  ASSERT_EQ(test::sluice(adam, folder_.path()).code, 0);
  adam.back() = "dynamics.kind=adam";
  std::vector<std::string> again = adam;
  *std::find(again.begin(), again.end(), "adam") = "adam2";
  const test::Said said = test::run(kMpirun, ranks(2, again), folder_.path());
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(file::read_text(folder_ / "adam2/record.npz"), file::read_text(folder_ / "adam/record.npz"));
}

TEST_F(Mpi, WhatCannotBeSpreadIsRefusedInOneLineAndNobodyHangs) {
  for (const auto& [words, why] :
       {std::pair{std::vector<std::string>{"run", "depth-relu", "--out", "r"},
                  "network.kind = \"deep-gated\""},
        {{"run", "localization", "--set", "dynamics.kind=flow", "--out", "r"}, "dynamics.kind = \"flow\""},
        {{"run", "nowhere", "--out", "r"}, "no such experiment"}}) {
    const test::Said said = test::run(kMpirun, ranks(2, words), folder_.path());
    EXPECT_NE(said.code, 0);
    EXPECT_NE(said.err.find(why), std::string::npos) << said.err;
    EXPECT_FALSE(fs::exists(folder_ / "r/spec.toml"));
  }
}

std::vector<std::string> sweep(const std::string& out, int points) {
  std::vector<std::string> words{"sweep", "localization", "--over", "seed=1.." + std::to_string(points)};
  for (const char* setting : {"task.n=12", "network.hidden=4", "dynamics.steps=20000", "dynamics.batch=100",
                              "probe.every=2000", "probe.samples=200"})
    words.insert(words.end(), {"--set", setting});
  words.insert(words.end(),
               {"--threads", "1", "--checkpoint-every", "0.005", "--quiet", "--resume", "--out", out});
  return words;
}

/// The ranks begin together in a folder that is not there: what one of them finds made is of another, not a stranger's.
TEST_F(Mpi, ANewSweepIsSharedByItsRanks) {
  constexpr int kPoints = 6;
  std::vector<std::string> words = sweep("new", kPoints);
  std::erase(words, "--resume");
  const test::Said said = test::run(kMpirun, ranks(3, words), folder_.path());
  EXPECT_EQ(said.code, 0) << said.err;
  for (int seed = 1; seed <= kPoints; ++seed)
    EXPECT_TRUE(fs::exists(folder_ / "new" / ("seed=" + std::to_string(seed)) / "record.npz")) << seed;
  EXPECT_NE(test::run(kMpirun, ranks(2, words), folder_.path()).code, 0) << "not empty now";
}

/// Whole jobs are killed in the middle and started again, with other numbers of ranks.
TEST_F(Mpi, JobsKilledAndStartedAgainLoseNothing) {
  const char* asked = std::getenv("SLUICE_TEST_POINTS");
  const int points = asked == nullptr ? 12 : std::atoi(asked);
  const int kills = asked == nullptr ? 4 : 20;
  ASSERT_EQ(test::sluice(sweep("whole", points), folder_.path()).code, 0);
  std::mt19937_64 random(5);
  const auto finished = [&] {
    int count = 0;
    for (int seed = 1; seed <= points; ++seed)
      count += fs::exists(folder_ / "s" / ("seed=" + std::to_string(seed)) / "run.json") ? 1 : 0;
    return count;
  };
  int killed = 0;
  for (int start = 0;; ++start) {
    ASSERT_LT(start, 200);
    const int before = finished();
    test::Process job(
        ranks(2 + start % 3, sweep("s", points)), folder_.path(), RLIM_INFINITY, [] { ::setsid(); }, kMpirun);
    std::optional<test::Said> said;
    while (!(said = job.poll()) && (killed >= kills || finished() == before))
      std::this_thread::sleep_for(2ms);
    if (said) {
      ASSERT_EQ(said->code, 0) << said->err;
      break;
    }
    std::this_thread::sleep_for(
        std::chrono::microseconds(random() % 30'000));  // in the middle of the points after it
    job.signal_group(SIGKILL);
    if (job.wait().code == 128 + SIGKILL) ++killed;
  }
  EXPECT_GE(killed, kills / 2) << "hardly any job was killed: this test cannot fail";
  for (int seed = 1; seed <= points; ++seed) {
    const std::string point = "seed=" + std::to_string(seed) + "/record.npz";
    EXPECT_EQ(file::read_text(folder_ / "s" / point), file::read_text(folder_ / "whole" / point)) << point;
  }
  EXPECT_EQ(file::read_text(folder_ / "s/summary.csv"), file::read_text(folder_ / "whole/summary.csv"));
  std::printf("%d jobs killed, every record identical\n", killed);
}

}  // namespace
}  // namespace sluice
