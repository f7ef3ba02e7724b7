/// Asked to stop, or without room on the disk, a run keeps what it has and says how to go on. Killed: kills_test.cpp.
#include <gtest/gtest.h>

#include <chrono>
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
