/// Runs on images: the catalog's on a small set of the test's own, and what happens when images are not the expected ones.
#include <gtest/gtest.h>

#include <algorithm>

#include "sluice/file/atomic_file.hpp"
#include "test/support/environment.hpp"
#include "test/support/idx_files.hpp"
#include "test/support/process.hpp"

namespace sluice {
namespace {

/// A run of few steps.
std::vector<std::string> brief(const std::string& name, const std::string& out,
                               const std::vector<std::string>& more = {}) {
  std::vector<std::string> words{
      "run", name, "--out", out, "--set", "dynamics.steps=4", "--set", "probe.every=2", "--quiet"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// Names of the catalog's experiments whose task is mnist.
std::vector<std::string> experiments_on_images() {
  std::vector<std::string> names;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(std::string(PROJECT_FOLDER) + "/experiments")) {
    const bool spec = entry.path().extension() == ".toml";
    if (spec && file::read_text(entry.path()).find("kind = \"mnist\"") != std::string::npos)
      names.push_back(entry.path().stem().string());
  }
  std::ranges::sort(names);
  return names;
}

class ImagesOfTheCatalog : public testing::TestWithParam<std::string> {};

TEST_P(ImagesOfTheCatalog, TrainOnASmallSet) {
  const test::TempFolder folder;
  const test::Environment cache("XDG_CACHE_HOME", (folder / "cache").string());  // empty
  test::small_digits().write(folder / "digits");
  std::vector<std::string> more{"--set", "task.path=digits"};
  if (GetParam() == "digits-learned-gates") {
    ASSERT_EQ(test::sluice(brief("digits-relu", "teacher", more), folder.path()).code, 0);
    more.insert(more.end(), {"--set", "network.gate_init.path=teacher"});
  }
  const test::Said said = test::sluice(brief(GetParam(), "r", more), folder.path());
  EXPECT_EQ(said.code, 0) << said.err;
  const std::string spec = file::read_text(folder / "r/spec.toml");
  EXPECT_NE(spec.find("path = \"" + (folder / "digits").string() + "\""), std::string::npos) << spec;
  EXPECT_NE(spec.find("checksum = \"449796ad\""), std::string::npos) << spec;

  // The resolved spec gives the same bits, from anywhere.
  ASSERT_EQ(test::sluice({"run", "r/spec.toml", "--out", "again", "--quiet"}, folder.path()).code, 0);
  EXPECT_EQ(file::read_text(folder / "again/record.npz"), file::read_text(folder / "r/record.npz"));
}

INSTANTIATE_TEST_SUITE_P(Every, ImagesOfTheCatalog, testing::ValuesIn(experiments_on_images()),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

// A run that was stopped goes on with the images it began with, or not at all.
TEST(Images, OthersAreRefusedOnResume) {
  const test::TempFolder folder;
  test::small_digits().write(folder / "digits");
  const std::vector<std::string> path{"--set", "task.path=digits"};
  ASSERT_EQ(test::sluice(brief("digits-relu", "r", path), folder.path()).code, 0);
  std::filesystem::remove(folder / "r/run.json");  // as if it had been killed before its end
  const std::string record = file::read_text(folder / "r/record.npz");

  test::small_digits(7).write(folder / "digits");
  for (const std::string name : {"r/spec.toml", "digits-relu"}) {
    std::vector<std::string> words = brief(name, "r", {"--resume"});
    if (name == "digits-relu") words.insert(words.end(), path.begin(), path.end());
    const test::Said said = test::sluice(words, folder.path());
    EXPECT_EQ(said.code, 2) << name;
    EXPECT_EQ(std::ranges::count(said.err, '\n'), 1) << said.err;
    EXPECT_NE(said.err.find(name == "digits-relu" ? "it was begun with 'task.checksum = "
                                                  : "(task.checksum): a file has changed"),
              std::string::npos)
        << said.err;
    EXPECT_EQ(file::read_text(folder / "r/record.npz"), record);
  }
  test::small_digits().write(folder / "digits");
  EXPECT_EQ(test::sluice(brief("r/spec.toml", "r", {"--resume"}), folder.path()).code, 0);
}

// What was measured can be looked at where its images are no more.
TEST(Images, AReportDoesNotNeedThem) {
  const test::TempFolder folder;
  test::small_digits().write(folder / "digits");
  ASSERT_EQ(test::sluice(brief("digits-relu", "r", {"--set", "task.path=digits"}), folder.path()).code, 0);
  std::filesystem::remove_all(folder / "digits");
  const test::Said said = test::sluice({"report", "r"}, folder.path());
  EXPECT_EQ(said.code, 0) << said.err;
}

// Pixels lie on no ring: what needs one says so, and the plane's probes and pictures are there instead.
TEST(Images, AreNoRing) {
  const test::TempFolder folder;
  test::small_digits().write(folder / "digits");
  ASSERT_EQ(test::sluice(brief("digits-relu", "r", {"--set", "task.path=digits"}), folder.path()).code, 0);
  for (const std::vector<std::string>& words : {std::vector<std::string>{"probe", "r", "gabor_width"},
                                                {"probe", "r", "position"},
                                                {"probe", "r", "class"},
                                                {"probe", "r", "power"},
                                                {"figure", "r", "kinds"}}) {
    const test::Said said = test::sluice(words, folder.path());
    EXPECT_EQ(said.code, 2) << words[2];
    EXPECT_EQ(std::ranges::count(said.err, '\n'), 1) << said.err;
    EXPECT_NE(said.err.find(words[2] + " needs sites on a ring, task.dim = 1, found those of an image"),
              std::string::npos)
        << said.err;
  }
  EXPECT_EQ(test::sluice({"probe", "r", "power2", "position_x"}, folder.path()).code, 0);
  for (const char* name : {"evolution", "spectra"})
    EXPECT_EQ(test::sluice({"figure", "r", name}, folder.path()).code, 0) << name;
}

TEST(Images, InTheCacheAreMnistOrRefused) {
  const test::TempFolder folder;
  const test::Environment cache("XDG_CACHE_HOME", (folder / "cache").string());
  test::small_digits().write(folder / "cache/sluice/mnist");
  const test::Said said = test::sluice(brief("digits-relu", "r"), folder.path());
  EXPECT_EQ(said.code, 2);
  EXPECT_EQ(std::ranges::count(said.err, '\n'), 1) << said.err;
  EXPECT_TRUE(said.err.starts_with(
      "sluice: " + (folder / "cache/sluice/mnist/train-images-idx3-ubyte").string() + ": SHA-256 "))
      << said.err;
  EXPECT_TRUE(said.err.ends_with("task.path; `sluice data get mnist` fetches it\n")) << said.err;
  EXPECT_FALSE(std::filesystem::exists(folder / "r"));
}

}  // namespace
}  // namespace sluice
