/// Somebody moves a folder away while we are at work in it, and puts another in its place.
#include "sluice/file/held_folders.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <system_error>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/lock.hpp"
#include "sluice/file/system.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice::file {
namespace {

namespace fs = std::filesystem;

std::map<std::string, std::string> held_files_in(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    files[fs::relative(entry.path(), folder).string()] = entry.is_directory() ? "" : read_text(entry.path());
  return files;
}

/// Two folders that look alike, of which "r" is held.
class HeldFolders : public testing::Test {
 protected:
  HeldFolders() {
    for (const char* name : {"r", "other"}) {
      make_folders(folder_ / name / "figures");
      for (const char* file : {"a.txt", "figures/b.svg"})
        write_atomically(folder_ / name / file, std::string("of ") + name);
    }
    lock_.emplace(folder_ / "r");
  }
  void exchange() {
    fs::rename(folder_ / "r", folder_ / "moved");
    fs::rename(folder_ / "other", folder_ / "r");
  }
  void expect_refused(const std::function<void()>& work) {
    try {
      work();
      ADD_FAILURE() << "nothing was thrown";
    } catch (const IoError& error) {
      EXPECT_TRUE(
          std::string(error.what()).starts_with((folder_ / "r").string() + ": not the folder in which"))
          << error.what();
    }
  }

  test::TempFolder folder_;
  std::optional<FolderLock> lock_;
};

TEST_F(HeldFolders, WhatStandsInTheirPlaceIsLeftAsItIs) {
  write_atomically(folder_ / "r/a.txt", "new");
  EXPECT_EQ(read_text(folder_ / "r/a.txt"), "new");
  exchange();
  const auto before = held_files_in(folder_ / "r");
  expect_refused([&] { write_atomically(folder_ / "r/a.txt", "newer"); });
  expect_refused([&] { write_atomically(folder_ / "r/c.txt", "newer"); });
  expect_refused([&] { write_atomically(folder_ / "r/figures/b.svg", "newer"); });
  expect_refused([&] { remove_entry(folder_ / "r/a.txt"); });
  expect_refused([&] { make_folders(folder_ / "r/more"); });
  std::error_code failure;
  EXPECT_FALSE(remove_entry(folder_ / "r/figures/b.svg", failure));
  EXPECT_EQ(failure, std::errc(ESTALE));
  EXPECT_EQ(held_files_in(folder_ / "r"), before);
  lock_.reset();
  EXPECT_EQ(held_files_in(folder_ / "r"), before);
  write_atomically(folder_ / "r/a.txt", "nobody holds it");
}

TEST_F(HeldFolders, NorIsItWhereAFileWasOnItsWay) {
  AtomicFile alone(folder_ / "r/a.txt");
  alone.write("newer");
  CommitTogether together;
  write_atomically(folder_ / "r/figures/b.svg", "newer");
  exchange();
  const auto before = held_files_in(folder_ / "r");
  expect_refused([&] { together.commit(); });
  expect_refused([&] { alone.commit(); });
  EXPECT_EQ(held_files_in(folder_ / "r"), before);
}

/// Who is at work in "r" and changes the current folder is at work in no "r" that may be there; and nobody else of this process is, until the first lets go.
TEST_F(HeldFolders, AreNotThoseOfAnotherCurrentFolder) {
  lock_.reset();
  make_folders(folder_ / "elsewhere/r");
  const fs::path before = fs::current_path();
  fs::current_path(folder_.path());
  lock_.emplace("r");
  fs::current_path(folder_ / "elsewhere");
  EXPECT_THROW(write_atomically("r/a.txt", "newer"), IoError);
  try {
    const FolderLock another("r");
    ADD_FAILURE() << "nothing was thrown";
  } catch (const InputError& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("r: this process is at work in another folder"))
        << error.what();
  }
  EXPECT_TRUE(held_files_in("r").empty()) << "no lock was left";
  EXPECT_THROW(write_atomically("r/a.txt", "newer"), IoError) << "the first one holds it still";
  fs::current_path(folder_.path());
  write_atomically("r/a.txt", "newer");
  lock_.reset();
  fs::current_path(folder_ / "elsewhere");
  {
    const FolderLock another("r");
    write_atomically("r/a.txt", "newer");
  }
  fs::current_path(before);
}

/// A sweep holds its folder while it works, and its lock from time to time.
TEST_F(HeldFolders, AreHeldByAsManyAsHoldThem) {
  std::optional<HeldFolder> first(folder_ / "r"), second(folder_ / "r");
  lock_.reset();
  first.reset();
  exchange();
  expect_refused([&] { write_atomically(folder_ / "r/a.txt", "newer"); });
  second.reset();
  write_atomically(folder_ / "r/a.txt", "nobody holds it");
}

/// A process that was forked is at work nowhere.
TEST_F(HeldFolders, AreNotHeldByAChild) {
  exchange();
  EXPECT_TRUE(is_displaced(folder_ / "r/a.txt"));
  const pid_t child = ::fork();
  if (child == 0) ::_exit(is_displaced(folder_ / "r/a.txt") ? 1 : 0);
  int status = 1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

/// The path may be written with a slash at its end.
TEST_F(HeldFolders, AreThoseOfTheirFiles) {
  lock_.reset();
  const FolderLock lock(folder_.path() / "r" / "");
  exchange();
  expect_refused([&] { write_atomically(folder_ / "r/a.txt", "newer"); });
  EXPECT_FALSE(is_displaced(folder_ / "a.txt"));
  EXPECT_FALSE(is_displaced(folder_ / "moved/a.txt"));
}

TEST_F(HeldFolders, AreMissedWhereNothingStandsInTheirPlace) {
  fs::rename(folder_ / "r", folder_ / "moved");
  expect_refused([&] { write_atomically(folder_ / "r/a.txt", "newer"); });
  fs::rename(folder_ / "moved", folder_ / "r");
  write_atomically(folder_ / "r/a.txt", "it is back");
}

}  // namespace
}  // namespace sluice::file
