/// Who is asked to stop does so within a second of work. It is processor time that counts: on a machine that is busy with other things a
/// program waits for its turn, and that is not its fault. Names are those of the causes that an attack on version 0.1.0 found.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "sluice/file/atomic_file.hpp"
#include "test/support/process.hpp"

namespace sluice {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using test::Process, test::Said, test::TempFolder;

/// What is there when the work has come to where it is to be stopped.
struct Case {
  const char* name;
  std::vector<std::string> words;
  const char* begun = "";                   ///< a file; none: from its start
  std::chrono::milliseconds after = 500ms;  ///< and so long after that
  bool keeps = true;                        ///< a state that a run goes on from
};

const std::vector<std::string> kLarge{"run",   "localization",        "--set",     "task.n=4096",
                                      "--set", "network.hidden=3000", "--set",     "probe.samples=2000000",
                                      "--set", "dynamics.steps=1",    "--threads", "1"};

const std::vector<Case>& cases() {
  static const std::vector<Case> all{
      {"M3_Evaluation", kLarge, "r/log.txt", 500ms, false},
      {"M3_FlowWhoseEndIsOutOfReach",
       {"run", "flow-nlgp", "--set", "dynamics.kind=flow", "--set", "dynamics.rate=1e300", "--threads", "1"},
       "r/log.txt"},
      {"M3_FlowOfOneUnitWhoseEndIsOutOfReach",
       {"run", "gaussian-control", "--set", "network.hidden=1", "--set", "dynamics.kind=flow", "--set",
        "dynamics.rate=1e200", "--set", "dynamics.steady=1e-300", "--threads", "1"},
       "r/log.txt"},
      {"M3_Step",
       {"run", "localization", "--set", "dynamics.batch=100000000", "--threads", "1"},
       "r/log.txt"},
      {"M3_StepOfADeepNetwork",
       {"run", "deep-linear", "--set", "network.width=1000", "--set", "task.samples=3000",
        "--checkpoint-every", "0", "--threads", "1"},
       "r/checkpoint.npz",
       300ms},
      {"M3_StepsTogether",
       {"sweep", "localization", "--over", "seed=1,2", "--set", "dynamics.batch=10000000", "--set",
        "sweep.share_samples=true", "--threads", "1"},
       "r/seed=1/log.txt"},
      {"M3_SetUp", {"sweep", "localization", "--over", "seed=1..9000", "--threads", "1"}, "", 300ms, false},
      {"M3_SetUpOfManySites",
       {"run", "localization", "--set", "task.n=1048576", "--set", "network.hidden=1"},
       "",
       300ms,
       false},
      {"M3_Samples",
       {"run", "localization", "--set", "task.n=1048576", "--set", "network.hidden=1", "--threads", "1"},
       "r/log.txt",
       500ms,
       false},
      {"M3_Predict", {"predict", "localization", "--threads", "1"}, "", 500ms, false},
      {"M3_Check", {"check", "--threads", "1"}, "", 500ms, false},
      {"M3_Kernel",
       {"kernel", "depth-frg", "--set", "task.samples=4000", "--samples", "4000", "--set",
        "network.width=2000", "--threads", "1"},
       "",
       500ms,
       false},
      {"M3_Sample", {"sample", "localization", "--count", "10000000"}, "", 500ms, false},
      {"M3_Branch", {"branch", "single-unit", "--threads", "1"}, "", 500ms, false},
      {"M3_Search", {"search", "gate-structure"}, "", 500ms, false},
  };
  return all;
}

std::vector<std::string> all_below(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) names.push_back(entry.path().lexically_relative(folder).string());
  return names;
}

class Stopping : public testing::TestWithParam<Case> {};

TEST_P(Stopping, TakesLessThanASecond) {
  const TempFolder folder;
  std::vector<std::string> words = GetParam().words;
  const bool runs = words[0] == "run" || words[0] == "sweep";
  if (runs) words.insert(words.end(), {"--out", "r", "--quiet"});
  Process process(words, folder.path());
  const auto patience = std::chrono::steady_clock::now() + 60s;
  const auto here = [&] { return fs::exists(folder / GetParam().begun); };
  while (*GetParam().begun != '\0' && !here() && std::chrono::steady_clock::now() < patience)
    std::this_thread::sleep_for(2ms);
  std::this_thread::sleep_for(GetParam().after);
  if (const std::optional<Said> ended = process.poll()) FAIL() << "was over before: " << ended->err;
  const double before = process.seconds();
  process.signal(SIGTERM);
  double after = before;
  std::optional<Said> said;
  while (!(said = process.poll()) && after - before < 20 && std::chrono::steady_clock::now() < patience) {
    std::this_thread::sleep_for(5ms);
    after = std::max(after, process.seconds());
  }
  if (!said) {
    process.signal(SIGKILL);
    process.wait();
  }
  ASSERT_TRUE(said) << after - before << " s of work, and still there";
  EXPECT_LT(after - before, 1.0) << said->err;
  EXPECT_EQ(said->code, 128 + SIGTERM) << said->err;
  bool kept = false;
  for (const std::string& name : all_below(folder.path())) {
    EXPECT_FALSE(file::is_temporary(fs::path(name).filename().string())) << name;
    EXPECT_NE(fs::path(name).filename(), ".sluice-lock") << name;
    kept = kept || fs::path(name).filename() == "checkpoint.npz";
    EXPECT_TRUE(runs) << name << ": nothing is kept by this verb";
  }
  EXPECT_EQ(kept, GetParam().keeps);
}
INSTANTIATE_TEST_SUITE_P(Of, Stopping, testing::ValuesIn(cases()),
                         [](const auto& instance) { return std::string(instance.param.name); });

/// Figures and page of many sites took the square of their number, and nobody looked whether they were still wanted.
TEST(Drawing, M12_GrowsNoFasterThanTheFieldsItDraws) {
  const TempFolder folder;
  const auto seconds_of = [&](const char* sites, const char* out) {
    EXPECT_EQ(test::sluice({"run", "localization", "--set", std::string("task.n=") + sites, "--set",
                            "network.hidden=1", "--set", "dynamics.steps=1", "--set", "dynamics.batch=2",
                            "--set", "probe.samples=100", "--out", out, "--quiet"},
                           folder.path())
                  .code,
              0);
    Process process({"figure", out, "evolution", "--format", "png", "--out", std::string(out) + ".png"},
                    folder.path());
    double seconds = 0;
    for (std::optional<Said> said; !said; said = process.poll()) {
      seconds = std::max(seconds, process.seconds());
      std::this_thread::sleep_for(2ms);
    }
    EXPECT_TRUE(fs::exists(folder / (std::string(out) + ".png")));
    return seconds;
  };
  // Quadratic, the first would take sixteen times the second: 30 s and more.
  const double many = seconds_of("65536", "many"), fewer = seconds_of("16384", "fewer");
  EXPECT_LT(many, 8 * std::max(fewer, 0.1)) << fewer;
}

/// A tolerance below what a double resolves would be met by no step.
TEST(Flow, M3_WithoutProgressIsRefusedOrEnds) {
  const TempFolder folder;
  const Said refused = test::sluice(
      {"run", "flow-nlgp", "--set", "dynamics.kind=flow", "--set", "dynamics.tolerance=1e-300", "--out", "r"},
      folder.path());
  EXPECT_EQ(refused.code, 2);
  EXPECT_EQ(refused.err, "sluice: --set: dynamics.tolerance = 1e-300: expected a number, 1e-14 or more\n");
  EXPECT_FALSE(fs::exists(folder / "r"));
  const Said ended =
      test::sluice({"run", "gaussian-control", "--set", "network.hidden=1", "--set", "dynamics.kind=flow",
                    "--set", "dynamics.rate=1e300", "--out", "r", "--quiet"},
                   folder.path());
  EXPECT_EQ(ended.code, 1) << ended.err;
  EXPECT_TRUE(ended.err.ends_with(
      ": its integrator would need too many steps to the next probe time; lower dynamics.rate, or "
      "raise dynamics.tolerance\n"))
      << ended.err;
  EXPECT_EQ(std::ranges::count(ended.err, '\n'), 1) << ended.err;
  const Said again = test::sluice({"run", "r/spec.toml", "--out", "r", "--resume", "--quiet"}, folder.path());
  EXPECT_EQ(again.code, 1);
  EXPECT_TRUE(again.err.ends_with("raise dynamics.tolerance\n"))
      << "what it ended with is read back: " << again.err;
}

/// "Out of memory" was said of files, too.
TEST(Reading, M11_AFileThatMemoryCannotHoldIsNamed) {
  const TempFolder folder;
  { std::ofstream(folder / "w.npz") << "PK"; }
  fs::resize_file(folder / "w.npz", std::uintmax_t{1} << 42);  // a hole of four terabytes
  const Said said = test::sluice({"probe", "w.npz"}, folder.path());
  EXPECT_EQ(said.code, 2);
  EXPECT_TRUE(said.err.starts_with("sluice: w.npz: 4398046511104 bytes, expected at most ")) << said.err;
  EXPECT_EQ(std::ranges::count(said.err, '\n'), 1) << said.err;
}

/// What cannot fit is said before a file is written, with what there is.
TEST(Estimate, M11_OfARunThatCannotFitNamesWhatThereIs) {
  const TempFolder folder;
  Process process({"run", "localization", "--set", "dynamics.steps=60000", "--set", "probe.every=1", "--set",
                   "probe.watch=[\"loss\"]", "--out", "r"},
                  folder.path(), RLIM_INFINITY, [] {
                    const rlimit space{std::uint64_t{1} << 30, std::uint64_t{1} << 30};
                    ::setrlimit(RLIMIT_AS, &space);
                  });
  const Said said = process.wait();
  EXPECT_EQ(said.code, 2) << said.err;
  EXPECT_EQ(std::ranges::count(said.err, '\n'), 1) << said.err;
  EXPECT_NE(said.err.find("r: needs at least "), std::string::npos) << said.err;
  EXPECT_NE(said.err.find(" of memory, and there are 1 GiB"), std::string::npos) << said.err;
  EXPECT_FALSE(fs::exists(folder / "r"));
}

}  // namespace
}  // namespace sluice
