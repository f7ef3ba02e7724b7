#include "sluice/file/place.hpp"

#include <gtest/gtest.h>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice::file {
namespace {

std::string complaint(const std::filesystem::path& place, std::initializer_list<std::string_view> endings,
                      bool overwrite = false) {
  try {
    require_place(place, endings, overwrite);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Place, IsAFreeNameInAFolderThatIsThere) {
  const test::TempFolder folder;
  const std::string path = folder / "a.npz";
  EXPECT_EQ(complaint(path, {".npz"}), "");
  EXPECT_EQ(complaint(path, {}), "");
  EXPECT_EQ(complaint("a.npz", {".npz"}), "") << "the working folder";
  EXPECT_EQ(complaint(path, {".npy"}), path + ": expected a file ending in .npy");
  EXPECT_EQ(complaint(path, {".svg", ".pdf", ".png"}),
            path + ": expected a file ending in .svg, .pdf or .png");
  EXPECT_EQ(complaint(folder / "no/a.npz", {".npz"}),
            (folder / "no/a.npz").string() + ": no such folder: " + (folder / "no").string());
  std::filesystem::create_directory(folder / "b.npz");
  EXPECT_EQ(complaint(folder / "b.npz", {".npz"}, true),
            (folder / "b.npz").string() + ": expected a file, found a folder");
  EXPECT_FALSE(std::filesystem::exists(path)) << "it looks only";
}

TEST(Place, OfAnotherFileIsRefusedUnlessItMayBeOverwritten) {
  const test::TempFolder folder;
  const std::string path = folder / "a.npz";
  write_atomically(path, "precious");
  EXPECT_EQ(complaint(path, {".npz"}), path + ": exists; overwrite it, or choose another file");
  EXPECT_EQ(complaint(path, {".npz"}, true), "");
  EXPECT_EQ(read_text(path), "precious");
  const std::string link = folder / "b.npz";
  std::filesystem::create_symlink("nowhere", link);
  EXPECT_EQ(complaint(link, {".npz"}), link + ": exists; overwrite it, or choose another file");
  EXPECT_EQ(complaint(link, {".npz"}, true), "");
}

}  // namespace
}  // namespace sluice::file
