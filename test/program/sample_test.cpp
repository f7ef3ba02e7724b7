/// sluice sample: arrays that a dataset task reads back, pictures, and the page of pictures in docs/.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <thread>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/task/registry.hpp"
#include "test/support/process.hpp"

namespace sluice {
namespace {

std::size_t files_in(const test::TempFolder& folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder.path()), {}));
}

TEST(Sample, WritesArraysOfTheDefaultTask) {
  const test::TempFolder folder;
  const test::Said said = test::sluice({"sample", "pulse"}, folder.path());
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(said.out, "pulse: 500 + 500 samples of 40 sites\npulse.npz\n");
  EXPECT_EQ(said.err, "");
  const file::NamedArrays arrays = file::read_npz(folder / "pulse.npz");
  ASSERT_EQ(arrays.size(), 3U);
  const file::Array* x = file::find(arrays, "x");
  const file::Array* y = file::find(arrays, "y");
  const file::Array* which_class = file::find(arrays, "class");
  ASSERT_TRUE(x != nullptr && y != nullptr && which_class != nullptr);
  EXPECT_EQ(x->shape, (file::Shape{1000, 40}));
  EXPECT_EQ(y->shape, (file::Shape{1000}));
  for (std::size_t row = 0; row < 1000; ++row) {
    const bool first = row < 500;
    EXPECT_EQ(which_class->as<std::int64_t>()[row], first ? 0 : 1);
    EXPECT_EQ(y->as<float>()[row], first ? 1 : 0);
    const auto begin = x->as<float>().begin() + static_cast<std::ptrdiff_t>(row * 40);
    const auto length = std::count(begin, begin + 40, 1.0F);  // the widths of the header's last paragraph
    EXPECT_TRUE(first ? length == 8 || length == 9 : length == 2 || length == 3) << row << ": " << length;
  }
}

TEST(Sample, KeepsTheBalanceAndDependsOnTheSeedAlone) {
  const test::TempFolder folder;
  const auto draw = [&](const std::string& out, const std::string& seed) {
    const test::Said said = test::sluice({"sample", "localization", "--set", "task.balance=0.25", "--count",
                                          "40", "--seed", seed, "--out", out},
                                         folder.path());
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_EQ(said.out, "localization: 10 + 30 samples of 40 sites\n" + out + "\n");
    return file::read_text(folder / out);
  };
  const std::string once = draw("a.npz", "1");
  EXPECT_EQ(draw("b.npz", "1"), once);
  EXPECT_NE(draw("c.npz", "2"), once);
}

TEST(Sample, ArraysComeBackAsADataset) {
  const test::TempFolder folder;
  ASSERT_EQ(test::sluice({"sample", "nlgp", "--count", "60", "--out", "drawn.npz"}, folder.path()).code, 0);
  std::ofstream(folder / "read.toml") << "[task]\nkind = \"dataset\"\npath = \"drawn.npz\"\n"
                                         "[network]\nkind = \"two-layer\"\nhidden = 3\n"
                                         "[dynamics]\nkind = \"sgd\"\nbatch = \"full\"\nsteps = 2\n";
  const test::Said again = test::sluice({"sample", "read.toml", "--out", "again.npz"}, folder.path());
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(file::read_npz(folder / "again.npz"), file::read_npz(folder / "drawn.npz"));
  const test::Said run = test::sluice({"run", "read.toml", "--out", "r"}, folder.path());
  EXPECT_EQ(run.code, 0) << run.err;
}

TEST(Sample, ADatasetGivesItsTrainingSet) {
  const test::TempFolder folder;
  const std::vector<std::string> dataset{"sample", "dataset", "--set", "task.samples=30", "--out", "d.npz"};
  ASSERT_EQ(test::sluice(dataset, folder.path()).code, 0);
  const file::NamedArrays arrays = file::read_npz(folder / "d.npz");
  EXPECT_EQ(file::find(arrays, "x")->shape, (file::Shape{30, 40}));
  EXPECT_EQ(std::ranges::count(file::find(arrays, "class")->as<std::int64_t>(), 0), 15);
}

TEST(Sample, ATeachersLabelsAreItsOwn) {
  const test::TempFolder folder;
  ASSERT_EQ(test::sluice({"sample", "teacher", "--count", "50"}, folder.path()).code, 0);
  const file::NamedArrays arrays = file::read_npz(folder / "teacher.npz");
  std::vector<float> y = file::find(arrays, "y")->as<float>();
  std::ranges::sort(y);
  EXPECT_EQ(std::unique(y.begin(), y.end()), y.end()) << "labels of a network, not of the classes";
}

TEST(Sample, DrawsEveryKindInEveryFormat) {
  const test::TempFolder folder;
  const std::vector<std::pair<std::string, std::string>> beginnings{
      {"svg", "<?xml"}, {"pdf", "%PDF"}, {"png", "\x89PNG"}};
  std::size_t turn = 0;
  for (const spec::Choice& kind : task::kinds_on_sites()) {
    const auto& [ending, beginning] = beginnings[turn++ % beginnings.size()];
    const std::string out = std::string(kind.name) + "." + ending;
    std::vector<std::string> arguments{"sample", std::string(kind.name), "--out", out};
    if (kind.name != "dataset") arguments.insert(arguments.end(), {"--count", "20"});
    const test::Said said = test::sluice(arguments, folder.path());
    ASSERT_EQ(said.code, 0) << said.err;
    EXPECT_NE(said.out.find("Stated excess kurtosis: "), std::string::npos) << said.out;
    EXPECT_EQ(file::read_text(folder / out).substr(0, beginning.size()), beginning) << out;
  }
}

TEST(Sample, OverwritesOnlyWhenAsked) {
  const test::TempFolder folder;
  std::ofstream(folder / "pulse.npz") << "precious";
  const test::Said refused = test::sluice({"sample", "pulse"}, folder.path());
  EXPECT_EQ(refused.code, 2);
  EXPECT_EQ(refused.err, "sluice: pulse.npz: exists; overwrite it, or choose another file\n");
  EXPECT_EQ(file::read_text(folder / "pulse.npz"), "precious");
  EXPECT_EQ(test::sluice({"sample", "pulse", "--overwrite"}, folder.path()).code, 0);
  EXPECT_EQ(file::read_npz(folder / "pulse.npz").size(), 3U);
  EXPECT_EQ(files_in(folder), 1U);
}

TEST(Sample, M4_AFileThatIsMadeWhileItDrawsStays) {
  const test::TempFolder folder;
  test::Process process({"sample", "nlgp", "--count", "500000", "--out", "x.npz"}, folder.path());
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (files_in(folder) == 0 && std::chrono::steady_clock::now() < end)  // its temporary
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::ofstream(folder / "x.npz") << "precious";
  const test::Said said = process.wait();
  EXPECT_EQ(said.code, 2);
  EXPECT_EQ(said.err, "sluice: x.npz: exists; overwrite it, or choose another file\n");
  EXPECT_EQ(file::read_text(folder / "x.npz"), "precious");
  EXPECT_EQ(files_in(folder), 1U) << "a temporary was left";
}

TEST(Sample, AFullDiskLeavesTheOldFile) {
  const test::TempFolder folder;
  std::ofstream(folder / "pulse.npz") << "precious";
  const test::Said said =
      test::Process({"sample", "pulse", "--count", "10000", "--overwrite"}, folder.path(), 4096).wait();
  EXPECT_EQ(said.code, 1);
  EXPECT_EQ(said.err, "sluice: pulse.npz: write failed: File too large\n");
  EXPECT_EQ(file::read_text(folder / "pulse.npz"), "precious");
  EXPECT_EQ(files_in(folder), 1U) << "a temporary was left";
}

TEST(Sample, AFolderThatTakesNoFilesIsAFailureOfTheWorld) {
  const test::TempFolder folder;
  const test::Said said = test::sluice({"sample", "pulse", "--out", "/proc/pulse.npz"}, folder.path());
  EXPECT_EQ(said.code, 1);
  EXPECT_EQ(said.err.find("sluice: /proc/pulse.npz: cannot be written: "), 0U) << said.err;
}

/// The part of the page under the heading of a kind.
std::string section_of(const std::string& page, const std::string& kind) {
  const std::string heading = "\n## `" + kind + "`";
  const std::size_t begin = page.find(heading);
  return begin == std::string::npos ? "" : page.substr(begin, page.find("\n## ", begin + 1) - begin);
}

TEST(Docs, EveryKindOfTaskHasAPicture) {
  const std::filesystem::path docs = std::filesystem::path(PROJECT_FOLDER) / "docs";
  const std::string page = file::read_text(docs / "tasks.md");
  for (const spec::Choice& kind : task::kinds_on_sites()) {
    const std::string section = section_of(page, std::string(kind.name));
    ASSERT_NE(section, "") << kind.name << ": docs/tasks.md has no section on it";
    EXPECT_NE(section.find("](images/tasks/"), std::string::npos) << kind.name << ": run make pictures";
  }
  std::uintmax_t bytes = 0;
  for (std::size_t at = page.find("](images/"); at != std::string::npos; at = page.find("](images/", at)) {
    at += 2;
    const std::filesystem::path picture = docs / page.substr(at, page.find(')', at) - at);
    ASSERT_TRUE(std::filesystem::exists(picture)) << picture << ": run make pictures";
    bytes += std::filesystem::file_size(picture);
  }
  EXPECT_LT(bytes, 1'500'000U) << "pictures that every clone carries";
}

}  // namespace
}  // namespace sluice
