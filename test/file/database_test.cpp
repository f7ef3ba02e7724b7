#include "sluice/file/database.hpp"

#include <gtest/gtest.h>

#include <sys/stat.h>

#include <cerrno>
#include <cmath>
#include <fstream>
#include <limits>
#include <vector>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/system.hpp"
#include "test/support/refusing.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice::file {
namespace {

using namespace std::chrono_literals;
using Access = Database::Access;
using Problem = DatabaseError::Problem;

template <class Act>
std::optional<Problem> problem_of(const Act& act) {
  try {
    act();
  } catch (const DatabaseError& failure) {
    return failure.problem;
  }
  return std::nullopt;
}

/// A table of some pages, so that damage can be in one of them alone.
void fill(Database& database) {
  Transaction transaction(database);
  database.run("CREATE TABLE t (a)");
  Statement insert = database.prepare("INSERT INTO t VALUES (?)");
  for (std::int64_t i = 0; i < 200; ++i) {
    insert.begin(std::vector<Cell>{std::string(500, static_cast<char>('a' + i % 26))});
    insert.step();
  }
  transaction.commit();
}

TEST(Database, GivesBackWhatItWasGiven) {
  Database database = Database::in_memory();
  const std::vector<Cell> cells{Cell{},
                                std::numeric_limits<std::int64_t>::max(),
                                0.1,
                                std::numeric_limits<double>::infinity(),
                                std::string("'; DROP TABLE t; --"),
                                std::string("a\0b", 3),
                                std::string()};
  Statement statement = database.prepare("SELECT ?, ?, ?, ?, ?, ?, ?");
  statement.begin(cells);
  ASSERT_TRUE(statement.step());
  for (std::size_t i = 0; i < cells.size(); ++i)
    EXPECT_EQ(statement.cell(static_cast<int>(i)), cells[i]) << i;
  EXPECT_FALSE(statement.step());
  statement.begin(std::vector<Cell>{std::nan("")});
  ASSERT_TRUE(statement.step());
  EXPECT_TRUE(is_absent(statement.cell(0)));
}

TEST(Database, ANameThatIsNoColumnIsAnError) {
  Database database = Database::in_memory();
  database.run("CREATE TABLE t (a)");
  EXPECT_EQ(problem_of([&] { database.run("SELECT \"b\" FROM t"); }), Problem::other)
      << "SQLite would take it for a text";
}

TEST(Database, WithoutCommitNothingHappened) {
  const test::TempFolder folder;
  Database database(folder / "d", Access::write, 0ms);
  fill(database);
  {
    Transaction transaction(database);
    database.run("DELETE FROM t");
  }
  EXPECT_EQ(database.ask("SELECT count(*) FROM t"), Cell(std::int64_t{200}));
  Database other(folder / "d", Access::read, 0ms);
  EXPECT_EQ(other.ask("SELECT count(*) FROM t"), Cell(std::int64_t{200}));
  EXPECT_FALSE(std::filesystem::exists(folder / "d-wal")) << "memory that a network does not share";
}

TEST(Database, SaysWhatIsWrong) {
  const test::TempFolder folder;
  {
    Database database(folder / "d", Access::write, 0ms);
    fill(database);
    Transaction held(database);
    Database other(folder / "d", Access::write, 0ms);
    EXPECT_EQ(problem_of([&] { const Transaction second(other); }), Problem::busy);
    EXPECT_EQ(other.ask("SELECT count(*) FROM t"), Cell(std::int64_t{200}))
        << "who reads is not kept waiting";
    Database reader(folder / "d", Access::read, 0ms);
    EXPECT_EQ(problem_of([&] { reader.run("DELETE FROM t"); }), Problem::not_writable);
  }
  EXPECT_EQ(problem_of([&] { Database(folder / "none/d", Access::write, 0ms); }), Problem::not_writable);
  EXPECT_EQ(problem_of([&] { Database(folder / "none", Access::read, 0ms); }), Problem::not_writable);
  write_atomically(folder / "text", std::string(2000, 'x'));
  Database text(folder / "text", Access::write, 0ms);
  EXPECT_EQ(problem_of([&] { text.ask("SELECT count(*) FROM sqlite_schema"); }), Problem::damaged);
}

/// What the world does is said in our words.
TEST(Database, SpeaksOfNoLibrary) {
  const test::TempFolder folder;
  Database database(folder / "d", Access::write, 0ms);
  fill(database);
  const auto words_of = [&](const auto& act) {
    try {
      act();
    } catch (const DatabaseError& failure) {
      return std::string(failure.what()).substr(folder.path().string().size() + 1);
    }
    return std::string();
  };
  const auto change = [&] { database.run("DELETE FROM t"); };
  const auto words_without = [&](system::Call what, int error) {
    static system::Call refused;
    static int with;
    refused = what;
    with = error;
    const test::Refusing refusing([](system::Call call) { return call == refused ? with : 0; });
    return words_of(change);
  };
  EXPECT_EQ(words_without(system::Call::write, ENOSPC), "d: cannot be written: No space left on device");
  EXPECT_EQ(words_without(system::Call::write, EIO), "d: cannot be written");
  EXPECT_EQ(words_without(system::Call::open, EROFS), "d: cannot be opened, or the journal beside it cannot");
  Database other(folder / "d", Access::write, 0ms);
  {
    const Transaction held(other);
    EXPECT_EQ(words_of(change), "d: another process is at work in it");
  }
  Database reader(folder / "d", Access::read, 0ms);
  EXPECT_EQ(words_of([&] { reader.run("DELETE FROM t"); }), "d: cannot be written");
  EXPECT_EQ(database.ask("SELECT count(*) FROM t"), Cell(std::int64_t{200}));
}

TEST(Database, APipeIsNotWaitedFor) {
  const test::TempFolder folder;
  {
    Database database(folder / "d", Access::write, 0ms);
    fill(database);
  }
  for (const char* name : {"pipe", "d-journal"}) ASSERT_EQ(::mkfifo((folder / name).c_str(), 0600), 0);
  EXPECT_EQ(problem_of([&] { Database(folder / "pipe", Access::read, 0ms); }), Problem::not_writable);
  EXPECT_EQ(problem_of([&] {
              Database database(folder / "d", Access::read, 0ms);
              database.ask("SELECT count(*) FROM t");
            }),
            Problem::not_writable);
}

TEST(Database, DamageIsNoticedAndCleared) {
  const test::TempFolder folder;
  {
    Database database(folder / "d", Access::write, 0ms);
    fill(database);
  }
  {
    std::fstream stream(folder / "d", std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(4096);
    stream << std::string(8 * 4096, '\xff');
  }
  Database database(folder / "d", Access::write, 0ms);
  EXPECT_EQ(problem_of([&] { database.run("SELECT a FROM t"); }), Problem::damaged);
  database.clear();
  EXPECT_EQ(database.ask("SELECT count(*) FROM sqlite_schema"), Cell(std::int64_t{0}));
  fill(database);
}

TEST(Database, IsCopiedFromOneThatCanOnlyBeRead) {
  const test::TempFolder folder;
  Database disk(folder / "d", Access::write, 0ms);
  fill(disk);
  Database reader(folder / "d", Access::read, 0ms);
  Database memory = Database::in_memory();
  memory.copy_from(reader);
  memory.run("DELETE FROM t WHERE rowid > 10");
  EXPECT_EQ(memory.ask("SELECT count(*) FROM t"), Cell(std::int64_t{10}));
  EXPECT_EQ(disk.ask("SELECT count(*) FROM t"), Cell(std::int64_t{200}));
}

}  // namespace
}  // namespace sluice::file
