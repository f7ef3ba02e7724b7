#include "sluice/file/atomic_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "sluice/file/errors.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice::file {
namespace {

std::size_t entries(const std::filesystem::path& folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

TEST(AtomicFile, WithoutCommitTheOldFileStays) {
  const test::TempFolder folder;
  write_atomically(folder / "a.txt", "old");
  {
    AtomicFile file(folder / "a.txt");
    file.write("half of the new");
  }
  EXPECT_EQ(read_text(folder / "a.txt"), "old");
  EXPECT_EQ(entries(folder.path()), 1U) << "the temporary is gone";
}

TEST(AtomicFile, CommitReplacesAndPatchOverwrites) {
  const test::TempFolder folder;
  write_atomically(folder / "a.txt", "old");
  AtomicFile file(folder / "a.txt");
  file.write("....-tail");
  file.patch(0, "head");
  file.commit();
  EXPECT_EQ(read_text(folder / "a.txt"), "head-tail");
  EXPECT_EQ(entries(folder.path()), 1U);
}

TEST(AtomicFile, NamesTheTargetWhenItFails) {
  try {
    AtomicFile file("/proc/nowhere/a.txt");
    FAIL();
  } catch (const IoError& error) {
    EXPECT_NE(std::string(error.what()).find("/proc/nowhere/a.txt: cannot be written: No such file"),
              std::string::npos)
        << error.what();
  }
}

TEST(AtomicFile, StaleTemporariesOfAKilledProcessAreRemoved) {
  const test::TempFolder folder;
  write_atomically(folder / ".record.npz.sluice-tmp-123", "half");
  write_atomically(folder / "record.npz", "whole");
  remove_stale_temporaries(folder.path());
  EXPECT_EQ(entries(folder.path()), 1U);
  EXPECT_EQ(read_text(folder / "record.npz"), "whole");
}

}  // namespace
}  // namespace sluice::file
