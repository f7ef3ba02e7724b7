/// Killed at any moment, a run resumes to the same bytes.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <random>
#include <thread>

#include "sluice/file/atomic_file.hpp"
#include "test/support/process.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;

const std::vector<std::string> kRun{"run",   "localization",        "--set",  "network.hidden=30",
                                    "--set", "dynamics.steps=4000", "--set",  "probe.every=100",
                                    "--set", "probe.samples=1000",  "--quiet"};

std::vector<std::string> with(std::vector<std::string> more) {
  std::vector<std::string> arguments = kRun;
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST(Resume, SurvivesSigkillAtRandomMoments) {
  const test::TempFolder folder;
  const auto begun = std::chrono::steady_clock::now();
  const std::vector<std::string> often{"--checkpoint-every",
                                       "0.005"};  // most kills hit a write or come soon after one
  ASSERT_EQ(test::sluice(with({"--out", "whole", often[0], often[1]}), folder.path()).code, 0);
  const double whole_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  const std::string whole = file::read_text(folder / "whole/record.npz");

  // Kills come on average every sixth of a run's time, so that several fit into one run.
  std::mt19937_64 random(20260101);
  std::exponential_distribution<double> wait(1 / (whole_seconds / 6));
  int kills = 0;
  int finished_runs = 0;
  for (int run = 0; kills < 25 || finished_runs < 2; ++run) {
    ASSERT_LT(run, 40);
    const std::string out = "killed" + std::to_string(run);
    for (;;) {
      test::Process process(with({"--out", out, "--resume", often[0], often[1]}), folder.path());
      const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(wait(random));
      std::optional<test::Said> said;
      while (!(said = process.poll()) && std::chrono::steady_clock::now() < end)
        std::this_thread::sleep_for(1ms);
      if (!said) {
        process.signal(SIGKILL);
        said = process.wait();
        if (said->code == 128 + SIGKILL) ++kills;
      }
      ASSERT_TRUE(said->code == 0 || said->code == 128 + SIGKILL) << said->err;
      if (said->code == 0) break;
    }
    ASSERT_EQ(file::read_text(folder / out / "record.npz"), whole) << "after " << kills << " kills";
    ++finished_runs;
  }
  RecordProperty("kills", kills);
  std::printf("%d kills over %d runs, every record identical\n", kills, finished_runs);
}

class Signals : public testing::TestWithParam<int> {};

TEST_P(Signals, KeepWhatWasMeasuredAndSayHowToResume) {
  const test::TempFolder folder;
  test::Process process({"run", "localization", "--set", "dynamics.steps=1000000", "--out", "r"},
                        folder.path());
  while (!std::filesystem::exists(folder / "r/log.txt")) {
    ASSERT_FALSE(process.poll()) << "ended before it began";
    std::this_thread::sleep_for(1ms);
  }
  std::this_thread::sleep_for(300ms);
  process.signal(GetParam());
  const test::Said said = process.wait();
  EXPECT_EQ(said.code, 128 + GetParam());
  EXPECT_NE(said.err.find("localization: stopped; what was measured is in r. Continue with\n"
                          "  sluice run r/spec.toml --out r --resume\n"),
            std::string::npos)
      << said.err;
  EXPECT_TRUE(std::filesystem::exists(folder / "r/record.npz"));
  EXPECT_TRUE(std::filesystem::exists(folder / "r/checkpoint.npz"));
}

INSTANTIATE_TEST_SUITE_P(All, Signals, testing::Values(SIGINT, SIGTERM, SIGHUP, SIGUSR1));

TEST(FullDisk, IsOneLineAndLosesNothing) {
  const test::TempFolder folder;
  ASSERT_EQ(test::sluice(with({"--out", "r", "--set", "dynamics.steps=10"}), folder.path()).code, 0);
  const std::string before = file::read_text(folder / "r/record.npz");
  // A file-size limit fails a write in the middle just as a full disk does. spec.toml fits, record.npz does
  // not.
  test::Process process(with({"--out", "s", "--set", "dynamics.steps=400"}), folder.path(), 20'000);
  const test::Said said = process.wait();
  EXPECT_EQ(said.code, 1);
  EXPECT_EQ(said.err, "sluice: s/record.npz: write failed: File too large\n");
  EXPECT_FALSE(std::filesystem::exists(folder / "s/record.npz"));
  for (const auto& entry : std::filesystem::directory_iterator(folder / "s")) {
    EXPECT_EQ(entry.path().filename().string().find("tmp"), std::string::npos) << entry.path();
  }
  EXPECT_EQ(file::read_text(folder / "r/record.npz"), before);
}

TEST(FullDisk, AFailedCheckpointDoesNotEndTheRun) {
  const test::TempFolder folder;
  // The stored checkpoint outgrows the limit, and so in the end does the record: both failures are told, the
  // run goes on in between.
  test::Process process({"run", "localization", "--set", "network.hidden=30", "--set", "dynamics.steps=200",
                         "--set", "probe.every=20", "--checkpoint-every", "0", "--out", "s"},
                        folder.path(), 20'000);
  const test::Said said = process.wait();
  EXPECT_EQ(said.code, 1);
  EXPECT_NE(said.err.find("localization: checkpoint not saved, going on: s/checkpoint.npz: write failed"),
            std::string::npos)
      << said.err;
  EXPECT_NE(said.err.find("sluice: s/record.npz: write failed: File too large"), std::string::npos)
      << said.err;
}

}  // namespace
}  // namespace sluice
