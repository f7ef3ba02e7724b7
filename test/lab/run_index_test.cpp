#include "sluice/lab/run_index.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <thread>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/record/run_folder.hpp"
#include "test/support/run_folders.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice::lab {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using file::Cell;
using test::write_run;

class RunIndexTest : public testing::Test {
 protected:
  fs::path index_file() const { return folder / std::string(record::kIndexName); }
  std::vector<std::string> paths(const std::string& where = "") const {
    RunIndex index(folder.path());
    EXPECT_TRUE(index.remarks().empty()) << index.remarks().front();
    return paths_in(index, where);
  }
  static std::vector<std::string> paths_in(RunIndex& index, const std::string& where = "") {
    std::vector<std::string> found;
    for (const auto& row : index.select({.where = where, .columns = {"path"}}).rows)
      found.push_back(std::get<std::string>(row[0]));
    return found;
  }
  /// Every cell of every run, whatever the order of the columns.
  static std::vector<std::string> everything(RunIndex& index) {
    const RunTable table = index.select({});
    std::vector<std::string> lines;
    for (const auto& row : table.rows)
      for (std::size_t i = 0; i < row.size(); ++i)
        lines.push_back(fmt::format("{} {} {} {}", std::get<std::string>(row[0]), table.columns[i],
                                    row[i].index(), file::to_text(row[i])));
    std::ranges::sort(lines);
    return lines;
  }
  using Paths = std::vector<std::string>;

  test::TempFolder folder;
};

TEST_F(RunIndexTest, HoldsHowItEndedEveryKeyAndEveryNumber) {
  write_run(folder / "sweep/gain=3", {.gain = 3, .seed = 7});
  RunIndex index(folder.path());
  const RunTable table = index.select({});
  ASSERT_EQ(table.rows.size(), 1U);
  const auto cell = [&](const std::string& column) {
    const auto at = std::ranges::find(table.columns, column);
    EXPECT_NE(at, table.columns.end()) << column;
    return table.rows[0].at(static_cast<std::size_t>(at - table.columns.begin()));
  };
  EXPECT_EQ(cell("path"), Cell("sweep/gain=3"));
  EXPECT_EQ(cell("name"), Cell("r"));
  EXPECT_EQ(cell("status"), Cell("finished"));
  EXPECT_EQ(cell("version"), Cell("0.1.0"));
  EXPECT_EQ(cell("fingerprint"), Cell("2-abc"));
  EXPECT_EQ(cell("seconds"), Cell(1.5));
  EXPECT_EQ(cell("seed"), Cell(std::int64_t{7}));
  EXPECT_EQ(cell("task.gain"), Cell(3.0));
  EXPECT_EQ(cell("task.xi"), Cell("[2.0, 1.0]"));
  EXPECT_EQ(cell("network.bias"), Cell("none"));
  EXPECT_EQ(cell("steps"), Cell(std::int64_t{100}));
  EXPECT_EQ(cell("localized_share"), Cell(0.5));
  EXPECT_EQ(std::get<std::string>(cell("ended")).size(), std::string("2026-11-17T06:05:59Z").size());
  EXPECT_FALSE(index.columns().holds("loss")) << "it diverged: nobody has one";
  EXPECT_FALSE(index.columns().holds("(stamp)"));
}

TEST_F(RunIndexTest, SeesWhatIsNewChangedGoneAndRenamed) {
  write_run(folder / "a", {.gain = 1});
  write_run(folder / "b", {.gain = 2});
  EXPECT_EQ(paths(), (Paths{"a", "b"}));
  EXPECT_TRUE(fs::exists(index_file()));
  write_run(folder / "deep/er/c", {.gain = 3});
  EXPECT_EQ(paths(), (Paths{"a", "b", "deep/er/c"}));
  write_run(folder / "b", {.gain = 5});
  EXPECT_EQ(paths("gain = 5"), (Paths{"b"}));
  EXPECT_EQ(paths("gain = 2"), Paths{});
  fs::remove_all(folder / "a");
  EXPECT_EQ(paths(), (Paths{"b", "deep/er/c"}));
  fs::rename(folder / "b", folder / "z");
  EXPECT_EQ(paths("gain = 5"), (Paths{"z"}));
  EXPECT_EQ(paths(), (Paths{"deep/er/c", "z"}));
}

TEST_F(RunIndexTest, IsOnlyReadWhereNothingChanged) {
  write_run(folder / "a");
  paths();
  const std::string bytes = file::read_text(index_file());
  const auto time = fs::last_write_time(index_file());
  paths();
  EXPECT_EQ(fs::last_write_time(index_file()), time);
  EXPECT_EQ(file::read_text(index_file()), bytes);
}

/// Times and lengths may stay: another file is another inode.
TEST_F(RunIndexTest, SeesAFileOfTheSameTimeAndLength) {
  write_run(folder / "a", {.gain = 1});
  const auto time = fs::last_write_time(folder / "a/spec.toml");
  EXPECT_EQ(paths("gain = 1"), (Paths{"a"}));
  std::string text = file::read_text(folder / "a/spec.toml");
  text.replace(text.find("1.000"), 5, "2.000");
  file::write_atomically(folder / "a/spec.toml", text);
  fs::last_write_time(folder / "a/spec.toml", time);
  EXPECT_EQ(paths("gain = 2"), (Paths{"a"}));
}

TEST_F(RunIndexTest, MadeAnewIsWhatItBecameStepByStep) {
  write_run(folder / "a", {.gain = 1});
  paths();
  write_run(folder / "b", {.gain = 2, .more_keys = "[dynamics]\nrate = 0.1\n"});
  paths();
  write_run(folder / "c", {.gain = 3, .status = "diverged", .more_keys = "[dynamics]\nsteps = 7\n"});
  paths();
  write_run(folder / "b", {.gain = 4, .more_keys = "[start]\nrun = \"x\"\n"});
  fs::remove_all(folder / "c");
  RunIndex step_by_step(folder.path());
  EXPECT_FALSE(step_by_step.columns().holds("dynamics.rate")) << "of a run as it was";
  EXPECT_FALSE(step_by_step.columns().holds("dynamics.steps")) << "of a run that is gone";
  const auto before = everything(step_by_step);
  RunIndex anew(folder.path(), RunIndex::Begin::anew);
  EXPECT_EQ(everything(anew), before);
  fs::remove(index_file());
  RunIndex after_removal(folder.path());
  EXPECT_EQ(everything(after_removal), before);
  EXPECT_GT(before.size(), 20U);
}

TEST_F(RunIndexTest, ListsRunsInTheOrderInWhichPeopleCount) {
  for (const char* name : {"gain=100", "gain=3", "gain=20"}) write_run(folder / name);
  EXPECT_EQ(paths(), (Paths{"gain=3", "gain=20", "gain=100"}));
  RunIndex index(folder.path());
  EXPECT_EQ(index.select({.columns = {"path"}, .descending = true}).rows[0][0], Cell("gain=100"));
}

TEST_F(RunIndexTest, SortsNumbersThenTextsThenNothing) {
  write_run(folder / "a", {.more_keys = "[dynamics]\nbatch = \"full\"\n"});
  write_run(folder / "b");
  write_run(folder / "c", {.more_keys = "[dynamics]\nbatch = 100\n"});
  write_run(folder / "d", {.more_keys = "[dynamics]\nbatch = 9.5\n"});
  RunIndex index(folder.path());
  const auto sorted = [&](bool descending) {
    std::string text;
    for (const auto& row :
         index.select({.columns = {"path"}, .sort = "batch", .descending = descending}).rows)
      text += std::get<std::string>(row[0]);
    return text;
  };
  EXPECT_EQ(sorted(false), "dcab");
  EXPECT_EQ(sorted(true), "acdb");
}

TEST_F(RunIndexTest, FindsRunsAndNothingElse) {
  write_run(folder / "run");
  write_run(folder / "run/figures/no");  // nobody looks for runs among figures
  write_run(folder / ".hidden");
  fs::create_directory_symlink(folder / "run", folder / "link");
  file::write_atomically(folder / "spec.toml", "seed = 1\n");  // somebody's spec alone
  fs::create_directories(folder / "begun");
  file::write_atomically(folder / "begun/spec.toml", "seed = 1\n");
  file::write_atomically(folder / "begun/log.txt", "…\n");
  EXPECT_EQ(paths(), (Paths{"begun", "run"}));
  EXPECT_EQ(paths("status = unfinished"), (Paths{"begun"}));
}

TEST_F(RunIndexTest, ARunThatWasTakenUpAgainIsUnfinished) {
  write_run(folder / "a", {.status = "interrupted"});
  EXPECT_EQ(paths("status = interrupted"), (Paths{"a"}));
  file::write_atomically(folder / "a/checkpoint.npz", "");
  fs::last_write_time(folder / "a/checkpoint.npz", fs::last_write_time(folder / "a/run.json") + 1s);
  EXPECT_EQ(paths("status = unfinished"), (Paths{"a"}));
}

TEST_F(RunIndexTest, FilesThatCannotBeReadAreListed) {
  write_run(folder / "good");
  write_run(folder / "bad-json");
  file::write_atomically(folder / "bad-json/run.json", "{\"status\": ");
  write_run(folder / "bad-toml");
  file::write_atomically(folder / "bad-toml/spec.toml", "gain = = 3\n");
  EXPECT_EQ(paths("status = unreadable"), (Paths{"bad-json", "bad-toml"}));
  EXPECT_EQ(paths("status = finished"), (Paths{"good"}));
  EXPECT_EQ(paths("path = bad-json and gain = 3"), (Paths{"bad-json"})) << "what can be read is there";
}

TEST_F(RunIndexTest, OldFoldersAreListed) {
  fs::copy(fs::path(TEST_FOLDER) / "data/v0.1.0", folder / "old", fs::copy_options::recursive);
  EXPECT_EQ(paths("version = 0.1.0").size(), 8U);
  EXPECT_EQ(paths("activation = relu and name = two and localized_share = 0"), (Paths{"old/two-finished"}));
  EXPECT_EQ(paths("seed = 2 and status = finished"), (Paths{"old/sweep/seed=2"}));
  EXPECT_EQ(paths("task.n = 12 and status = finished").size(), 3U);
}

TEST_F(RunIndexTest, KeysThatDifferComeFirstWhereAllHaveThem) {
  write_run(folder / "a", {.gain = 1, .seed = 1});
  write_run(folder / "b", {.gain = 2, .seed = 1, .more_keys = "[dynamics]\nrate = 0.1\n"});
  write_run(folder / "c", {.gain = 2, .seed = 2});
  RunIndex index(folder.path());
  EXPECT_EQ(index.varied_keys(""), (Paths{"seed", "task.gain", "dynamics.rate"}));
  EXPECT_EQ(index.varied_keys("gain = 2"), (Paths{"seed", "dynamics.rate"}));
  EXPECT_EQ(index.varied_keys("path = a"), Paths{});
  EXPECT_EQ(index.varied_keys("path = nobody"), Paths{});
}

TEST_F(RunIndexTest, ColumnsAreFoundByTheirLastWords) {
  write_run(folder / "a");
  RunIndex index(folder.path());
  EXPECT_EQ(index.select({.columns = {"gain", "localized", "network.kind"}}).columns,
            (Paths{"task.gain", "localized_share", "network.kind"}));
  const auto complaint = [&](const RunQuery& query) {
    try {
      index.select(query);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(complaint({.columns = {"kind"}}), "'kind' is more than one column: task.kind, network.kind");
  EXPECT_EQ(complaint({.sort = "gian"}), "no column 'gian'; did you mean 'gain'?");
  EXPECT_EQ(complaint({.columns = {"path\" FROM runs; --"}}),
            "no column 'path\" FROM runs; --' in any of these runs");
}

TEST_F(RunIndexTest, KeysThatNobodyCouldTypeAreLeftOut) {
  write_run(folder / "a", {.more_keys = "[odd]\n\"a\\\"b\" = 1\n\"task.gain\" = 2\nUPPER = 3\nfine = 4\n"});
  RunIndex index(folder.path());
  EXPECT_TRUE(index.columns().holds("odd.fine"));
  EXPECT_FALSE(index.columns().holds("odd.UPPER"));
  EXPECT_EQ(index.select({}).rows.size(), 1U);
}

TEST_F(RunIndexTest, AKeyDoesNotTakeTheNameOfAnotherColumn) {
  write_run(folder / "a");
  file::write_atomically(folder / "a/spec.toml",
                         "status = \"mine\"\nloss = 7\nstamp = 8\n[task]\ngain = 2.0\n");
  EXPECT_EQ(paths("status = finished and gain = 2 and seed = 1"), (Paths{"a"}));
  EXPECT_EQ(paths("status = mine"), Paths{});
}

TEST_F(RunIndexTest, MoreKeysThanATableHasRoomForStopNothing) {
  std::string keys = "[many]\n";
  for (int i = 0; i < 1200; ++i) keys += fmt::format("k{} = {}\n", i, i);
  write_run(folder / "a", {.more_keys = keys});
  write_run(folder / "b", {.gain = 2});
  RunIndex index(folder.path());
  ASSERT_EQ(index.remarks().size(), 1U);
  EXPECT_NE(index.remarks()[0].find("more than 600 different keys"), std::string::npos);
  EXPECT_EQ(paths_in(index, "gain = 3"), (Paths{"a"}));
  EXPECT_FALSE(index.varied_keys("").empty());
}

TEST_F(RunIndexTest, NoFileIsMadeForAFolderWithoutRunsOrForARun) {
  RunIndex nothing(folder.path());
  EXPECT_EQ(nothing.size(), 0U);
  EXPECT_TRUE(nothing.select({}).rows.empty());
  EXPECT_FALSE(fs::exists(index_file()));
  write_run(folder.path());
  EXPECT_EQ(paths(), (Paths{"."}));
  EXPECT_FALSE(fs::exists(index_file()));
  EXPECT_THROW(RunIndex(folder / "none"), InputError);
  EXPECT_THROW(RunIndex(folder / "run.json"), InputError);
}

TEST_F(RunIndexTest, TheFileIsNoStrangerToARun) {
  write_run(folder / "s/a");
  RunIndex index(folder / "s");
  ASSERT_TRUE(fs::exists(folder / "s" / std::string(record::kIndexName)));
  fs::remove_all(folder / "s/a");
  EXPECT_TRUE(record::is_vacant(folder / "s"));
}

TEST_F(RunIndexTest, ADamagedFileIsMadeAnew) {
  for (int i = 0; i < 40; ++i)
    write_run(folder / fmt::format("r{}", i),
              {.more_keys = fmt::format("x = \"{}\"\n", std::string(800, 'x'))});
  paths();
  const auto size = fs::file_size(index_file());
  ASSERT_GT(size, 8U * 4096);
  const auto expect_mended = [&](const char* what) {
    RunIndex index(folder.path());
    EXPECT_EQ(paths_in(index).size(), 40U) << what;
    EXPECT_EQ(paths_in(index, "gain = 3").size(), 40U) << what;
    ASSERT_EQ(index.remarks().size(), 1U) << what;
    EXPECT_NE(index.remarks()[0].find("was damaged; made anew"), std::string::npos) << index.remarks()[0];
    EXPECT_EQ(paths().size(), 40U) << "and good from then on, " << what;
  };
  {
    std::fstream stream(index_file(), std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(4096);
    stream << std::string(size - 4096, '\x5a');
  }
  expect_mended("pages overwritten");
  fs::resize_file(index_file(), 5000);
  expect_mended("cut short");
}

/// Damage in a page that the comparison of stamps does not look at is found by whoever asks for it.
TEST_F(RunIndexTest, DamageThatShowsLateLosesNothing) {
  for (int i = 0; i < 3; ++i)
    write_run(folder / fmt::format("r{}", i),
              {.more_keys = fmt::format("x = \"{}\"\n", std::string(20000, 'x'))});
  paths();
  RunIndex index(folder.path());
  {
    std::fstream stream(index_file(), std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(2 * 4096);
    stream << std::string(fs::file_size(index_file()) - 2 * 4096, '\x5a');
    stream.seekp(24);  // the count of changes, so that no page is believed from before
    stream << std::string(4, '\x7f');
  }
  EXPECT_EQ(paths_in(index, "network.bias = none").size(), 3U);
}

/// What somebody put into the file is not carried out, nor believed: it is made anew.
TEST_F(RunIndexTest, NothingThatStandsInTheFileIsCarriedOut) {
  write_run(folder / "a");
  write_run(folder / "b", {.gain = 7});
  const std::vector<std::vector<std::string>> hostile{
      {"DROP TABLE runs",
       "CREATE VIEW runs AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT 'p' || x "
       "AS path, 's' AS "
       "\"(stamp)\" FROM c WHERE x < 0"},
      {"DROP TABLE runs", "CREATE VIEW runs AS SELECT hex(zeroblob(450000000)) AS path, 's' AS \"(stamp)\""},
      {"CREATE TRIGGER t AFTER INSERT ON runs BEGIN UPDATE runs SET status = 'diverged'; END",
       "DELETE FROM runs"},
      {"ALTER TABLE runs ADD COLUMN loss2 AS (hex(zeroblob(450000000)))"},
      {"ALTER TABLE runs ADD COLUMN more DEFAULT 7"},
      {"DELETE FROM runs", "CREATE INDEX i ON runs (length(path || hex(zeroblob(450000000))))"},
      {"CREATE TABLE more (x)"},
      {"UPDATE runs SET path = NULL WHERE path = 'a'"},
  };
  for (const std::vector<std::string>& sentences : hostile) {
    SCOPED_TRACE(sentences.back());
    EXPECT_EQ(paths(), (Paths{"a", "b"}));
    {
      file::Database index(index_file(), file::Database::Access::write, 0ms);
      for (const std::string& sentence : sentences) index.run(sentence);
    }
    RunIndex index(folder.path());
    ASSERT_EQ(index.remarks().size(), 1U);
    EXPECT_NE(index.remarks()[0].find("was damaged; made anew"), std::string::npos) << index.remarks()[0];
    EXPECT_EQ(paths_in(index), (Paths{"a", "b"}));
    EXPECT_EQ(paths_in(index, "status = finished and gain = 7"), (Paths{"b"}));
  }
}

/// A row that is not as it was written is read again from its run.
TEST_F(RunIndexTest, ARowThatWasChangedIsNotBelieved) {
  write_run(folder / "a");
  write_run(folder / "b", {.gain = 7});
  const std::vector<std::string> as_read = [&] {
    RunIndex index(folder.path());
    return everything(index);
  }();
  for (const char* change :
       {"\"task.gain\" = 3.5", "status = 'diverged'", "localized_share = NULL", "name = 7", "seed = 1.0",
        "version = '0.1.1'", "\"(stamp)\" = 'x'", "\"(sum)\" = 0"}) {
    {
      file::Database index(index_file(), file::Database::Access::write, 0ms);
      index.run(std::string("UPDATE runs SET ") + change + " WHERE path = 'a'");
    }
    RunIndex index(folder.path());
    EXPECT_EQ(everything(index), as_read) << change;
  }
}

/// Who does not ask the cache sees the runs as they are, whatever a row says that was written to deceive.
TEST_F(RunIndexTest, WithoutTheCacheItIsNotRead) {
  write_run(folder / "a");
  paths();
  const std::string bytes = file::read_text(index_file());
  {
    file::Database index(index_file(), file::Database::Access::write, 0ms);
    index.run("DROP TABLE runs");
  }
  const std::string changed = file::read_text(index_file());
  ASSERT_NE(changed, bytes);
  RunIndex index(folder.path(), RunIndex::Begin::without_cache);
  EXPECT_TRUE(index.remarks().empty());
  EXPECT_EQ(paths_in(index), (Paths{"a"}));
  EXPECT_EQ(file::read_text(index_file()), changed);
}

TEST_F(RunIndexTest, AFileOfSomebodyElseStaysAsItIs) {
  write_run(folder / "a");
  const auto expect_alone = [&](const std::string& what) {
    const std::string bytes = file::read_text(index_file());
    for (const auto begin : {RunIndex::Begin::from_cache, RunIndex::Begin::anew}) {
      RunIndex index(folder.path(), begin);
      EXPECT_EQ(paths_in(index), (Paths{"a"})) << what;
      ASSERT_EQ(index.remarks().size(), 1U) << what;
      EXPECT_NE(index.remarks()[0].find("move it away"), std::string::npos) << index.remarks()[0];
    }
    EXPECT_EQ(file::read_text(index_file()), bytes) << what;
    fs::remove(index_file());
  };
  file::write_atomically(index_file(), "precious notes\n");
  expect_alone("a text");
  file::write_atomically(index_file(), std::string(5000, '\0'));
  expect_alone("zeros");
  {
    file::Database theirs(index_file(), file::Database::Access::write, 0ms);
    theirs.run("CREATE TABLE runs (path, stamp)");
  }
  expect_alone("a database");
  fs::create_directory(index_file());
  RunIndex index(folder.path());
  EXPECT_EQ(paths_in(index), (Paths{"a"}));
  EXPECT_EQ(index.remarks().size(), 1U);
  EXPECT_TRUE(fs::is_directory(index_file()));
}

/// No link is followed and no pipe waited for, under the name of the index or of its journal.
TEST_F(RunIndexTest, WhatIsNoFileStaysAsItIs) {
  write_run(folder / "a");
  write_run(folder / "elsewhere/b", {.gain = 2});
  RunIndex(folder / "elsewhere");  // has an index, which is none of the links to it
  const fs::path theirs = folder / "elsewhere" / std::string(record::kIndexName);
  ASSERT_TRUE(fs::exists(theirs));
  const auto time = fs::last_write_time(theirs);
  for (const std::string end : {"", "-journal"}) {
    const fs::path file = index_file().string() + end;
    const auto expect_left_alone = [&](const char* what) {
      const auto kind = fs::symlink_status(file).type();
      RunIndex index(folder.path());
      EXPECT_EQ(paths_in(index), (Paths{"a", "elsewhere/b"})) << what;
      ASSERT_EQ(index.remarks().size(), 1U) << what;
      EXPECT_EQ(index.remarks()[0],
                file.string() + ": not an index of sluice; move it away; it is done without");
      EXPECT_FALSE(foreign_index(folder.path()).empty()) << what;
      remove_index(folder.path());
      EXPECT_EQ(fs::symlink_status(file).type(), kind) << what;
      fs::remove(file);
    };
    ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
    expect_left_alone("a pipe");
    fs::create_symlink(theirs, file);
    expect_left_alone("a link");
    fs::create_symlink("nowhere", file);
    expect_left_alone("a link to nothing");
    fs::create_directory(file);
    expect_left_alone("a folder");
  }
  EXPECT_EQ(fs::last_write_time(theirs), time);
  EXPECT_EQ(foreign_index(folder.path()), "");
  EXPECT_EQ(paths(), (Paths{"a", "elsewhere/b"}));
  remove_index(folder.path());
  EXPECT_FALSE(fs::exists(index_file()));
}

TEST_F(RunIndexTest, AnIndexOfAnotherFormatIsMadeAnew) {
  write_run(folder / "a");
  paths();
  {
    file::Database index(index_file(), file::Database::Access::write, 0ms);
    index.run("PRAGMA user_version = 99");
    index.run("ALTER TABLE runs DROP COLUMN \"(stamp)\"");
  }
  EXPECT_EQ(paths(), (Paths{"a"}));
  EXPECT_EQ(paths("gain = 3"), (Paths{"a"}));
}

TEST_F(RunIndexTest, AFolderThatCannotBeWrittenIsListed) {
  write_run(folder / "a");
  paths();
  write_run(folder / "b", {.gain = 7});
  fs::permissions(index_file(), fs::perms::owner_read);
  fs::permissions(folder.path(), fs::perms::owner_read | fs::perms::owner_exec);
  RunIndex index(folder.path());
  EXPECT_EQ(paths_in(index), (Paths{"a", "b"}));
  EXPECT_EQ(paths_in(index, "gain = 7"), (Paths{"b"}));
  if (::geteuid() != 0) {  // who may write everywhere
    EXPECT_EQ(index.remarks().size(), 1U);
  }
  fs::permissions(folder.path(), fs::perms::owner_all);
}

TEST_F(RunIndexTest, AFolderWithoutRoomForTheFileIsListed) {
  write_run(folder / "a");
  // A name in the way of the journal, which root cannot write either.
  paths();
  fs::create_directories(folder / (std::string(record::kIndexName) + "-journal") / "x");
  write_run(folder / "b", {.gain = 7});
  RunIndex index(folder.path());
  EXPECT_EQ(paths_in(index, "gain = 7"), (Paths{"b"}));
  EXPECT_EQ(paths_in(index), (Paths{"a", "b"}));
  EXPECT_EQ(index.remarks().size(), 1U);
}

TEST_F(RunIndexTest, AWriterThatStaysIsNotWaitedForForever) {
  write_run(folder / "a");
  paths();
  write_run(folder / "b", {.gain = 7});
  file::Database other(index_file(), file::Database::Access::write, 0ms);
  const file::Transaction held(other);
  RunIndex index(folder.path());
  EXPECT_EQ(paths_in(index), (Paths{"a", "b"}));
  ASSERT_EQ(index.remarks().size(), 1U);
  EXPECT_NE(index.remarks()[0].find("another process is at work in it; it is done without"),
            std::string::npos)
      << index.remarks()[0];
}

/// Made anew by one while another asks: each answer is right.
TEST_F(RunIndexTest, SeveralAtOnceAreRight) {
  for (int i = 0; i < 30; ++i) write_run(folder / fmt::format("r{}", i), {.gain = 1.0 + i % 3});
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 8; ++i) {
        RunIndex index(folder.path(), t == 0 ? RunIndex::Begin::anew : RunIndex::Begin::from_cache);
        if (paths_in(index, "gain = 2").size() != 10 || paths_in(index).size() != 30) ++wrong;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(paths().size(), 30U);
}

TEST_F(RunIndexTest, TablesBecomeFiles) {
  write_run(folder / "a", {.gain = 1, .seed = 1});
  write_run(folder / "b,\"c\"", {.gain = 2.5, .seed = 2, .more_keys = "[dynamics]\nrate = 0.1\n"});
  RunIndex index(folder.path());
  const RunTable table = index.select({.columns = {"path", "gain", "seed", "rate"}});
  EXPECT_EQ(to_csv(table), "path,task.gain,seed,dynamics.rate\na,1,1,\n\"b,\"\"c\"\"\",2.5,2,0.1\n");
}

}  // namespace
}  // namespace sluice::lab
