/// `sluice sweep --slurm`, without Slurm: programs of its names come first on PATH, and the tasks of the array are run by hand. On a real one:
/// test/slurm/real_slurm.
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "sluice/file/atomic_file.hpp"
#include "test/support/environment.hpp"
#include "test/support/process.hpp"

namespace sluice {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr int kPoints = 8;

/// Folders with everything in their names that a shell would take for its own.
class Slurm : public testing::Test {
 protected:
  Slurm() : path_("PATH", (folder_ / "bin").string() + ":" + std::getenv("PATH")) {
    fs::create_directories(folder_ / "bin");
    fs::create_directories(here_);
    put("sbatch", "[ \"$1\" = --version ] || { echo 'sbatch: a remark' >&2; echo '4711;north'; }");
    put("scontrol", "");
  }

  /// A program that notes how it was called.
  void put(const std::string& name, const std::string& script) const {
    const fs::path file = folder_ / "bin" / name;
    std::ofstream(file) << "#!/bin/sh\necho " << name << " \"$@\" >> '" << (folder_ / "calls").string()
                        << "'\n"
                        << script << "\n";
    fs::permissions(file, fs::perms::owner_all);
  }
  std::string calls() const {
    return fs::exists(folder_ / "calls") ? file::read_text(folder_ / "calls") : "";
  }

  std::vector<std::string> sweep(const std::vector<std::string>& more) const {
    std::vector<std::string> words{"sweep", "localization", "--over", "seed=1.." + std::to_string(kPoints)};
    for (const char* setting : {"task.n=12", "network.hidden=4", "dynamics.steps=3000", "dynamics.batch=100",
                                "probe.every=100", "probe.samples=200"})
      words.insert(words.end(), {"--set", setting});
    words.insert(words.end(), {"--checkpoint-every", "0.005", "--quiet"});
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  test::Said say(const std::vector<std::string>& more) const { return test::sluice(sweep(more), here_); }

  const fs::path script_ = "o'ut $(x).sbatch";
  const std::string out_ = "o'ut $(x)";
  test::TempFolder folder_;
  const fs::path here_ = folder_ / "it's \"$HOME\" & `co`\\";
  test::Environment path_;
};

/// A task of the array, as slurmd starts it: the script under another name, from another folder.
class Task {
 public:
  Task(const fs::path& script, int number)
      : job_("SLURM_ARRAY_JOB_ID", "4711"),
        task_("SLURM_ARRAY_TASK_ID", std::to_string(number)),
        rank_("SLURM_PROCID", "0"),
        process_(
            {script.string()}, fs::temp_directory_path(), RLIM_INFINITY, [] {}, "/bin/bash") {}

  test::Process* operator->() { return &process_; }

 private:
  test::Environment job_, task_, rank_;
  test::Process process_;
};

TEST_F(Slurm, TheScriptIsPrintedAndNothingHappens) {
  const test::Said said = say({"--out", out_, "--slurm", "--dry-run", "--threads", "48", "--slurm-time",
                               "1-02:00:00", "--slurm-partition", "long", "--slurm-option", "--account=abc",
                               "--slurm-option=--comment='two words'"});
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(calls(), "");
  EXPECT_TRUE(fs::is_empty(here_));
  for (const char* line : {"#SBATCH --array=1-8", "#SBATCH --cpus-per-task=48", "#SBATCH --time=1-02:00:00",
                           "#SBATCH --partition=long", "#SBATCH --requeue", "#SBATCH --signal=B:USR1@60",
                           "#SBATCH --account=abc", "#SBATCH --comment='two words'"})
    EXPECT_NE(said.out.find(std::string("\n") + line + "\n"), std::string::npos) << line;
  EXPECT_EQ(said.out.find("#!/bin/bash\n#SBATCH "), 0U) << "sbatch reads options up to the first command";
  EXPECT_NE(said.out.find(" --threads 48 "), std::string::npos) << "more than this machine may have";
  std::ofstream(folder_ / "script") << said.out;
  EXPECT_EQ(test::run("/bin/bash", {"-n", (folder_ / "script").string()}, here_).code, 0);

  const auto array = [&](std::vector<std::string> more) {
    more.insert(more.end(), {"--slurm", "--dry-run", "--out", "x"});
    const std::string text = say(more).out;
    const std::size_t from = text.find("--array=");
    return text.substr(from, text.find('\n', from) - from);
  };
  EXPECT_EQ(array({"--slurm-workers", "3"}), "--array=1-3");
  EXPECT_EQ(array({"--over", "task.gain=1,2,3"}), "--array=1-16");
}

/// The array is submitted, a task is told that its time is up and is queued again, and all tasks together make what one sweep makes.
TEST_F(Slurm, ATaskThatRunsOutOfTimeIsQueuedAgainAndNothingIsLost) {
  const test::Said submitted = say({"--out", out_, "--slurm", "--slurm-workers", "2"});
  ASSERT_EQ(submitted.code, 0) << submitted.err;
  EXPECT_NE(submitted.out.find("job     4711: 2 workers for 8 points"), std::string::npos) << submitted.out;
  EXPECT_NE(submitted.out.find("squeue --job 4711"), std::string::npos);
  EXPECT_NE(calls().find("sbatch --parsable " + script_.string() + "\n"), std::string::npos) << calls();
  EXPECT_FALSE(fs::exists(here_ / out_)) << "planned by the first worker";

  fs::copy_file(here_ / script_, folder_ / "slurm_script");  // slurmd runs a copy in its spool
  Task first(folder_ / "slurm_script", 1);
  for (int i = 0; i < 6000 && !fs::exists(here_ / out_ / "seed=2"); ++i) std::this_thread::sleep_for(10ms);
  first->signal(SIGUSR1);
  const test::Said stopped = first->wait();
  EXPECT_EQ(stopped.code, 128 + SIGUSR1) << stopped.err;
  EXPECT_NE(calls().find("scontrol requeue 4711_1\n"), std::string::npos) << calls();
  ASSERT_FALSE(fs::exists(here_ / out_ / "report.html")) << "stopped too late for this test to mean anything";
  EXPECT_TRUE(fs::exists(here_ / out_ / "seed=1/record.npz") ||
              fs::exists(here_ / out_ / "seed=1/checkpoint.npz"))
      << "the second may be stopped before it has anything to keep";

  const std::string before = calls();
  for (const int number : {2, 1}) {
    const test::Said said = Task(folder_ / "slurm_script", number)->wait();
    EXPECT_EQ(said.code, 0) << said.err;
  }
  EXPECT_EQ(calls(), before) << "what is done is not queued again";
  ASSERT_EQ(say({"--out", "whole"}).code, 0);
  for (int seed = 1; seed <= kPoints; ++seed) {
    const std::string record = "seed=" + std::to_string(seed) + "/record.npz";
    EXPECT_EQ(file::read_text(here_ / out_ / record), file::read_text(here_ / "whole" / record)) << record;
  }
  EXPECT_EQ(file::read_text(here_ / out_ / "summary.csv"), file::read_text(here_ / "whole/summary.csv"));
}

/// scancel sends TERM to every process of a task: the worker's checkpoint is waited for, and the job stays cancelled.
TEST_F(Slurm, ATaskThatIsCancelledStaysSo) {
  ASSERT_EQ(say({"--out", "s", "--slurm"}).code, 0);
  test::Process task(
      {(here_ / "s.sbatch").string()}, here_, RLIM_INFINITY, [] { ::setsid(); }, "/bin/bash");
  for (int i = 0; i < 6000 && !fs::exists(here_ / "s/seed=2"); ++i) std::this_thread::sleep_for(10ms);
  task.signal_group(SIGTERM);
  const test::Said said = task.wait();
  for (const auto& entry : fs::directory_iterator(here_ / "s"))
    EXPECT_FALSE(fs::exists(entry.path() / ".sluice-lock")) << "the shell must not leave before the worker";
  EXPECT_EQ(said.code, 128 + SIGTERM) << said.err;
  EXPECT_EQ(calls().find("scontrol"), std::string::npos) << calls();
}

/// Is it gone, or nobody's child that waits to be?
bool has_ended(const std::string& pid) {
  std::ifstream stat("/proc/" + pid + "/stat");
  std::string line;
  std::getline(stat, line);
  const std::size_t name = line.rfind(')');
  return name == std::string::npos || line.substr(name).starts_with(") Z");
}

TEST_F(Slurm, TheNumberIsFoundAfterRemarksOfAnyLength) {
  // One that has ended by itself has submitted its job, whatever else it said.
  for (const char* script : {"yes 4711 | head -n 100000; yes '' | head -n 100000",
                             "head -c 900000 /dev/zero | tr '\\0' x; echo; echo 4711"}) {
    put("sbatch", std::string("[ \"$1\" = --version ] || { ") + script + "; }");
    const test::Said said = say({"--out", "x", "--slurm"});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_NE(said.out.find("job     4711: 8 workers for 8 points"), std::string::npos) << said.out;
    fs::remove_all(here_);
    fs::create_directory(here_);
  }
}

/// It may wait for its controller for minutes.
TEST_F(Slurm, ASignalEndsWhatSbatchBeganAndLeavesNothing) {
  const fs::path child = folder_ / "child", temporaries = folder_ / "tmp";
  fs::create_directory(temporaries);
  const std::string name = "'" + child.string() + "'";
  const std::string hangs = "sleep 600 & echo $! > " + name + ".new; mv " + name + ".new " + name + "; wait";
  for (const std::string& script : {hangs, "[ \"$1\" = --version ] || { " + hangs + "; }"}) {
    put("sbatch", script);
    test::Process process(sweep({"--slurm", "--out", "x"}), here_, RLIM_INFINITY,
                          [&] { ::setenv("TMPDIR", temporaries.c_str(), 1); });
    for (int i = 0; i < 3000 && !fs::exists(child); ++i) std::this_thread::sleep_for(10ms);
    ASSERT_TRUE(fs::exists(child)) << script;
    const std::string text = file::read_text(child);
    fs::remove(child);
    process.signal(SIGTERM);
    EXPECT_EQ(process.wait().code, 128 + SIGTERM) << script;
    EXPECT_TRUE(fs::is_empty(temporaries)) << script;
    const std::string pid = text.substr(0, text.find('\n'));
    for (int i = 0; i < 500 && !has_ended(pid); ++i) std::this_thread::sleep_for(10ms);
    EXPECT_TRUE(has_ended(pid)) << script;
  }
}

TEST_F(Slurm, WhatCannotBeSubmittedIsRefusedInOneLine) {
  const auto expect = [&](const std::vector<std::string>& more, int code, const std::string& why) {
    const test::Said said = say(more);
    EXPECT_EQ(said.code, code) << why;
    EXPECT_NE(said.err.find(why), std::string::npos) << said.err;
    EXPECT_EQ(std::count(said.err.begin(), said.err.end(), '\n'), 1) << said.err;
  };
  expect({"--slurm", "--worker"}, 2, "expected neither --worker nor --shard");
  expect({"--slurm", "--shard", "1/2"}, 2, "expected neither --worker nor --shard");
  expect({"--slurm", "--overwrite"}, 2, "--overwrite: expected --resume");
  expect({"--slurm-workers", "3"}, 2, "expected --slurm, too");
  expect({"--slurm", "--slurm-time", "soon"}, 2, "expected HH:MM:SS");
  expect({"--slurm", "--slurm-partition", "a b"}, 2, "expected a partition's name");
  expect({"--slurm", "--slurm-option", "account"}, 2, "expected an option of sbatch");
  expect({"--slurm", "--slurm-option", "--a\nrm"}, 2, "expected an option of sbatch");
  expect({"--slurm", "--set", "task.gain=-1"}, 2, "task.gain");
  {
    const test::Environment rank("OMPI_COMM_WORLD_RANK", "0"), count("OMPI_COMM_WORLD_SIZE", "4");
    expect({"--slurm"}, 2, "found 4 ranks");
  }
  EXPECT_EQ(calls().find("--parsable"), std::string::npos) << calls();
  EXPECT_TRUE(fs::is_empty(here_));

  std::ofstream(here_ / "mine.sbatch") << "mine\n";
  expect({"--slurm", "--out", "mine"}, 2, "mine.sbatch: exists, and is another job");
  EXPECT_EQ(file::read_text(here_ / "mine.sbatch"), "mine\n");
  put("sbatch", "[ \"$1\" = --version ] || { echo 'sbatch: error: Invalid account' >&2; exit 1; }");
  expect({"--slurm", "--out", "x"}, 1, "sbatch x.sbatch: sbatch: error: Invalid account");
  const std::string submits = "[ \"$1\" = --version ] || ";
  for (const auto& [script, why] :
       {std::pair{"exit 0", "sbatch x.sbatch: expected the number of a job, found nothing"},
        {"echo queued", "sbatch x.sbatch: expected the number of a job, found queued"},
        {"exit 3", "sbatch x.sbatch: failed, and said nothing"},
        {"kill -9 $$", "sbatch x.sbatch: was killed, and had said nothing"},
        {"{ echo 4711; kill -9 $$; }", "sbatch x.sbatch: was killed, and had said: 4711"},
        {"head -c 200000 /dev/zero | tr '\\0' 1",
         "sbatch x.sbatch: expected the number of a job, found 1111"},
        {"{ head -c 2000000 /dev/zero; sleep 30; }",
         "sbatch x.sbatch: said more than 1 MiB and was ended; the job may be queued all the same"}}) {
    put("sbatch", submits + script);
    expect({"--slurm", "--out", "x"}, 1, why);
  }
  put("sbatch", "head -c 2000000 /dev/zero; sleep 30");
  expect({"--slurm", "--out", "x"}, 1, "sbatch --version: said more than 1 MiB and was ended");
  put("sbatch", "echo 4711");
  fs::create_symlink("nowhere", here_ / "link.sbatch");
  expect({"--slurm", "--out", "link"}, 2, "link.sbatch: exists, and is another job");
  EXPECT_FALSE(fs::exists(here_ / "nowhere"));
  {
    std::vector<std::string> words{"-c", "cd \"$0\" && mkdir gone && cd gone && rmdir ../gone && exec \"$@\"",
                                   here_.string(), test::program()};
    for (const std::string& word : sweep({"--slurm", "--out", "x"})) words.push_back(word);
    const test::Said said = test::run("/bin/sh", words, folder_.path());
    EXPECT_EQ(said.code, 2);
    EXPECT_EQ(said.err,
              "sluice: --slurm: the current folder: expected one that is there: No such file or directory\n");
  }
  put("sbatch", "echo 4712");
  EXPECT_EQ(say({"--slurm", "--out", "x"}).code, 0) << "the same job may be submitted again";
  const test::Environment nowhere("PATH", "/nowhere");
  expect({"--slurm", "--out", "y"}, 2, "sbatch is not on PATH");
  EXPECT_FALSE(fs::exists(here_ / "y.sbatch"));
}

}  // namespace
}  // namespace sluice
