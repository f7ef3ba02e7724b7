#include "sluice/file/atomic_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>

#include "sluice/file/errors.hpp"
#include "sluice/file/system.hpp"
#include "test/support/refusing.hpp"
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

TEST(CommitTogether, FilesTakeTheirNamesAtOnceAndInOrder) {
  const test::TempFolder folder;
  write_atomically(folder / "a.txt", "old");
  CommitTogether together;
  write_atomically(folder / "a.txt", "new");
  write_atomically(folder / "b.txt", "first");
  write_atomically(folder / "b.txt", "second");
  EXPECT_EQ(read_text(folder / "a.txt"), "old");
  EXPECT_FALSE(std::filesystem::exists(folder / "b.txt"));
  together.commit();
  EXPECT_EQ(read_text(folder / "a.txt"), "new");
  EXPECT_EQ(read_text(folder / "b.txt"), "second");
  write_atomically(folder / "c.txt", "at once");
  EXPECT_EQ(read_text(folder / "c.txt"), "at once");
  EXPECT_EQ(entries(folder.path()), 3U) << "no temporary is left";
}

TEST(CommitTogether, WithoutCommitNothingChanges) {
  const test::TempFolder folder;
  write_atomically(folder / "a.txt", "old");
  {
    CommitTogether together;
    write_atomically(folder / "a.txt", "new");
    CommitTogether inner;  // one within another is on its own
    write_atomically(folder / "b.txt", "inner");
    inner.commit();
    EXPECT_EQ(read_text(folder / "b.txt"), "inner");
    write_atomically(folder / "c.txt", "outer again");
    EXPECT_FALSE(std::filesystem::exists(folder / "c.txt"));
  }
  EXPECT_EQ(read_text(folder / "a.txt"), "old");
  EXPECT_EQ(entries(folder.path()), 2U);
  write_atomically(folder / "a.txt", "new");
  EXPECT_EQ(read_text(folder / "a.txt"), "new");
}

TEST(CommitTogether, NamesTheFileThatFailsAndKeepsNoTemporary) {
  const test::TempFolder folder;
  std::filesystem::create_directory(folder / "taken");
  write_atomically(folder / "taken" / "x", "x");
  CommitTogether together;
  write_atomically(folder / "good.txt", "good");
  write_atomically(folder / "taken", "a file in place of a folder");
  write_atomically(folder / "late.txt", "late");
  try {
    together.commit();
    FAIL();
  } catch (const IoError& error) {
    EXPECT_NE(std::string(error.what()).find("taken: cannot be replaced"), std::string::npos) << error.what();
  }
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

TEST(Safety, H3_TwoWritersOfOneFileDoNotShareATemporary) {
  const test::TempFolder folder;
  AtomicFile first(folder / "a.txt");
  first.write("first, which is longer");
  AtomicFile second(folder / "a.txt");
  second.write("second");
  first.commit();
  EXPECT_EQ(read_text(folder / "a.txt"), "first, which is longer");
  second.commit();
  EXPECT_EQ(read_text(folder / "a.txt"), "second");
}

TEST(Safety, H3_ALinkInPlaceOfATemporaryIsNotFollowed) {
  const test::TempFolder folder;
  write_atomically(folder / "victim", "precious");
  const std::string name = ".a.txt.sluice-tmp-" + std::to_string(::getpid());
  std::filesystem::create_symlink(folder / "victim", folder / name);
  write_atomically(folder / "a.txt", "new");
  EXPECT_EQ(read_text(folder / "victim"), "precious");
  EXPECT_EQ(read_text(folder / "a.txt"), "new");
}

TEST(Safety, H1_TemporariesOfLivingWritersStay) {
  const test::TempFolder folder;
  AtomicFile living(folder / "record.npz");
  living.write("whole");
  write_atomically(folder / ".record.npz.sluice-tmp-0123456789abcdef", "left by a killed process");
  remove_stale_temporaries(folder.path());
  EXPECT_EQ(entries(folder.path()), 1U);
  living.commit();
  EXPECT_EQ(read_text(folder / "record.npz"), "whole");
}

TEST(Safety, H1_OnlyNamesOfTemporariesAreTemporaries) {
  EXPECT_TRUE(is_temporary(".record.npz.sluice-tmp-0123456789abcdef"));
  EXPECT_TRUE(is_temporary(".record.npz.sluice-tmp-4711")) << "version 0.1.0 put its pid there";
  for (const char* name :
       {"notes.sluice-tmp-backup.md", ".notes.sluice-tmp-backup.md", "record.npz.sluice-tmp-12",
        ".record.npz.sluice-tmp-", ".record.npz.sluice-tmp-0123456789ABCDEF", ".sluice-tmp-12",
        ".record.npz.sluice-tmp-12345678"})
    EXPECT_FALSE(is_temporary(name)) << name;
}

/// File systems that have a call for a name that is free, that have links, and that have neither.
enum class Knows { all, links, neither };

class NewNames : public testing::TestWithParam<Knows> {
 protected:
  NewNames() {
    knows_ = GetParam();
    renames_ = 0;
    system::ask([](system::Call call) {
      // The first rename is asked to take only a free name; one that follows is an ordinary one.
      if (call == system::Call::rename && renames_++ == 0 && knows_ != Knows::all) return EINVAL;
      return call == system::Call::link && knows_ == Knows::neither ? EPERM : 0;
    });
  }
  ~NewNames() override { system::ask(nullptr); }
  std::string complaint_of(AtomicFile& file) const {
    try {
      file.commit();
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  const test::TempFolder folder_;

 private:
  inline static Knows knows_ = Knows::all;
  inline static int renames_ = 0;
};

TEST_P(NewNames, AreTakenWhereNothingStands) {
  AtomicFile file(folder_ / "a.txt", IfTaken::refuse);
  file.write("new");
  EXPECT_EQ(complaint_of(file), "");
  EXPECT_EQ(read_text(folder_ / "a.txt"), "new");
  EXPECT_EQ(entries(folder_.path()), 1U) << "no temporary is left";
}

TEST_P(NewNames, M4_AFileThatIsMadeInTheMeantimeStays) {
  {
    AtomicFile file(folder_ / "a.txt", IfTaken::refuse);
    file.write("new");
    std::ofstream(folder_ / "a.txt") << "precious";
    EXPECT_EQ(complaint_of(file),
              (folder_ / "a.txt").string() + ": exists; overwrite it, or choose another file");
  }
  EXPECT_EQ(read_text(folder_ / "a.txt"), "precious");
  EXPECT_EQ(entries(folder_.path()), 1U) << "no temporary is left";
}

TEST_P(NewNames, M4_ALinkThatLeadsNowhereStays) {
  std::filesystem::create_symlink("nowhere", folder_ / "a.txt");
  EXPECT_THROW(write_atomically(folder_ / "a.txt", "new", IfTaken::refuse), InputError);
  EXPECT_EQ(std::filesystem::read_symlink(folder_ / "a.txt"), "nowhere");
  EXPECT_EQ(entries(folder_.path()), 1U);
}

TEST_P(NewNames, M4_OfFilesThatAreCommittedTogetherNoneComesAfterARefusal) {
  {
    CommitTogether together;
    write_atomically(folder_ / "a.txt", "new", IfTaken::refuse);
    write_atomically(folder_ / "b.txt", "new", IfTaken::replace);
    std::ofstream(folder_ / "a.txt") << "precious";
    EXPECT_THROW(together.commit(), InputError);
  }
  EXPECT_EQ(read_text(folder_ / "a.txt"), "precious");
  EXPECT_EQ(entries(folder_.path()), 1U);
}
INSTANTIATE_TEST_SUITE_P(Where, NewNames, testing::Values(Knows::all, Knows::links, Knows::neither),
                         [](const auto& instance) {
                           return instance.param == Knows::all     ? "AllIsKnown"
                                  : instance.param == Knows::links ? "LinksAreKnown"
                                                                   : "NeitherIsKnown";
                         });

TEST(AtomicFile, AFailureOfANewNameIsOfTheSystem) {
  const test::TempFolder folder;
  const test::Refusing refusing([](system::Call call) { return call == system::Call::rename ? EIO : 0; });
  try {
    write_atomically(folder / "a.txt", "new", IfTaken::refuse);
    ADD_FAILURE();
  } catch (const IoError& error) {
    EXPECT_EQ(std::string(error.what()),
              (folder / "a.txt").string() + ": cannot be written: Input/output error");
  }
  EXPECT_EQ(entries(folder.path()), 0U);
}

TEST(AtomicFile, TakesTheLongestName) {
  const test::TempFolder folder;
  const std::string name(255, 'x');
  write_atomically(folder / name, "short");
  EXPECT_EQ(read_text(folder / name), "short");
}

TEST(Safety, M6_OnlyFilesAreRead) {
  const test::TempFolder folder;
  const auto said = [](const std::filesystem::path& path, std::uint64_t most) -> std::string {
    try {
      return "read: " + read_text(path, most);
    } catch (const InputError& error) {
      return error.what();
    }
  };
  const std::string path = (folder / "it").string();
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(said(path, 100), path + ": expected a file, found a device or pipe") << "and it must not wait";
  EXPECT_EQ(said("/dev/zero", 100), "/dev/zero: expected a file, found a device or pipe");
  EXPECT_EQ(said(folder.path(), 100), folder.path().string() + ": expected a file, found a folder");
  std::filesystem::remove(path);
  EXPECT_EQ(said(path, 100), path + ": cannot be read: No such file or directory");
  write_atomically(path, "12345");
  EXPECT_EQ(said(path, 5), "read: 12345");
  EXPECT_EQ(said(path, 4), path + ": 5 bytes, expected at most 4");
}

}  // namespace
}  // namespace sluice::file
