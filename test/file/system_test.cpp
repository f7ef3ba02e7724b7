#include "sluice/file/system.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "sluice/file/atomic_file.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice::file {
namespace {

namespace fs = std::filesystem;

/// a/b and a/real are folders, `link` leads to a/b, `self` to itself, `gone` nowhere; a file `d` lies in a and beside a, each saying where.
struct Linked {
  test::TempFolder folder;
  Linked() {
    fs::create_directories(folder / "a/b");
    fs::create_directories(folder / "a/real");
    fs::create_directory_symlink("a/b", folder / "link");
    fs::create_directory_symlink("../b", folder / "a/real/up");
    fs::create_symlink("self", folder / "self");
    fs::create_symlink("nowhere", folder / "gone");
    std::ofstream(folder / "d") << "outside";
    std::ofstream(folder / "a/d") << "in a";
  }
};

TEST(NormalPath, OfPathsWithoutLinksIsWhatTheTextSays) {
  const Linked linked;
  const std::string root = linked.folder.path().string();
  for (const std::string& path : {std::string(),
                                  std::string("."),
                                  std::string(".."),
                                  std::string("/"),
                                  std::string("/.."),
                                  std::string("a"),
                                  std::string("a/"),
                                  std::string("./a"),
                                  std::string("a/."),
                                  std::string("a//b"),
                                  std::string("a/.."),
                                  std::string("a/../.."),
                                  std::string("../a"),
                                  std::string("../../a/../b"),
                                  std::string("nowhere/../d"),
                                  root + "/a/../d",
                                  root + "/./a//b/../",
                                  root + "/link/d",
                                  root + "/link/./",
                                  root + "/d/../a",
                                  root + "/no/../../x",
                                  "/../" + root,
                                  root + "/a/real/../b"})
    EXPECT_EQ(normal_path(path).string(), fs::path(path).lexically_normal().string()) << path;
}

TEST(NormalPath, LeadsWhereTheSystemGoes) {
  const Linked linked;
  const fs::path& root = linked.folder.path();
  for (const auto& [path, expected] :
       std::vector<std::pair<std::string, std::string>>{{"link/../d", "link/../d"},
                                                        {"./link//.././d", "link/../d"},
                                                        {"link/x/../../d", "link/../d"},
                                                        {"link/../real/../d", "link/../d"},
                                                        {"link/../../a/d", "link/../../a/d"},
                                                        {"a/../link/../d", "link/../d"},
                                                        {"a/real/up/../d", "a/real/up/../d"},
                                                        {"link/../real/up/../d", "link/../real/up/../d"},
                                                        {"link/..", "link/.."},
                                                        {"link/../", "link/../"},
                                                        {"self/../d", "self/../d"},
                                                        {"gone/../d", "gone/../d"}})
    EXPECT_EQ(normal_path(root / path).string(), (root / expected).string()) << path;
  EXPECT_EQ(read_text(normal_path(root / "link/./../d")), "in a");
  EXPECT_EQ(read_text(normal_path(root / "link/../real/up/../d")), "in a");
  EXPECT_EQ(read_text(normal_path(root / "a/../d")), "outside");
}

}  // namespace
}  // namespace sluice::file
