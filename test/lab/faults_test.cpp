/// Every call that touches a file fails once, the first, the second, …, over a whole run, a resumed run and a sweep: afterwards the folder holds the old or the new
/// state, the failure was said in one line, and going on leads to the bytes of a run that nothing happened to. (As SQLite tests itself.)
#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/lock.hpp"
#include "sluice/file/system.hpp"
#include "sluice/lab/run.hpp"
#include "sluice/lab/sweep.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice::lab {
namespace {

namespace fs = std::filesystem;
namespace calls = file::system;

/// Fails the call with this number, counted from 0, while it lives.
class Fault {
 public:
  Fault(int number, int error) {
    left = number;
    with = error;
    calls::ask([](calls::Call) { return left-- == 0 ? with : 0; });
  }
  ~Fault() { calls::ask(nullptr); }
  Fault(const Fault&) = delete;
  Fault& operator=(const Fault&) = delete;
  static bool happened() { return left < 0; }

 private:
  inline static std::atomic<int> left = 0;
  inline static int with = 0;
};

Source spec() {
  return {.name_or_file = "spec", .assignments = {}, .text = R"(
[task]
kind = "nlgp"
n = 6
[network]
kind = "two-layer"
hidden = 2
[dynamics]
kind = "adam"
rate = 0.01
batch = 10
steps = 8
[probe]
every = 4
samples = 20
)"};
}

RunOptions options_in(const fs::path& out, int stop_after = 1'000'000) {
  RunOptions options;
  options.out = out;
  options.existing = record::Existing::resume;
  options.checkpoint_every = 0;  // after every step
  options.pages = false;
  options.stop_requested = [left = std::make_shared<int>(stop_after)] { return (*left)-- <= 0; };
  return options;
}

/// What must be the same whatever happened on the way: all files but those that say when and how long.
std::map<std::string, std::string> results_in(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    EXPECT_FALSE(file::is_temporary(name)) << entry.path();
    EXPECT_NE(name, file::FolderLock::kName) << entry.path();
    if (name == "record.npz" || name == "spec.toml" || name == "metrics.csv" || name == "state.npz")
      files[fs::relative(entry.path(), folder).string()] = file::read_text(entry.path());
  }
  return files;
}

/// One line in words of the user, which says what the system said.
void expect_one_clear_line(const std::string& message, int error) {
  for (const char* ours : {"std::", "basic_", "filesystem error", "\n", "Assertion"})
    EXPECT_EQ(message.find(ours), std::string::npos) << message;
  EXPECT_NE(message.find(std::strerror(error)), std::string::npos) << message;
}

struct Scenario {
  const char* name;
  std::function<void(const fs::path& folder)> prepare;  ///< before anything fails
  std::function<void(const fs::path& folder)> go;       ///< throws, or says nothing: then all is done
  int stride;                                           ///< of the calls that fail in `make test`
};

/// In memory where that can be: no disk is waited for.
fs::path quick_place() { return fs::is_directory("/dev/shm") ? "/dev/shm" : fs::temp_directory_path(); }

void run_in(const fs::path& out) { static_cast<void>(run(load(spec()), "run", options_in(out))); }
void sweep_in(const fs::path& out) {
  const std::vector<SweepAxis> axes{parse_axis("task.gain=1,3"), parse_axis("seed=1..3")};
  const SweepOutcome outcome = sweep(spec(), axes, options_in(out), {});
  if (!outcome.stopped_by.empty()) throw IoError(outcome.stopped_by);
  for (const PointOutcome& each : outcome.points)
    if (!each.failure.empty()) throw IoError(each.failure);
}

const std::vector<Scenario>& scenarios() {
  static const std::vector<Scenario> all{
      {"Run", [](const fs::path&) {}, [](const fs::path& folder) { run_in(folder / "r"); }, 7},
      {"ResumedRun",
       [](const fs::path& folder) {
         const Outcome stopped = run(load(spec()), "run", options_in(folder / "r", 3));
         ASSERT_EQ(stopped.ending, Ending::interrupted);
       },
       [](const fs::path& folder) { run_in(folder / "r"); }, 7},
      {"SweepOfSix", [](const fs::path&) {}, [](const fs::path& folder) { sweep_in(folder / "s"); }, 101},
  };
  return all;
}

class Faults : public testing::TestWithParam<Scenario> {};

TEST_P(Faults, LeaveTheOldOrTheNewStateAndAWayOn) {
  const test::TempFolder reference(quick_place());
  GetParam().prepare(reference.path());
  GetParam().go(reference.path());
  const auto expected = results_in(reference.path());
  ASSERT_GE(expected.size(), 3);
  // Every call fails in the long form; here some do. Each with one of three errors in turn, in the long form those of runs with all three.
  const bool all = std::getenv("SLUICE_LONG_TESTS") != nullptr;
  constexpr int kErrors[] = {ENOSPC, EIO, EMFILE};
  int number = 0, failed = 0;
  const bool each_error = all && GetParam().stride < 10;
  for (bool reached = true; reached; number += all ? 1 : GetParam().stride) {
    for (const int error : kErrors) {
      if (!each_error && error != kErrors[number % 3]) continue;
      SCOPED_TRACE("call " + std::to_string(number) + ": " + std::strerror(error));
      const test::TempFolder folder(quick_place());
      GetParam().prepare(folder.path());
      {
        const Fault fault(number, error);
        try {
          GetParam().go(folder.path());
        } catch (const IoError& failure) {
          ++failed;
          expect_one_clear_line(failure.what(), error);
        } catch (const InputError& failure) {
          ++failed;
          expect_one_clear_line(failure.what(), error);
        }
        reached = Fault::happened();
      }
      EXPECT_NO_THROW(GetParam().go(folder.path()));
      EXPECT_EQ(results_in(folder.path()), expected);
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(failed, 3) << "of " << number << " calls: this test fails nothing";
  std::cout << failed << " failures over " << number << " calls\n";
}
INSTANTIATE_TEST_SUITE_P(Over, Faults, testing::ValuesIn(scenarios()),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace sluice::lab
