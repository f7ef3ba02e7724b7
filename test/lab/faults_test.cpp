/// Every call that touches a file fails once, the first, the second, …, or from then on every one that asks the same of the disk, over a whole run, a resumed run, one with figures and page, and a sweep: afterwards every file
/// is absent, the old one or whole, the failure was said in one line, and going on leads to the bytes of a run that nothing happened to. (As SQLite tests itself.)
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/json.hpp"
#include "sluice/file/lock.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/file/system.hpp"
#include "sluice/lab/run.hpp"
#include "sluice/lab/sweep.hpp"
#include "sluice/record/checkpoint.hpp"
#include "sluice/record/end_state.hpp"
#include "sluice/record/manifest.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice::lab {
namespace {

namespace fs = std::filesystem;
namespace calls = file::system;
using record::Existing;

/// What fails, too, as long as a disk is full, a device broken, or all descriptors are taken.
bool fails_as_well(calls::Call call, int error) {
  using enum calls::Call;
  const bool writes = call == write || call == sync || call == make_folder || call == truncate;
  return error == EMFILE ? call == open : writes || (error == EIO && (call == read || call == rename));
}

/// Fails the call with this number, counted from 0, while it lives; one that lasts fails all later ones that meet the same, too.
class Fault {
 public:
  Fault(int number, int error, bool lasts) {
    left = number;
    with = error;
    lasting = lasts;
    calls::ask([](calls::Call call) {
      const int before = left--;
      return before == 0 || (before < 0 && lasting && fails_as_well(call, with)) ? with : 0;
    });
  }
  ~Fault() { calls::ask(nullptr); }
  Fault(const Fault&) = delete;
  Fault& operator=(const Fault&) = delete;
  static bool happened() { return left < 0; }

 private:
  inline static std::atomic<int> left = 0;
  inline static int with = 0;
  inline static bool lasting = false;
};

Source spec(const char* steps) {
  return {.name_or_file = "spec", .assignments = {steps}, .text = R"(
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
[probe]
every = 4
samples = 20
)"};
}

constexpr const char* kSteps = "dynamics.steps=8";
/// A save at a step is like one at another: two are enough where every call costs more than a run.
constexpr const char* kFewSteps = "dynamics.steps=2";

RunOptions options_in(const fs::path& out, Existing existing, const Remark& remark) {
  RunOptions options;
  options.out = out;
  options.existing = existing;
  options.checkpoint_every = 0;  // before every step
  options.pages = false;
  options.remark = remark;
  return options;
}

/// The bytes of files by their names relative to a folder.
using Files = std::map<std::string, std::string>;

Files files_in(const fs::path& folder) {
  Files files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (!entry.is_directory())
      files[fs::relative(entry.path(), folder).string()] = file::read_text(entry.path());
  return files;
}

/// Rows of one length. Cells in quotes may hold commas.
bool is_table(const std::string& csv) {
  std::set<int> lengths;
  int commas = 0;
  bool quoted = false;
  for (const char c : csv) {
    if (c == '"') quoted = !quoted;
    if (c == ',' && !quoted) ++commas;
    if (c == '\n' && !quoted) lengths.insert(std::exchange(commas, 0));
  }
  return csv.ends_with('\n') && lengths.size() == 1;
}

/// Throws, or says no, where a file is not what its name promises from its first byte to its last; also of a name that no run or sweep gives.
bool reads(const fs::path& path) {
  const std::string name = path.filename().string(), ending = path.extension().string();
  if (file::is_temporary(name)) return true;  // swept away by whoever goes on: results_in() looks for them
  if (name == file::FolderLock::kName) return file::FolderLock::require_free(path.parent_path()), true;
  if (name == "checkpoint.npz") return record::load_checkpoint(path).state.step >= 0;  // with its digest
  if (name == "state.npz") return record::read_end_state(path).state.step > 0;         // with its digest
  if (ending == ".npz") return !file::read_npz(path).empty();
  if (name == "spec.toml") return is_spec(path);
  const std::string text = file::read_text(path);
  if (ending == ".csv") return is_table(text);
  if (ending == ".json" || name == record::Manifest::kName) {
    const std::optional<file::Json> json = file::Json::parse(text);
    return json && json->members() != nullptr;
  }
  static const Files ends{{".html", "</html>\n"},
                          {".svg", "</svg>\n"},
                          {".pdf", "%%EOF\n"},
                          {".png", "IEND\xAE\x42\x60\x82"},
                          {".txt", "\n"}};
  const auto end = ends.find(ending);
  return end != ends.end() && text.ends_with(end->second);
}

testing::AssertionResult is_whole(const fs::path& path) {
  try {
    if (reads(path)) return testing::AssertionSuccess();
    return testing::AssertionFailure() << path << " is not whole";
  } catch (const std::exception& failure) {
    return testing::AssertionFailure() << failure.what();
  }
}

/// Every file is what it was before, or whole by itself; and what was computed is not lost: beside a record stands how it ended or where to go on.
void expect_only_whole_files(const fs::path& folder, const Files& before) {
  for (const auto& [name, bytes] : files_in(folder)) {
    const auto was = before.find(name);
    if (was == before.end() || was->second != bytes) {
      EXPECT_TRUE(is_whole(folder / name));
    }
    const fs::path run = (folder / name).parent_path();
    if (fs::path(name).filename() == "record.npz") {
      EXPECT_TRUE(fs::exists(run / "run.json") || fs::exists(run / "checkpoint.npz")) << run;
    }
  }
}

/// run.json without how long it took, and without the folder, which is another each time.
std::string timeless(const std::string& run_json) {
  const std::optional<file::Json> json = file::Json::parse(run_json);
  file::Json left = file::Json::object();
  if (json && json->members() != nullptr)
    for (const auto& [name, value] : *json->members())
      if (name != "seconds" && name != "folder") left[name] = value;
  return left.dump();
}

/// What must be the same whatever happened on the way: all files but log.txt, which tells what happened, and when; and the manifests, which have sums of run.json with
/// its seconds, and names that were claimed and not written where the end was not reached: what they say of files that are there must be true. Pages have no times.
Files results_in(const fs::path& folder) {
  Files results;
  for (auto& [name, bytes] : files_in(folder)) {
    const std::string last = fs::path(name).filename().string();
    EXPECT_FALSE(file::is_temporary(last)) << name;
    EXPECT_NE(last, file::FolderLock::kName) << name;
    if (last == record::Manifest::kName) {
      EXPECT_EQ(record::Manifest((folder / name).parent_path(), is_spec).changed(),
                std::vector<std::string>{})
          << name;
    } else if (last != "log.txt") {
      results[name] = last == "run.json" ? timeless(bytes) : std::move(bytes);
    }
  }
  return results;
}

/// By their names: pages of bytes tell nobody anything. Of a run that said so, pictures may be missing.
void expect_same(const Files& found, const Files& expected, bool pictures_may_be_missing = false) {
  for (const auto& [name, bytes] : expected) {
    const auto file = found.find(name);
    const bool picture = name.find("/figures/") != std::string::npos || name.ends_with("/report.html");
    if (file == found.end())
      EXPECT_TRUE(pictures_may_be_missing && picture) << name << " is missing";
    else
      EXPECT_TRUE(file->second == bytes) << name << " is another";
  }
  for (const auto& [name, bytes] : found) EXPECT_TRUE(expected.contains(name)) << name << " is left over";
}

/// In words of the user.
void expect_one_line(const std::string& message) {
  for (const char* ours : {"std::", "basic_", "filesystem error", "bad_alloc", "\n", "Assertion"})
    EXPECT_EQ(message.find(ours), std::string::npos) << message;
}
/// Which says what the system said, too.
void expect_one_clear_line(const std::string& message, int error) {
  expect_one_line(message);
  EXPECT_NE(message.find(std::strerror(error)), std::string::npos) << message;
}

using Remarks = std::vector<std::string>;
Remark into(Remarks& remarks) {
  return [&remarks](const std::string& remark) { remarks.push_back(remark); };
}

/// How many are of a failure that did not end the run: all that a run without one does not make. They name the file and what the system said.
int expect_clear_remarks(const Remarks& told, const Remarks& usual, const fs::path& folder, int error) {
  int of_failures = 0;
  for (const std::string& remark : told) {
    expect_one_line(remark);
    if (std::ranges::find(usual, remark) != usual.end()) continue;
    ++of_failures;
    expect_one_clear_line(remark, error);
    EXPECT_NE(remark.find(folder.string()), std::string::npos) << remark;
  }
  return of_failures;
}

struct Scenario {
  const char* name;
  std::function<void(const fs::path& folder)> prepare;  ///< before anything fails
  /// Throws, or says no more than remarks: then all is done.
  std::function<void(const fs::path& folder, Existing existing, const Remark& remark)> go;
  int stride;  ///< of the calls that fail in `make test`; odd and no multiple of three, so that errors take turns and every other one lasts
  bool overwritten;  ///< by another one afterwards; of a sweep that would take half as long again
};

/// In memory where that can be: no disk is waited for.
fs::path quick_place() { return fs::is_directory("/dev/shm") ? "/dev/shm" : fs::temp_directory_path(); }

void nothing(const fs::path&) {}
void begin_run(const fs::path& folder) {
  RunOptions options = options_in(folder / "r", Existing::refuse, say_nothing);
  options.stop_requested = [left = std::make_shared<int>(3)] { return (*left)-- <= 0; };
  ASSERT_EQ(run(load(spec(kSteps)), "run", options).ending, Ending::interrupted);
}
void run_in(const fs::path& folder, Existing existing, const Remark& remark) {
  static_cast<void>(run(load(spec(kSteps)), "run", options_in(folder / "r", existing, remark)));
}
void run_with_pages_in(const fs::path& folder, Existing existing, const Remark& remark) {
  RunOptions options = options_in(folder / "r", existing, remark);
  options.pages = true;
  static_cast<void>(run(load(spec(kFewSteps)), "run", options));
}
void sweep_in(const fs::path& folder, Existing existing, const Remark& remark) {
  const std::vector<SweepAxis> axes{parse_axis("task.gain=1,3"), parse_axis("seed=1..3")};
  SweepHooks hooks;
  hooks.remarks = [&](const std::string&, const std::string& of_point) { remark(of_point); };
  const SweepOutcome outcome =
      sweep(spec(kFewSteps), axes, options_in(folder / "s", existing, remark), hooks);
  if (!outcome.stopped_by.empty()) throw IoError(outcome.stopped_by);
  for (const PointOutcome& each : outcome.points)
    if (!each.failure.empty()) throw IoError(each.failure);
}

const std::vector<Scenario>& scenarios() {
  static const std::vector<Scenario> all{
      {"Run", nothing, run_in, 7, true},
      {"ResumedRun", begin_run, run_in, 7, true},
      {"RunWithPages", nothing, run_with_pages_in, 29, true},
      {"SweepOfSix", nothing, sweep_in, 49, false},
  };
  return all;
}

class Faults : public testing::TestWithParam<Scenario> {};

TEST_P(Faults, LeaveTheOldOrTheNewStateAndAWayOn) {
  const Scenario& scenario = GetParam();
  const test::TempFolder reference(quick_place());
  scenario.prepare(reference.path());
  Remarks usual;
  scenario.go(reference.path(), Existing::resume, into(usual));
  const Files expected = results_in(reference.path());
  ASSERT_GE(expected.size(), 3);
  // Every call fails in the long form, with each of three errors, once and for good; here some do, with one of them in turn.
  const bool all = std::getenv("SLUICE_LONG_TESTS") != nullptr;
  constexpr int kErrors[] = {ENOSPC, EIO, EMFILE};
  int number = 0, failed = 0, remarked = 0;
  for (bool reached = true; reached; number += all ? 1 : scenario.stride) {
    for (int which = 0; which < 6; ++which) {
      const int error = kErrors[which % 3];
      const bool lasts = which >= 3;
      if (!all && (error != kErrors[number % 3] || lasts != (number % 2 == 1))) continue;
      SCOPED_TRACE("call " + std::to_string(number) + (lasts ? " and later ones: " : ": ") +
                   std::strerror(error));
      const test::TempFolder folder(quick_place());
      scenario.prepare(folder.path());
      const Files before = files_in(folder.path());
      Remarks told;
      {
        const Fault fault(number, error, lasts);
        try {
          scenario.go(folder.path(), Existing::resume, into(told));
        } catch (const IoError& failure) {
          ++failed;
          expect_one_clear_line(failure.what(), error);
        } catch (const InputError& failure) {
          ADD_FAILURE() << "nothing that was given is wrong: " << failure.what();
        }
        reached = Fault::happened();
      }
      expect_only_whole_files(folder.path(), before);
      remarked += expect_clear_remarks(told, usual, folder.path(), error);
      EXPECT_NO_THROW(scenario.go(folder.path(), Existing::resume, say_nothing));
      // A run that could not draw says so and is finished: it has its pictures when it is overwritten.
      const bool undrawn = std::ranges::any_of(
          told, [](const std::string& remark) { return remark.starts_with("figures or page not written"); });
      expect_same(results_in(folder.path()), expected, undrawn);
      if (scenario.overwritten) {
        EXPECT_NO_THROW(scenario.go(folder.path(), Existing::overwrite, say_nothing));
        expect_same(results_in(folder.path()), expected);
      }
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(failed, 3) << "of " << number << " calls: this test fails nothing";
  EXPECT_GT(remarked, 0) << "of " << number
                         << " calls: no failure was passed over, as those of checkpoints are";
  std::cout << failed << " failures and " << remarked << " remarks over " << number << " calls\n";
}
INSTANTIATE_TEST_SUITE_P(Over, Faults, testing::ValuesIn(scenarios()),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace sluice::lab
