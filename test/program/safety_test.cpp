/// Nobody's files are deleted, no result is lost. Names are those of the causes that an attack on version 0.1.0 found.
#include <gtest/gtest.h>
#include <pty.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/lock.hpp"
#include "sluice/file/npz.hpp"
#include "test/support/process.hpp"

namespace sluice {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using test::Process, test::Said, test::TempFolder, test::with;

/// A run that takes no time.
const std::vector<std::string> kTiny{"run",   "localization",      "--set",  "network.hidden=3",
                                     "--set", "task.n=8",          "--set",  "dynamics.steps=4",
                                     "--set", "probe.samples=100", "--quiet"};
const std::vector<std::string> kSweep{"sweep", "localization",      "--over", "seed=1,2",
                                      "--set", "network.hidden=3",  "--set",  "dynamics.steps=4",
                                      "--set", "probe.samples=100", "--quiet"};
const std::vector<std::string> kEndless{
    "run", "localization", "--set", "network.hidden=3", "--set", "dynamics.steps=100000000"};

void write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  file::write_atomically(path, text);
}

/// Every file of a folder, however deep, with what is in it.
std::vector<std::pair<std::string, std::string>> contents(const fs::path& folder) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) all.emplace_back(entry.path().string(), file::read_text(entry.path()));
  std::ranges::sort(all);
  return all;
}

void wait_for(const fs::path& path) {
  const auto end = std::chrono::steady_clock::now() + 60s;
  while (!fs::exists(path) && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(1ms);
  ASSERT_TRUE(fs::exists(path)) << path;
}

/// Until its log.txt has more to tell than before: a run that goes on has begun then, and hears signals.
void wait_for_more(const fs::path& log, const std::string& before) {
  const auto end = std::chrono::steady_clock::now() + 60s;
  while (file::read_text(log) == before && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(1ms);
  ASSERT_NE(file::read_text(log), before);
}

/// Goes on in the folder until it has begun, and is stopped then.
Said resumed_and_stopped(const std::vector<std::string>& arguments, const TempFolder& folder) {
  const std::string before = file::read_text(folder / "r/log.txt");
  Process again(with(arguments, {"--out", "r", "--resume"}), folder.path());
  wait_for_more(folder / "r/log.txt", before);
  again.signal(SIGTERM);
  const Said said = again.wait();
  EXPECT_EQ(said.code, 128 + SIGTERM) << said.err;
  return said;
}

/// A run of which `stopped` is the folder, with a checkpoint: it began and was asked to stop.
void begin_and_stop(const std::vector<std::string>& arguments, const TempFolder& folder,
                    const std::string& out) {
  Process process(with(arguments, {"--checkpoint-every", "0", "--out", out}), folder.path());
  wait_for(folder / out / "checkpoint.npz");  // who is stopped in its first look has none
  process.signal(SIGTERM);
  ASSERT_EQ(process.wait().code, 128 + SIGTERM);
  ASSERT_TRUE(fs::exists(folder / out / "checkpoint.npz"));
}

void replace_array(const fs::path& path, const std::string& name, const std::optional<file::Array>& array) {
  file::NamedArrays arrays = file::read_npz(path);
  const auto at = std::ranges::find(arrays, name, &std::pair<std::string, file::Array>::first);
  if (at != arrays.end() && !array) arrays.erase(at);
  if (at != arrays.end() && array) at->second = *array;
  if (at == arrays.end() && array) arrays.emplace_back(name, *array);
  file::write_npz(path, arrays, file::Packing::stored);
}

/// One line, exit code 2, and it names what it should.
void expect_refused(const Said& said, const std::string& naming) {
  EXPECT_EQ(said.code, 2) << said.err;
  EXPECT_EQ(std::ranges::count(said.err, '\n'), 1) << said.err;
  EXPECT_NE(said.err.find(naming), std::string::npos) << said.err;
}

/// What the program says, killed when it has not ended by itself after five seconds.
Said said_soon(const std::vector<std::string>& arguments, const TempFolder& folder) {
  Process process(arguments, folder.path());
  const auto end = std::chrono::steady_clock::now() + 5s;
  while (std::chrono::steady_clock::now() < end) {
    if (const std::optional<Said> said = process.poll()) return *said;
    std::this_thread::sleep_for(5ms);
  }
  process.signal(SIGKILL);
  return process.wait();
}

TEST(Safety, C1_SweepTouchesOnlyWhatASweepWrote) {
  const TempFolder folder;
  write(folder / "paper/figures/fig1.pdf", "precious");
  write(folder / "paper/report.html", "precious");
  write(folder / "paper/summary.csv", "precious");
  write(folder / "paper/thesis.tex", "precious");
  const auto before = contents(folder / "paper");
  for (const char* existing : {"--resume", "--overwrite"}) {
    expect_refused(test::sluice(with(kSweep, {"--out", "paper", existing}), folder.path()),
                   "no sweep wrote it");
    EXPECT_EQ(contents(folder / "paper"), before) << existing;
  }
}

TEST(Safety, C1_ASweepIsReplacedTwiceInARowAndWhatIsWithItStays) {
  const TempFolder folder;
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(test::sluice(with(kSweep, {"--out", "s", "--overwrite"}), folder.path()).code, 0) << i;
    ASSERT_TRUE(fs::exists(folder / "s/figures/comparison.svg"));
    if (i == 0) write(folder / "s/figures/mine.pdf", "precious");
    if (i == 0) write(folder / "s/notes.txt", "precious");
    if (i == 1) {  // as version 0.1.0 left it, which had neither this table nor these figures nor captions
      fs::remove(folder / "s/sweep.csv");
      for (const auto& entry : fs::directory_iterator(folder / "s/figures"))
        if (entry.path().stem() == "curve" || entry.path().extension() == ".txt") fs::remove(entry.path());
      fs::remove(folder / "s/.sluice-manifest");
      fs::remove(folder / "s/sweep.json");
      write(folder / "s/summary.csv",
            "seed,excess_kurtosis,excess_kurtosis_measured,ipr_median_start,ipr_median_end,localized_share,"
            "loss,accuracy\n");
    }
  }
  EXPECT_EQ(file::read_text(folder / "s/figures/mine.pdf"), "precious");
  EXPECT_EQ(file::read_text(folder / "s/notes.txt"), "precious");
  EXPECT_EQ(test::sluice(with(kSweep, {"--out", "s", "--resume"}), folder.path()).code, 0);
}

TEST(Safety, C1_ASweepDoesNotTakeARunForOne) {
  const TempFolder folder;
  ASSERT_EQ(test::sluice(with(kTiny, {"--out", "r"}), folder.path()).code, 0);
  const auto before = contents(folder / "r");
  expect_refused(test::sluice(with(kSweep, {"--out", "r", "--overwrite"}), folder.path()),
                 "no sweep wrote it");
  EXPECT_EQ(contents(folder / "r"), before);
}

TEST(Safety, H1_ARefusedStartLeavesALivingWriterAlone) {
  const TempFolder folder;
  ASSERT_EQ(test::sluice(with(kTiny, {"--out", "r"}), folder.path()).code, 0);
  file::AtomicFile living(folder / "r/record.npz");
  living.write("whole");
  expect_refused(test::sluice(with(kTiny, {"--out", "r"}), folder.path()), "exists and is not empty");
  living.commit();
  EXPECT_EQ(file::read_text(folder / "r/record.npz"), "whole");
}

TEST(Safety, H1_AFileThatOnlySoundsLikeATemporaryStays) {
  const TempFolder folder;
  write(folder / "r/notes.sluice-tmp-backup.md", "precious");
  expect_refused(test::sluice(with(kTiny, {"--out", "r"}), folder.path()), "exists and is not empty");
  EXPECT_EQ(file::read_text(folder / "r/notes.sluice-tmp-backup.md"), "precious");
}

TEST(Safety, H2_TwoRunsDoNotShareAFolder) {
  const TempFolder folder;
  Process first(with(kEndless, {"--out", "r"}), folder.path());
  wait_for(folder / "r/log.txt");
  const std::string spec = file::read_text(folder / "r/spec.toml");
  for (const char* existing : {"--overwrite", "--resume"}) {
    const Said said = said_soon(with(kEndless, {"--out", "r", existing}), folder);
    expect_refused(said, "r: another sluice (pid ");
    EXPECT_NE(said.err.find("is at work there"), std::string::npos);
  }
  EXPECT_EQ(file::read_text(folder / "r/spec.toml"), spec);
  first.signal(SIGKILL);
  first.wait();
  resumed_and_stopped(kEndless, folder);  // the lock of a killed one is taken over
}

/// A folder that was deleted under whoever stands in it is there, and takes no files: the lock waited for it for ever.
TEST(Safety, ADeletedFolderTakesNoRun) {
  const TempFolder folder;
  for (const char* existing : {"", "--overwrite", "--resume"}) {
    const Said said =
        test::run("/bin/sh",
                  {"-c", "mkdir d && cd d && rmdir ../d && exec timeout 20 " + test::program() +
                             " run localization --set dynamics.steps=1 --out . --quiet " + existing},
                  folder.path());
    expect_refused(said, ": no file can be made there");
  }
}

/// Under a limit of memory threads of OpenBLAS never end, and the program waited for them when it was done.
TEST(Safety, AProgramThatIsDoneEndsWhereMemoryIsShort) {
  const TempFolder folder;
  const Said said = test::run(
      "/bin/sh", {"-c", "ulimit -v 150000; exec timeout 20 " + test::program() + " list"}, folder.path());
  EXPECT_NE(said.code, 124) << "it was ended after twenty seconds: "
                            << said.err;  // OpenBLAS may end it by SIGINT
}

TEST(Safety, AStackThatIsTooShortIsOneLine) {
  const TempFolder folder;
  expect_refused(
      test::run("/bin/sh", {"-c", "ulimit -s 128; exec " + test::program() + " list"}, folder.path()),
      "the stack may have 128 KiB only (ulimit -s); expected 256 or more");
}

/// Somebody moves the folder of a run at work, and puts another in its place: that one is not written to.
TEST(Safety, AFolderThatWasMovedIsMissed) {
  const TempFolder folder;
  Process process(with(kEndless, {"--checkpoint-every", "0", "--out", "r"}), folder.path());
  wait_for(folder / "r/checkpoint.npz");
  fs::rename(folder / "r", folder / "moved");
  fs::create_directory(folder / "r");
  std::ofstream(folder / "r/record.npz") << "precious";
  process.signal(SIGTERM);
  const Said said = process.wait();
  EXPECT_EQ(said.code, 1);
  EXPECT_NE(said.err.find("sluice: r: not the folder in which the work began (was it moved?); "),
            std::string::npos)
      << said.err;
  EXPECT_EQ(contents(folder / "r").size(), 1U);
  EXPECT_EQ(file::read_text(folder / "r/record.npz"), "precious");
}

/// What a run that was killed had not written yet is somebody's who puts it there.
TEST(Safety, NamesThatAKilledRunDidNotUseAreFree) {
  const TempFolder folder;
  {
    Process process(with(kEndless, {"--checkpoint-every", "0", "--out", "r"}), folder.path());
    wait_for(folder / "r/checkpoint.npz");
    process.signal(SIGKILL);
    process.wait();
  }
  const std::vector<std::string> mine{"probes.npz", "init.npy", "start.npz", "continued.npz", "report.html"};
  for (const std::string& name : mine) std::ofstream(folder / "r" / name) << "precious";
  resumed_and_stopped(kEndless, folder);
  EXPECT_EQ(test::sluice({"runs", "rm", "r", "--yes"}, folder.path()).code, 2);
  for (const std::string& name : mine) EXPECT_EQ(file::read_text(folder / "r" / name), "precious") << name;
}

/// What was measured on a record goes when there is another; what somebody else has put there does not.
TEST(Safety, ProbesThatWereChangedStay) {
  const TempFolder folder;
  const std::vector<std::string> endless = with(kEndless, {"--set", "probe.every=10000000"});
  begin_and_stop(endless, folder, "r");
  ASSERT_EQ(test::sluice({"probe", "r"}, folder.path()).code, 0);
  std::ofstream(folder / "r/probes.npz") << "precious";
  const auto before = contents(folder / "r");
  expect_refused(said_soon(with(endless, {"--out", "r", "--resume"}), folder),
                 "r/probes.npz: was changed since sluice wrote it; move it away");
  EXPECT_TRUE(contents(folder / "r") == before);
  // Nor where it was put there while the run was at work, or after that was killed.
  fs::remove(folder / "r/probes.npz");
  ASSERT_EQ(test::sluice({"probe", "r"}, folder.path()).code, 0);
  const std::string log = file::read_text(folder / "r/log.txt");
  Process again(with(endless, {"--out", "r", "--resume"}), folder.path());
  wait_for_more(folder / "r/log.txt", log);
  std::ofstream(folder / "r/probes.npz") << "precious";
  again.signal(SIGTERM);
  EXPECT_EQ(again.wait().code, 128 + SIGTERM);
  EXPECT_EQ(file::read_text(folder / "r/probes.npz"), "precious");
}

/// Temporaries among the figures of a run are ours; those behind a link of that name are not.
TEST(Safety, NothingIsSweptAwayBehindALink) {
  const TempFolder folder;
  begin_and_stop(kEndless, folder, "r");
  fs::remove_all(folder / "r/figures");
  const std::string theirs = "theirs/.x.svg.sluice-tmp-0123456789abcdef";
  write(folder / theirs, "of another run");
  fs::create_directory_symlink("../theirs", folder / "r/figures");
  resumed_and_stopped(kEndless, folder);
  EXPECT_TRUE(fs::exists(folder / theirs));
}

/// Not one of three and then no more: whether all can go is asked before the first one does.
TEST(Safety, WhatCannotAllGoStays) {
  if (!test::may_obey_permissions()) GTEST_SKIP() << "root may write everywhere, and may not give that up";
  const TempFolder folder;
  ASSERT_EQ(test::sluice({"sweep", "localization", "--over", "seed=1,2,3", "--set", "network.hidden=3",
                          "--set", "dynamics.steps=2", "--set", "probe.samples=100", "--out", "s", "--quiet"},
                         folder.path())
                .code,
            0);
  ASSERT_EQ(test::sluice(with(kTiny, {"--out", "r"}), folder.path()).code, 0);
  const auto before = contents(folder.path());
  const auto said = [&](const std::vector<std::string>& arguments) {
    return Process(arguments, folder.path(), RLIM_INFINITY, test::obey_permissions).wait();
  };
  const fs::perms closed = fs::perms::owner_read | fs::perms::owner_exec;
  fs::permissions(folder / "s/seed=3", closed);
  expect_refused(said({"runs", "rm", "s", "--yes"}), "s/seed=3/");
  EXPECT_TRUE(contents(folder.path()) == before);
  fs::permissions(folder / "s/seed=3", fs::perms::owner_all);
  fs::permissions(folder / "r/figures", closed);
  const std::string refusal = "r/figures/evolution.pdf: cannot be removed: Permission denied; nothing was";
  expect_refused(said({"runs", "rm", "r", "--yes"}), refusal);
  expect_refused(said(with(kTiny, {"--out", "r", "--overwrite"})), refusal);
  fs::permissions(folder / "r/figures", fs::perms::owner_all);
  EXPECT_TRUE(contents(folder.path()) == before);
  fs::permissions(folder / "s/seed=2", fs::perms::none);
  expect_refused(said({"runs", "rm", "s", "--yes"}), "s: not removed: seed=2: Permission denied");
  fs::permissions(folder / "s/seed=2", fs::perms::owner_all);
  EXPECT_TRUE(contents(folder.path()) == before);
  EXPECT_EQ(said({"runs", "rm", "s", "r", "--yes"}).code, 0);
  EXPECT_EQ(contents(folder.path()).size(), 0U);
}

/// A figure of the points that can be read is not one of the sweep.
TEST(Safety, AFigureOfASweepHasAllItsPoints) {
  if (!test::may_obey_permissions()) GTEST_SKIP() << "root may read everything, and may not give that up";
  const TempFolder folder;
  ASSERT_EQ(test::sluice(with(kSweep, {"--out", "s"}), folder.path()).code, 0);
  fs::permissions(folder / "s/seed=2", fs::perms::none);
  expect_refused(Process({"figure", "s", "curve", "--out", "c.svg"}, folder.path(), RLIM_INFINITY,
                         test::obey_permissions)
                     .wait(),
                 "s/seed=2: Permission denied");
  EXPECT_FALSE(fs::exists(folder / "c.svg"));
  fs::permissions(folder / "s/seed=2", fs::perms::owner_all);
}

TEST(Safety, H2_ProbeReportAndFigureWaitForNobodysWriting) {
  const TempFolder folder;
  ASSERT_EQ(test::sluice(with(kTiny, {"--out", "r"}), folder.path()).code, 0);
  const std::vector<std::vector<std::string>> writers{
      {"probe", "r"}, {"report", "r"}, {"figure", "r", "unit_map"}};
  {
    const file::FolderLock lock(folder / "r");
    const auto before = contents(folder / "r");
    for (const auto& verb : writers)
      expect_refused(test::sluice(verb, folder.path()),
                     "r: another sluice (pid " + std::to_string(::getpid()));
    EXPECT_EQ(contents(folder / "r"), before);
  }
  for (const auto& verb : writers) EXPECT_EQ(test::sluice(verb, folder.path()).code, 0) << verb.front();
  EXPECT_EQ(test::sluice(with(kTiny, {"--out", "r", "--overwrite"}), folder.path()).code, 0)
      << "what they wrote is ours too";
  EXPECT_FALSE(fs::exists(folder / "r/probes.npz"));
  EXPECT_FALSE(fs::exists(folder / "r/figures/unit_map.svg"));
}

TEST(Safety, H4_ProbeOfARecordThatDoesNotFitItsSpec) {
  const TempFolder folder;
  ASSERT_EQ(test::sluice(with(kTiny, {"--out", "r"}), folder.path()).code, 0);
  std::string spec = file::read_text(folder / "r/spec.toml");
  spec.replace(spec.find("n = 8"), 5, "n = 4");
  file::write_atomically(folder / "r/spec.toml", spec);
  const std::string naming = "r/record.npz: weights: expected float32 [2, 3, 4], found float32 [2, 3, 8]";
  expect_refused(test::sluice({"probe", "r"}, folder.path()), naming);
  expect_refused(test::sluice({"report", "r"}, folder.path()), naming);
  expect_refused(test::sluice({"figure", "r"}, folder.path()), naming);
}

TEST(Safety, H4_PredictAgainstARecordOfAnotherShape) {
  const TempFolder folder;
  ASSERT_EQ(test::sluice(with(kTiny, {"--out", "r"}), folder.path()).code, 0);
  replace_array(folder / "r/record.npz", "weights", file::Array{{0, 3, 8}, std::vector<float>{}});
  expect_refused(test::sluice({"predict", "r/spec.toml", "--against", "r"}, folder.path()),
                 "r/record.npz: weights: expected float32 [T, 3, 8], found float32 [0, 3, 8]");
}

TEST(Safety, H4_ReportOfADeepRunWithArraysThatDoNotFit) {
  const TempFolder folder;
  ASSERT_EQ(
      test::sluice({"run", "depth-relu", "--set", "dynamics.steps=2", "--set", "network.depth=3", "--set",
                    "probe.watch=[\"weight_norms\",\"tangent_spectrum\"]", "--out", "r", "--quiet"},
                   folder.path())
          .code,
      0);
  const std::string whole = file::read_text(folder / "r/record.npz");
  using Doubles = std::vector<double>;
  const std::vector<std::pair<std::string, file::Array>> cases{
      {"weight_norms", {{6}, Doubles(6)}},
      {"tangent_spectrum", {{0, 3}, Doubles{}}},
      {"tangent_spectrum", {{}, Doubles{1}}},
      {"loss", {{0}, Doubles{}}},
      {"accuracy", {{0}, Doubles{}}},
      {"train_loss", {{0}, Doubles{}}},
      {"error", {{0}, Doubles{}}},
      {"step", {{2}, Doubles{0, 2}}},
  };
  for (const auto& [name, array] : cases) {
    file::write_atomically(folder / "r/record.npz", whole);
    replace_array(folder / "r/record.npz", name, array);
    expect_refused(test::sluice({"report", "r", "--out", "page.html"}, folder.path()),
                   "r/record.npz: " + name + ": expected ");
  }
}

TEST(Safety, H4_AFlowDoesNotResumeFromExactNumbersThatDoNotFit) {
  const TempFolder folder;
  const std::vector<std::string> flow{"run",   "gaussian-control", "--set",  "dynamics.kind=flow",
                                      "--set", "network.hidden=1", "--set",  "dynamics.steps=1000000",
                                      "--set", "probe.every=1",    "--quiet"};
  Process begun(with(flow, {"--checkpoint-every", "0", "--out", "r"}), folder.path());
  wait_for(folder / "r/checkpoint.npz");
  std::this_thread::sleep_for(200ms);  // beyond step 0, where nothing is exact yet
  begun.signal(SIGTERM);
  ASSERT_EQ(begun.wait().code, 128 + SIGTERM);
  const auto checkpoint = folder / "r/checkpoint.npz";
  const file::NamedArrays saved = file::read_npz(checkpoint);
  const file::Array* exact = file::find(saved, "checkpoint.exact");
  ASSERT_NE(exact, nullptr);
  // As version 0.1.0 saved them: without a digest nothing but the numbers themselves can show it.
  replace_array(checkpoint, "checkpoint.digest", std::nullopt);
  replace_array(checkpoint, "checkpoint.format", file::Array{{1}, std::vector<std::int64_t>{1}});
  const std::string as_saved = file::read_text(checkpoint);
  for (const std::size_t size : {exact->as<double>().size() - 3, exact->as<double>().size() + 100}) {
    replace_array(checkpoint, "checkpoint.exact",
                  file::Array{{static_cast<std::int64_t>(size)}, std::vector<double>(size, 0.5)});
    const auto before = contents(folder / "r");
    expect_refused(said_soon({"run", "r/spec.toml", "--out", "r", "--resume"}, folder),
                   "r/checkpoint.npz: checkpoint.exact: expected ");
    EXPECT_EQ(contents(folder / "r"), before);
  }
  replace_array(checkpoint, "checkpoint.exact", std::nullopt);
  expect_refused(said_soon({"run", "r/spec.toml", "--out", "r", "--resume"}, folder),
                 "r/checkpoint.npz: checkpoint.exact: expected ");
  file::write_atomically(checkpoint, as_saved);
  const Said said = resumed_and_stopped({"run", "r/spec.toml"}, folder);
  EXPECT_NE(said.err.find("resumed at step"), std::string::npos) << "one of version 0.1.0 that fits goes on";
}

/// What becomes of a run whose standard error is as `prepare` makes it. It has something to say: that it was resumed.
void expect_to_finish(const std::function<void()>& prepare) {
  const TempFolder folder;
  const std::vector<std::string> run{"run",   "localization",        "--set", "network.hidden=3",
                                     "--set", "dynamics.steps=3000", "--set", "probe.samples=100"};
  begin_and_stop(run, folder, "r");
  Process process(with(run, {"--out", "r", "--resume"}), folder.path(), RLIM_INFINITY, prepare);
  const Said said = process.wait();
  EXPECT_EQ(said.code, 0);
  EXPECT_NE(file::read_text(folder / "r/run.json").find("\"status\": \"finished\""), std::string::npos);
  EXPECT_TRUE(fs::exists(folder / "r/record.npz"));
}

TEST(Safety, H5_AFullStandardErrorDoesNotEndARun) {
  expect_to_finish([] { ::dup2(::open("/dev/full", O_WRONLY), 2); });
}

TEST(Safety, H5_AClosedStandardErrorDoesNotEndARun) {
  expect_to_finish([] { ::close(2); });
}

TEST(Safety, H5_AStandardErrorThatNobodyReadsDoesNotEndARun) {
  expect_to_finish([] {
    int ends[2];
    if (::pipe(ends) != 0) ::_exit(126);
    ::close(ends[0]);
    ::dup2(ends[1], 2);
    ::close(ends[1]);
  });
}

TEST(Safety, H5_APrintoutThatNobodyReadsEndsQuietly) {
  const TempFolder folder;
  Process process({"keys"}, folder.path(), RLIM_INFINITY, [] {
    int ends[2];
    if (::pipe(ends) != 0) ::_exit(126);
    ::close(ends[0]);
    ::dup2(ends[1], 1);
    ::close(ends[1]);
  });
  const Said said = process.wait();
  EXPECT_EQ(said.code, 128 + SIGPIPE);
  EXPECT_EQ(said.err, "");
}

/// Runs on a terminal of its own, which is closed once the run has begun and is drawing its bar; the exit code.
int on_a_terminal_that_closes(std::vector<std::string> arguments, const TempFolder& folder,
                              bool hears_of_it) {
  int terminal = -1;
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
  if (child == 0) {
    ::setenv("TERM", "xterm", 1);
    if (!hears_of_it) std::signal(SIGHUP, SIG_IGN);
    arguments.insert(arguments.begin(), test::program());
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    if (::chdir(folder.path().c_str()) == 0) ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  char bytes[256];
  static_cast<void>(::read(terminal, bytes, sizeof bytes) < 0);  // the first of the bar
  ::close(terminal);
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST(Safety, H5_ATerminalThatClosesCostsNothing) {
  if (::access("/dev/pts/ptmx", F_OK) != 0) GTEST_SKIP() << "needs a pseudo-terminal";
  const TempFolder folder;
  // Steps of more than a tenth of a second: the bar is drawn at every one.
  const int code = on_a_terminal_that_closes(
      {"run", "localization", "--set", "dynamics.batch=100000", "--threads", "1", "--out", "r"}, folder,
      true);
  EXPECT_EQ(code, 128 + SIGHUP);
  EXPECT_TRUE(fs::exists(folder / "r/checkpoint.npz"));
}

TEST(Safety, H5_ARunThatIgnoresItsTerminalOutlivesIt) {
  if (::access("/dev/pts/ptmx", F_OK) != 0) GTEST_SKIP() << "needs a pseudo-terminal";
  const TempFolder folder;
  on_a_terminal_that_closes({"run", "localization", "--set", "dynamics.batch=20000", "--set",
                             "dynamics.steps=40", "--threads", "1", "--out", "r"},
                            folder, false);
  ASSERT_TRUE(fs::exists(folder / "r/run.json"));
  EXPECT_NE(file::read_text(folder / "r/run.json").find("\"status\": \"finished\""), std::string::npos);
}

TEST(Safety, H6_OurNamesAloneMakeNoRun) {
  const TempFolder folder;
  write(folder / "home/figures/fig1.pdf", "precious");
  write(folder / "home/log.txt", "diary");
  const auto before = contents(folder / "home");
  expect_refused(test::sluice(with(kTiny, {"--out", "home", "--overwrite"}), folder.path()),
                 "which no run wrote");
  EXPECT_EQ(contents(folder / "home"), before);
}

TEST(Safety, H6_WhatSomebodyPutAmongTheFiguresOfARunStays) {
  const TempFolder folder;
  ASSERT_EQ(test::sluice(with(kTiny, {"--out", "r"}), folder.path()).code, 0);
  write(folder / "r/figures/fig1.pdf", "precious");
  ASSERT_EQ(test::sluice(with(kTiny, {"--out", "r", "--overwrite"}), folder.path()).code, 0);
  EXPECT_EQ(file::read_text(folder / "r/figures/fig1.pdf"), "precious");
  EXPECT_TRUE(fs::exists(folder / "r/figures/learning.svg"));
}

TEST(Safety, M4_NoFileIsReplacedByItsNameAlone) {
  const TempFolder folder;
  ASSERT_EQ(test::sluice(with(kTiny, {"--out", "r"}), folder.path()).code, 0);
  ASSERT_EQ(test::sluice(with(kTiny, {"--out", "q"}), folder.path()).code, 0);
  write(folder / "w.npz", file::read_text(folder / "r/record.npz"));
  struct Case {
    std::vector<std::string> words;
    std::string file;
    bool named = true;  ///< by --out; else it is what the verb would write without
  };
  const std::vector<Case> cases{
      {{"figure", "r", "learning"}, "mine.svg"},
      {{"figure", "w.npz", "receptive_fields"}, "w.receptive_fields.svg", false},
      {{"report", "r"}, "mine.html"},
      {{"report", "r", "q"}, "comparison.html", false},
      {{"theory", "spectrum"}, "mine.csv"},
      {{"theory", "spectrum", "--format", "json"}, "mine.dat"},
      {{"predict", "gaussian-control", "--set", "network.hidden=1", "--set", "dynamics.steps=10"},
       "mine.npy"},
      {{"probe", "r", "ipr"}, "mine.npz"},
      {{"probe", "w.npz", "ipr"}, "w.probes.npz", false},
      {{"sample", "pulse"}, "pulse.npz", false},
      {{"kernel", "depth-frg", "--samples", "4"}, "kernel.npy"},
  };
  for (const Case& each : cases) {
    const std::vector<std::string> words = each.named ? with(each.words, {"--out", each.file}) : each.words;
    write(folder / each.file, "precious");
    const auto before = contents(folder.path());
    const Said refused = test::sluice(words, folder.path());
    EXPECT_EQ(refused.code, 2) << each.words[0];
    EXPECT_EQ(refused.err, "sluice: " + each.file + ": exists; overwrite it, or choose another file\n");
    EXPECT_EQ(contents(folder.path()), before) << each.words[0];
    EXPECT_EQ(test::sluice(with(words, {"--overwrite"}), folder.path()).code, 0) << each.words[0];
    EXPECT_NE(file::read_text(folder / each.file), "precious") << each.words[0];
  }
  for (const auto& [words, endings] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"report", "r", "--out", "thesis.tex"}, ".html"},
           {{"predict", "single-unit", "--out", "thesis.tex"}, ".npy"}})
    expect_refused(test::sluice(words, folder.path()), "thesis.tex: expected a file ending in " + endings);
}

TEST(Safety, M2_ACheckpointsNumbersAreNotBelieved) {
  const TempFolder folder;
  begin_and_stop({"run", "localization", "--set", "network.hidden=3", "--set", "dynamics.kind=adam", "--set",
                  "dynamics.steps=1000000", "--set", "probe.every=1000", "--quiet"},
                 folder, "r");
  const auto checkpoint = folder / "r/checkpoint.npz";
  replace_array(checkpoint, "checkpoint.digest", std::nullopt);
  replace_array(checkpoint, "checkpoint.format", file::Array{{1}, std::vector<std::int64_t>{1}});
  const std::string as_saved = file::read_text(checkpoint);
  const auto step = [](std::int64_t at) { return file::Array{{1}, std::vector<std::int64_t>{at}}; };
  const auto memory = [](std::int64_t size) {
    return file::Array{{size}, std::vector<float>(static_cast<std::size_t>(size))};
  };
  struct Case {
    std::string name, says;
    std::optional<file::Array> array;
  };
  const std::int64_t parameters = 3 * 40 + 3;
  const std::vector<Case> cases{
      {"checkpoint.step", "checkpoint.step: expected 0 to 1000000, found -5", step(-5)},
      {"checkpoint.step", "checkpoint.step: expected 0 to 1000000, found 1000000000000000",
       step(1'000'000'000'000'000)},
      {"checkpoint.memory", "checkpoint.memory: expected ", memory(parameters)},
      {"checkpoint.memory", "checkpoint.memory: expected ", memory(5 * parameters)},
      {"checkpoint.memory", "checkpoint.memory: expected ", std::nullopt},
      {"checkpoint.exact", "checkpoint.exact: expected 0 numbers, found 3",
       file::Array{{3}, std::vector<double>(3)}},
      {"step", "step: expected increasing numbers", step(1'000'000'000)},
      {"lost", "lost: no such array belongs there", memory(4)},
  };
  for (const Case& each : cases) {
    file::write_atomically(checkpoint, as_saved);
    replace_array(checkpoint, each.name, each.array);
    expect_refused(said_soon({"run", "r/spec.toml", "--out", "r", "--resume", "--quiet"}, folder),
                   "r/checkpoint.npz: " + each.says);
  }
}

TEST(Safety, M15_ArraysOfAnotherTypeAreNamed) {
  const TempFolder folder;
  ASSERT_EQ(test::sluice(with(kTiny, {"--out", "r"}), folder.path()).code, 0);
  const std::string whole = file::read_text(folder / "r/record.npz");
  const std::vector<std::pair<std::string, file::Array>> cases{
      {"loss", {{2}, std::vector<float>(2)}},
      {"loss", {{1}, std::vector<double>(1)}},
      {"weights", {{2, 3, 8}, std::vector<double>(48)}},
      {"step", {{2}, std::vector<std::int64_t>{0, std::int64_t{1} << 62}}},
  };
  for (const auto& [name, array] : cases) {
    file::write_atomically(folder / "r/record.npz", whole);
    replace_array(folder / "r/record.npz", name, array);
    for (const std::vector<std::string>& verb :
         {std::vector<std::string>{"report", "r"}, {"figure", "r", "learning"}, {"probe", "r"}})
      expect_refused(test::sluice(verb, folder.path()), "r/record.npz: " + name + ": expected ");
  }
}

// Another spec over a record: what it would show is not what was run.
TEST(Safety, M9_ASpecThatDidNotMakeTheRecordIsRefused) {
  const TempFolder folder;
  ASSERT_EQ(test::sluice(with(kTiny, {"--out", "r"}), folder.path()).code, 0);
  std::string spec = file::read_text(folder / "r/spec.toml");
  const std::size_t at = spec.find("\nseed = ");
  ASSERT_NE(at, std::string::npos);
  spec.replace(at, std::string("\nseed = ").size() + 1, "\nseed = 7");
  write(folder / "r/spec.toml", spec);
  for (const std::vector<std::string>& verb :
       {std::vector<std::string>{"report", "r"}, {"probe", "r", "ipr"}, {"figure", "r", "unit_map"}})
    expect_refused(test::sluice(verb, folder.path()), "not the spec that made");
}

}  // namespace
}  // namespace sluice
