/// Runs on photographs in three colours: a small set of the test's own in the format of CIFAR-10.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/npz.hpp"
#include "test/support/environment.hpp"
#include "test/support/photographs.hpp"
#include "test/support/process.hpp"

namespace sluice {
namespace of_photographs_test {
namespace {

const std::string kNetwork =
    "[network]\nkind = \"deep-gated\"\nwidth = 8\ndepth = 2\n"
    "[dynamics]\nkind = \"sgd\"\nrate = 0.05\nloss = \"cross-entropy\"\n";

struct Folder {
  test::TempFolder folder;

  Folder() { test::write_photographs(folder / "photos"); }
  test::Said run(const std::string& task, const std::string& dynamics, const std::string& out,
                 const std::vector<std::string>& more = {}) const {
    file::write_atomically(folder / "s.toml", "[task]\nkind = \"cifar10\"\npath = \"photos\"\n" + task +
                                                  kNetwork + dynamics + "[probe]\nevery = 5\n");
    std::vector<std::string> words{"run", "s.toml", "--out", out, "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    return test::sluice(words, folder.path());
  }
  std::string record(const std::string& out) const { return file::read_text(folder / out / "record.npz"); }
};
const std::string kBatches = "batch = 24\nsteps = 20\n";
const std::string kChanged = "flips = true\ncrop = 4\nstandardize = \"channel\"\n";

TEST(Photographs, AreLearnedWithAnyNumberOfThreads) {
  const Folder photos;
  const test::Said said = photos.run(kChanged, kBatches, "one", {"--threads", "1"});
  ASSERT_EQ(said.code, 0) << said.err;
  ASSERT_EQ(photos.run(kChanged, kBatches, "two", {"--threads", "2"}).code, 0);
  EXPECT_EQ(photos.record("one"), photos.record("two"));
  const auto json = nlohmann::json::parse(file::read_text(photos.folder / "one/run.json"));
  EXPECT_EQ(json["inputs"],
            (nlohmann::json{{"kind", "image"}, {"rows", 32}, {"columns", 32}, {"channels", 3}}));
  EXPECT_EQ(json["evaluated_on"], "test set");
  // The resolved spec gives the same bits.
  ASSERT_EQ(test::sluice({"run", "one/spec.toml", "--out", "again", "--quiet"}, photos.folder.path()).code,
            0);
  EXPECT_EQ(photos.record("again"), photos.record("one"));
  // Flips and crops do something, and each something else.
  ASSERT_EQ(photos.run("standardize = \"channel\"\n", kBatches, "plain").code, 0);
  ASSERT_EQ(photos.run("standardize = \"channel\"\nflips = true\n", kBatches, "flips").code, 0);
  EXPECT_NE(photos.record("plain"), photos.record("one"));
  EXPECT_NE(photos.record("flips"), photos.record("one"));
  EXPECT_NE(photos.record("flips"), photos.record("plain"));
}

TEST(Photographs, OfAFullBatchStayAsTheyAreAndThatIsSaid) {
  const Folder photos;
  const std::string full = "batch = \"full\"\nsteps = 5\n";
  ASSERT_EQ(photos.run("", full, "plain").code, 0);
  const test::Said said = photos.run("flips = true\ncrop = 2\n", full, "flips", {"--threads", "1"});
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(photos.record("flips"), photos.record("plain"));
  EXPECT_NE((said.out + said.err + file::read_text(photos.folder / "flips/log.txt"))
                .find("task.flips, task.crop: of no effect"),
            std::string::npos);
}

// Stopped in the middle, a run goes on with the very flips and crops it would have had.
TEST(Photographs, AreResumedToTheSameBytes) {
  const Folder photos;
  const std::string many = "batch = 24\nsteps = 3000\n";
  const std::string seldom = "probe.every=500";
  ASSERT_EQ(photos.run(kChanged, many, "whole", {"--set", seldom}).code, 0);
  test::Process process(
      {"run", "s.toml", "--out", "r", "--quiet", "--set", seldom, "--checkpoint-every", "0.01"},
      photos.folder.path());
  while (!std::filesystem::exists(photos.folder / "r/checkpoint.npz") && !process.poll())
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  process.signal(SIGTERM);
  const test::Said stopped = process.wait();
  EXPECT_EQ(stopped.code, 128 + SIGTERM) << "it was over before it was stopped: this test tested nothing";
  const test::Said said =
      test::sluice({"run", "r/spec.toml", "--out", "r", "--quiet", "--resume"}, photos.folder.path());
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(photos.record("r"), photos.record("whole"));
}

TEST(Photographs, AreDrawnInColourOrRefusedInOneLine) {
  const Folder photos;
  ASSERT_EQ(photos.run("", kBatches, "r").code, 0);
  for (const char* name : {"receptive_fields", "evolution", "unit_map"}) {
    const test::Said said = test::sluice({"figure", "r", name}, photos.folder.path());
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_NE(
        file::read_text(photos.folder / "r/figures" / (std::string(name) + ".svg")).find("of each colour"),
        std::string::npos);
  }
  for (const std::vector<std::string>& words : {std::vector<std::string>{"figure", "r", "spectra"},
                                                {"figure", "r", "gabor_fits"},
                                                {"probe", "r", "power2"},
                                                {"probe", "r", "gabor2_x"},
                                                {"probe", "r", "position_x"}}) {
    const test::Said said = test::sluice(words, photos.folder.path());
    EXPECT_EQ(said.code, 2) << words[2];
    EXPECT_EQ(std::ranges::count(said.err, '\n'), 1) << said.err;
    EXPECT_NE(said.err.find(words[2] + " needs images of one channel, found 3"), std::string::npos)
        << said.err;
  }
  const test::Said probed = test::sluice({"probe", "r"}, photos.folder.path());
  EXPECT_EQ(probed.code, 0) << probed.err;
  // The page has them as figures and, where it was built with its viewer, to be clicked on.
  EXPECT_EQ(test::sluice({"report", "r"}, photos.folder.path()).code, 0);
  const std::string page = file::read_text(photos.folder / "r/report.html");
  EXPECT_NE(page.find("w = ±"), std::string::npos);
  const bool has_viewer = page.find("\"format\":1") != std::string::npos;
  EXPECT_EQ(page.find("\"channels\":3") != std::string::npos, has_viewer);
  const test::Said drawn = test::sluice({"sample", "s.toml", "--out", "samples.svg"}, photos.folder.path());
  ASSERT_EQ(drawn.code, 0) << drawn.err;
  EXPECT_NE(file::read_text(photos.folder / "samples.svg").find("red, green, blue"), std::string::npos);
}

// What `sample` wrote is a data set again, in the same colours.
TEST(Photographs, GoOutAndComeBackAsDataOfOnesOwn) {
  const Folder photos;
  ASSERT_EQ(photos.run("", kBatches, "r").code, 0);
  ASSERT_EQ(test::sluice({"sample", "s.toml", "--out", "d.npz"}, photos.folder.path()).code, 0);
  for (const bool flat : {true, false}) {
    if (!flat) {
      file::NamedArrays arrays = file::read_npz(photos.folder / "d.npz");
      arrays[0].second.shape = {200, 3, 32, 32};
      file::write_npz(photos.folder / "d.npz", arrays, file::Packing::stored);
    }
    file::write_atomically(photos.folder / "own.toml",
                           std::string("[task]\nkind = \"dataset\"\npath = \"d.npz\"\ntarget = \"class\"\n") +
                               (flat ? "shape = [3, 32, 32]\n" : "") + kNetwork + kBatches +
                               "[probe]\nevery = 5\n");
    const test::Said said =
        test::sluice({"run", "own.toml", "--out", "own", "--quiet", "--overwrite"}, photos.folder.path());
    ASSERT_EQ(said.code, 0) << said.err;
    const auto json = nlohmann::json::parse(file::read_text(photos.folder / "own/run.json"));
    EXPECT_EQ(json["inputs"]["channels"], 3);
    const file::NamedArrays own = file::read_npz(photos.folder / "own/record.npz"),
                            here = file::read_npz(photos.folder / "r/record.npz");
    EXPECT_EQ(*file::find(own, "weights"), *file::find(here, "weights"))
        << "the same training, whoever has the images";
    EXPECT_EQ(test::sluice({"figure", "own", "receptive_fields"}, photos.folder.path()).code, 0);
    EXPECT_EQ(
        test::sluice({"sample", "own.toml", "--out", "own.svg", "--overwrite"}, photos.folder.path()).code,
        0);
  }
}

TEST(Photographs, ThatAreNotThereAreFetchedBySayingSo) {
  const test::TempFolder folder;
  const test::Environment cache("XDG_CACHE_HOME", (folder / "cache").string());
  const test::Said said = test::sluice({"sample", "cifar10", "--out", "c.png"}, folder.path());
  EXPECT_EQ(said.code, 2);
  EXPECT_EQ(said.err, "sluice: cifar10: no files in " + (folder / "cache/sluice/cifar10").string() +
                          ": fetch the data set, or give task.path; `sluice data get cifar10` fetches it\n");
}

}  // namespace
}  // namespace of_photographs_test
}  // namespace sluice
