/// sluice runs: the runs that are there, listed, filtered, exported, removed.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/lock.hpp"
#include "sluice/file/npz.hpp"
#include "test/support/process.hpp"
#include "test/support/run_folders.hpp"

namespace sluice {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::Process, test::Said, test::TempFolder;

class Runs : public testing::Test {
 protected:
  Said say(const std::vector<std::string>& words) const { return test::sluice(words, folder.path()); }
  void train(const std::vector<std::string>& more) const {
    std::vector<std::string> words{"run",   "localization",      "--set",  "network.hidden=3",
                                   "--set", "task.n=8",          "--set",  "dynamics.steps=4",
                                   "--set", "probe.samples=100", "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    const Said said = say(words);
    ASSERT_EQ(said.code, 0) << said.err;
  }
  void expect_refused(const std::vector<std::string>& words, const std::string& naming) const {
    const Said said = say(words);
    EXPECT_EQ(said.code, 2) << said.out << said.err;
    EXPECT_EQ(std::ranges::count(said.err, '\n'), 1) << said.err;
    EXPECT_NE(said.err.find(naming), std::string::npos) << said.err;
  }
  static std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
  }

  TempFolder folder;
};

TEST_F(Runs, ARunJsonOfSomebodyElseIsUnreadable) {
  train({"--out", "one"});
  std::ofstream(folder / "one/run.json") << "{\"mine\": 1}\n";
  EXPECT_EQ(say({"runs", ".", "--columns", "path,status"}).out, "path  status\none   unreadable\n");
}

TEST_F(Runs, ListsRunsAndPointsOfSweeps) {
  train({"--out", "runs/one"});
  ASSERT_EQ(say({"sweep", "localization", "--over", "task.gain=0.5,3", "--over", "seed=1,2", "--set",
                 "network.hidden=3", "--set", "task.n=8", "--set", "dynamics.steps=4", "--set",
                 "probe.samples=100", "--out", "runs/grid", "--quiet"})
                .code,
            0);
  const Said all = say({"runs"});
  ASSERT_EQ(all.code, 0) << all.err;
  const auto lines = lines_of(all.out);
  ASSERT_EQ(lines.size(), 6U) << all.out;
  EXPECT_EQ(lines[0].find("path"), 0U);
  for (const char* word : {"status", "seed", "gain", "localized", "accuracy"})
    EXPECT_NE(lines[0].find(word), std::string::npos) << all.out;
  EXPECT_NE(lines[1].find("grid/gain=0.5,seed=1  finished"), std::string::npos) << all.out;
  EXPECT_NE(lines[5].find("one"), std::string::npos) << all.out;
  for (const std::string& line : lines) EXPECT_LE(line.size(), 100U) << line;

  const Said some = say({"runs", "--where", "gain < 1 and seed = 2", "--columns", "path,gain"});
  EXPECT_EQ(some.out, "path                  gain\ngrid/gain=0.5,seed=2   0.5\n");
  EXPECT_EQ(some.err, "1 of 5 runs\n");
  const Said sweep =
      say({"runs", "runs/grid", "--sort", "gain", "--reverse", "--columns", "gain,seed", "--csv"});
  EXPECT_EQ(sweep.out, "task.gain,seed\n3,1\n3,2\n0.5,1\n0.5,2\n");
  const json printed = json::parse(say({"runs", "--json", "--where", "path = one"}).out);
  ASSERT_EQ(printed.size(), 1U);
  EXPECT_EQ(printed[0]["status"], "finished");
  EXPECT_TRUE(printed[0]["loss"].is_number());

  const json shown = json::parse(say({"runs", "show", "runs/one", "--json"}).out);
  EXPECT_EQ(shown["path"], "runs/one");
  EXPECT_EQ(shown["task.n"], 8);
  EXPECT_EQ(shown["steps"], 4);
  EXPECT_NE(say({"runs", "show", "runs/grid/gain=3,seed=1"}).out.find("task.gain"), std::string::npos);
}

TEST_F(Runs, BadInputIsOneLine) {
  test::write_run(folder / "runs/a");
  expect_refused({"runs", "none"}, "none: cannot be searched for runs: No such file or directory");
  expect_refused({"runs", "exprot"}, "did you mean 'runs export'?");
  expect_refused({"runs", "--where", "gian > 1"}, "column 1: no column 'gian'; did you mean 'gain'?");
  expect_refused({"runs", "--columns", "gain,kind"},
                 "'kind' is more than one column: task.kind, network.kind");
  expect_refused({"runs", "--sort", "gian"}, "no column 'gian'");
  expect_refused({"runs", "--csv", "--json"}, "expected one of them");
  expect_refused({"runs", "--yes"}, "runs: has no --yes");
  expect_refused({"runs", "rm", "--csv", "runs/a"}, "runs rm: has no --csv");
  expect_refused({"runs", "runs", "runs"}, "unexpected argument");
  expect_refused({"runs", "show"}, "expected RUN");
  expect_refused({"runs", "show", "runs"}, "runs: expected the folder of a run");
  expect_refused({"runs", "rm"}, "expected the folders of runs");
  expect_refused({"runs", "export"}, "expected --out FILE.csv or FILE.npz");
  expect_refused({"runs", "export", "--out", "x.txt"}, "expected a file ending in .csv or .npz");
  EXPECT_FALSE(fs::exists(folder / "x.txt"));
}

TEST_F(Runs, AFolderWithoutRunsIsSaidToBeOne) {
  fs::create_directory(folder / "runs");
  const Said said = say({"runs"});
  EXPECT_EQ(said.code, 0);
  EXPECT_EQ(said.out, "");
  EXPECT_EQ(said.err, "runs: no runs\n");
  EXPECT_EQ(say({"runs", "--json"}).out, "[]\n");
}

TEST_F(Runs, WhatFindsNoRoomIsNamed) {
  test::write_run(folder / "runs/a", {.gain = 1, .seed = 1});
  test::write_run(folder / ("runs/" + std::string(95, 'b')), {.gain = 2, .seed = 2});
  const Said said = say({"runs"});
  for (const std::string& line : lines_of(said.out)) EXPECT_LE(line.size(), 100U) << line;
  EXPECT_NE(said.err.find("no room for status, seed, task.gain, localized_share; --columns chooses"),
            std::string::npos)
      << said.err;
}

TEST_F(Runs, ExportHasEveryColumn) {
  test::write_run(folder / "runs/a", {.gain = 1, .seed = 1});
  test::write_run(folder / "runs/b", {.gain = 2, .seed = 2, .more_keys = "[dynamics]\nrate = 0.1\n"});
  ASSERT_EQ(say({"runs", "export", "--out", "t.csv"}).code, 0);
  const auto lines = lines_of(file::read_text(folder / "t.csv"));
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0],
            "path,name,status,version,fingerprint,ended,seconds,title,seed,task.kind,task.gain,task.xi,"
            "network.kind,"
            "network.bias,dynamics.rate,steps,localized_share");
  expect_refused({"runs", "export", "--out", "t.csv"}, "t.csv: exists");
  ASSERT_EQ(say({"runs", "export", "--out", "t.csv", "--overwrite", "--where", "gain = 2"}).code, 0);
  EXPECT_EQ(lines_of(file::read_text(folder / "t.csv")).size(), 2U);
  const Said said = say({"runs", "export", "--columns", "gain,seed,rate", "--out", "t.npz"});
  EXPECT_EQ(said.out, "t.npz: 2 runs, 3 columns\n");
  const file::NamedArrays arrays = file::read_npz(folder / "t.npz");
  EXPECT_EQ(file::find(arrays, "task.gain")->as<double>(), (std::vector<double>{1, 2}));
  EXPECT_EQ(file::find(arrays, "seed")->as<std::int64_t>(), (std::vector<std::int64_t>{1, 2}));
  EXPECT_TRUE(std::isnan(file::find(arrays, "dynamics.rate")->as<double>()[0]));
}

TEST_F(Runs, RemovesOnlyWhatWasAskedForAndOnlyWithYes) {
  train({"--out", "runs/a"});
  train({"--out", "runs/b", "--seed", "2"});
  const Said first = say({"runs", "rm", "runs/a"});
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_NE(first.out.find("runs/a"), std::string::npos);
  EXPECT_EQ(first.err, "nothing was removed yet; --yes removes these\n");
  EXPECT_TRUE(fs::exists(folder / "runs/a/record.npz"));
  EXPECT_FALSE(fs::exists(folder / "runs/a/.sluice-lock"));
  EXPECT_EQ(say({"runs", "rm", "runs/a", "runs/a/", "--yes"}).code, 0) << "named twice";
  EXPECT_FALSE(fs::exists(folder / "runs/a"));
  EXPECT_EQ(say({"runs", "rm", "--where", "seed = 1", "--yes"}).err, "nothing to remove\n");
  const Said last = say({"runs", "rm", "--where", "seed = 2", "--yes", "--json"});
  ASSERT_EQ(last.code, 0) << last.err;
  EXPECT_EQ(json::parse(last.out)[0]["folder"], "runs/b");
  EXPECT_FALSE(fs::exists(folder / "runs/b"));
  EXPECT_EQ(say({"runs"}).err, "runs: no runs\n");
}

TEST_F(Runs, WhatIsNotOursStaysAndSoDoAllOthers) {
  train({"--out", "runs/a"});
  train({"--out", "runs/b"});
  const auto expect_kept = [&](const std::string& why) {
    expect_refused({"runs", "rm", "runs/a", "runs/b", "--yes"}, why);
    expect_refused({"runs", "rm", "runs/b"}, why);
    EXPECT_TRUE(fs::exists(folder / "runs/a/record.npz")) << why;
    EXPECT_TRUE(fs::exists(folder / "runs/b/spec.toml")) << why;
  };
  std::ofstream(folder / "runs/b/notes.txt") << "precious";
  expect_kept("runs/b: not removed: it holds 'notes.txt', which no run wrote");
  fs::remove(folder / "runs/b/notes.txt");
  std::ofstream(folder / "runs/b/figures/mine.pdf") << "precious";
  expect_kept("runs/b: not removed: it holds 'figures/mine.pdf', which sluice did not write");
  fs::remove(folder / "runs/b/figures/mine.pdf");
  std::ofstream(folder / "runs/b/metrics.csv", std::ios::app) << "precious";
  expect_kept("runs/b: not removed: 'metrics.csv' was changed since the run wrote it");
  fs::create_directories(folder / "mine");
  std::ofstream(folder / "mine/spec.toml") << "precious";
  expect_refused({"runs", "rm", "mine", "--yes"}, "mine: not removed: not the folder of a run or sweep");
  expect_refused({"runs", "rm", "mine/spec.toml", "--yes"}, "expected the folder of a run or sweep");
  fs::create_directory_symlink(folder / "runs/a", folder / "link");
  expect_refused({"runs", "rm", "link", "--yes"}, "expected the folder of a run or sweep");
  EXPECT_TRUE(fs::exists(folder / "runs/a/record.npz"));
  EXPECT_EQ(file::read_text(folder / "mine/spec.toml"), "precious");
}

/// What one is in cannot go, by whatever name; what only looks odd can.
TEST_F(Runs, TheCurrentFolderIsNotRemoved) {
  train({"--out", "runs/a"});
  const std::vector<std::string> sweep{"sweep", "localization",      "--over",  "seed=1,2",
                                       "--set", "network.hidden=3",  "--set",   "dynamics.steps=4",
                                       "--set", "probe.samples=100", "--quiet", "--out",
                                       "runs/s"};
  ASSERT_EQ(say(sweep).code, 0);
  const auto expect_kept = [&](const std::string& from, const std::string& name, const std::string& why) {
    const Said said = test::sluice({"runs", "rm", name, "--yes"}, folder / from);
    EXPECT_EQ(said.code, 2) << name;
    EXPECT_EQ(said.err, "sluice: " + why + "\n");
    EXPECT_TRUE(fs::exists(folder / "runs/a/record.npz")) << name;
    EXPECT_TRUE(fs::exists(folder / "runs/s/seed=1/record.npz")) << name;
  };
  expect_kept("runs/a", ".", ".: not removed: the current folder is this one");
  expect_kept("runs/a", "../a/", "../a: not removed: the current folder is this one");
  expect_kept("runs/a/figures", "..", "..: not removed: the current folder is in it");
  expect_kept("runs/s/seed=1", "..", "../seed=1: not removed: the current folder is this one");
  expect_kept("runs/s/figures", "..", "..: not removed: the current folder is in it");
  const std::string whole = fs::canonical(folder / "runs/a").string();
  expect_kept("runs/a/figures", whole, whole + ": not removed: the current folder is in it");
  EXPECT_EQ(say({"runs", "rm", "runs/./a/figures/../.", "--yes"}).code, 0);
  EXPECT_FALSE(fs::exists(folder / "runs/a"));
  EXPECT_EQ(test::sluice({"runs", "rm", "s/", "--yes"}, folder / "runs").code, 0);
  EXPECT_FALSE(fs::exists(folder / "runs/s"));
}

TEST_F(Runs, ARunAtWorkIsNotRemoved) {
  train({"--out", "runs/a"});
  {
    const file::FolderLock lock(folder / "runs/a");
    expect_refused({"runs", "rm", "runs/a"}, "runs/a: another sluice");
    expect_refused({"runs", "rm", "runs/a", "--yes"}, "runs/a: another sluice");
    EXPECT_EQ(say({"runs"}).code, 0) << "to be listed it may be at work";
  }
  EXPECT_EQ(say({"runs", "rm", "runs/a", "--yes"}).code, 0);
}

TEST_F(Runs, ASweepGoesWithItsRuns) {
  const std::vector<std::string> sweep{"sweep", "localization",      "--over",  "seed=1,2",
                                       "--set", "network.hidden=3",  "--set",   "dynamics.steps=4",
                                       "--set", "probe.samples=100", "--quiet", "--out",
                                       "runs/s"};
  ASSERT_EQ(say(sweep).code, 0);
  ASSERT_EQ(say({"runs", "runs/s"}).code, 0);
  ASSERT_TRUE(fs::exists(folder / "runs/s/.sluice-index.sqlite"));
  std::ofstream(folder / "runs/s/seed=2/notes.txt") << "precious";
  expect_refused({"runs", "rm", "runs/s", "--yes"}, "runs/s/seed=2: not removed: it holds 'notes.txt'");
  EXPECT_TRUE(fs::exists(folder / "runs/s/seed=1/record.npz"));
  fs::remove(folder / "runs/s/seed=2/notes.txt");
  fs::create_directory(folder / "runs/s/mine");
  expect_refused({"runs", "rm", "runs/s", "--yes"},
                 "runs/s: not removed: it holds 'mine', which no sweep wrote");
  fs::remove(folder / "runs/s/mine");
  const Said said = say({"runs", "rm", "runs/s", "--yes"});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_FALSE(fs::exists(folder / "runs/s"));
}

TEST_F(Runs, OldFoldersAreListedAndRemoved) {
  fs::copy(fs::path(PROJECT_FOLDER) / "test/data/v0.1.0", folder / "runs", fs::copy_options::recursive);
  EXPECT_EQ(lines_of(say({"runs", "--columns", "path"}).out).size(), 9U);
  EXPECT_EQ(say({"runs", "rm", "--where", "status = interrupted", "--yes"}).code, 0);
  EXPECT_FALSE(fs::exists(folder / "runs/two-stopped"));
  EXPECT_EQ(say({"runs", "rm", "runs/sweep", "runs/two-finished", "--yes"}).code, 0);
  EXPECT_EQ(lines_of(say({"runs", "--columns", "path"}).out).size(), 3U);
  EXPECT_TRUE(fs::exists(folder / "runs/README.md"));
}

TEST_F(Runs, SeveralProcessesAtOnceSayTheSame) {
  for (int i = 0; i < 150; ++i) test::write_run(folder / fmt::format("runs/r{}", i), {.gain = 1.0 + i % 7});
  const std::string expected = say({"runs", "--where", "gain > 4", "--csv"}).out;
  for (int round = 0; round < 5; ++round) {
    fs::remove(folder / "runs/.sluice-index.sqlite");
    std::vector<std::unique_ptr<Process>> processes;
    for (int i = 0; i < 8; ++i) {
      std::vector<std::string> words{"runs", "--where", "gain > 4", "--csv"};
      if (i % 2 == 1) words.emplace_back("--reindex");
      processes.push_back(std::make_unique<Process>(words, folder.path()));
    }
    for (const auto& process : processes) {
      const Said said = process->wait();
      EXPECT_EQ(said.code, 0) << said.err;
      EXPECT_EQ(said.out, expected) << said.err;
    }
  }
  const Said after = say({"runs", "--where", "gain > 4", "--csv"});
  EXPECT_EQ(after.out, expected);
  EXPECT_EQ(after.err, "");
}

/// Killed at any time while it writes the index: what others are told is right, and the index good again.
TEST_F(Runs, AKillInTheMiddleLosesNothing) {
  for (int i = 0; i < 200; ++i) test::write_run(folder / fmt::format("runs/r{}", i), {.gain = 1.0 + i % 7});
  const std::string expected = say({"runs", "--csv"}).out;
  for (int delay = 0; delay < 60; delay += 4) {
    Process process({"runs", "--reindex", "--csv"}, folder.path());
    std::this_thread::sleep_for(std::chrono::milliseconds(delay));
    process.signal(SIGKILL);
    process.wait();
    const Said said = say({"runs", "--csv"});
    EXPECT_EQ(said.out, expected) << delay;
    EXPECT_EQ(said.err, "") << delay;
  }
}

TEST_F(Runs, InfinityIsSaidInJson) {
  test::write_run(folder / "runs/a", {.gain = std::numeric_limits<double>::infinity()});
  EXPECT_EQ(json::parse(say({"runs", "--json", "--columns", "gain"}).out)[0]["task.gain"], "inf");
  EXPECT_EQ(say({"runs", "--where", "gain = inf", "--columns", "path,gain"}).out, "path  gain\na      inf\n");
}

}  // namespace
}  // namespace sluice
