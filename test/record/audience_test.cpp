#include "sluice/record/audience.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "sluice/file/atomic_file.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice::record {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

TEST(Audience, IsWhoTouchesTheFile) {
  const test::TempFolder folder;
  Audience before(folder.path());
  EXPECT_FALSE(before.present());
  attend(folder.path());
  EXPECT_FALSE(before.present()) << "the disk is looked at twice a second, not at every step";
  std::this_thread::sleep_for(550ms);
  EXPECT_TRUE(before.present());
  leave(folder.path());
  std::this_thread::sleep_for(550ms);
  EXPECT_FALSE(before.present());
}

TEST(Audience, OfAFolderThatIsNotThereIsNoFailure) {
  attend("/nonexistent/folder");
  leave("/nonexistent/folder");
  EXPECT_FALSE(Audience("/nonexistent/folder").present());
}

/// A file that is made is empty; one that was there is the same afterwards, whatever it is.
TEST(Audience, WhatIsNotItsOwnStaysAsItIs) {
  const test::TempFolder folder;
  const fs::path mark = folder / std::string(kWatchedName);
  const auto expect_left_alone = [&](const char* what) {
    const auto kind = fs::symlink_status(mark).type();
    EXPECT_TRUE(has_foreign_mark(folder.path())) << what;
    attend(folder.path());
    EXPECT_FALSE(Audience(folder.path()).present()) << what;
    leave(folder.path());
    EXPECT_EQ(fs::symlink_status(mark).type(), kind) << what;
    fs::remove(mark);
  };
  fs::create_symlink("made", mark);
  expect_left_alone("a link to nothing");
  EXPECT_FALSE(fs::exists(folder / "made"));
  std::ofstream(folder / "empty").flush();
  const auto long_ago = fs::file_time_type::clock::now() - 1h;
  fs::last_write_time(folder / "empty", long_ago);
  fs::create_symlink("empty", mark);
  expect_left_alone("a link");
  EXPECT_EQ(fs::last_write_time(folder / "empty"), long_ago);
  ASSERT_EQ(::mkfifo(mark.c_str(), 0600), 0);
  expect_left_alone("a pipe");
  fs::create_directory(mark);
  expect_left_alone("a folder");
  file::write_atomically(mark, "precious");
  fs::last_write_time(mark, long_ago);
  attend(folder.path());
  leave(folder.path());
  EXPECT_EQ(fs::last_write_time(mark), long_ago);
  EXPECT_EQ(file::read_text(mark), "precious");
  expect_left_alone("a file");
  EXPECT_FALSE(has_foreign_mark(folder.path()));
  attend(folder.path());
  EXPECT_FALSE(has_foreign_mark(folder.path()));
  leave(folder.path());
  EXPECT_FALSE(fs::exists(mark));
}

}  // namespace
}  // namespace sluice::record
