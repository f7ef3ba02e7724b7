// Folders of version 0.1.0 stay good: resumed, reported, probed and drawn by this one.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/npz.hpp"
#include "test/support/process.hpp"

namespace sluice {
namespace {

namespace fs = std::filesystem;

class OldFolder : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    fs::copy(fs::path(PROJECT_FOLDER) / "test/data/v0.1.0" / GetParam(), folder / "r",
             fs::copy_options::recursive);
  }
  test::Said say(const std::vector<std::string>& words) const { return test::sluice(words, folder.path()); }
  void expect_readable() const {
    for (const std::vector<std::string>& words : {std::vector<std::string>{"report", "r"},
                                                  {"figure", "r"},
                                                  {"report", "r", "r", "--out", "two.html"}}) {
      const test::Said said = say(words);
      EXPECT_EQ(said.code, 0) << words[0] << ": " << said.err;
    }
  }

  test::TempFolder folder;
};

class FinishedOldRun : public OldFolder {};

TEST_P(FinishedOldRun, IsResumedReportedAndDrawn) {
  const std::string record = file::read_text(folder / "r/record.npz");
  const test::Said resumed = say({"run", "r/spec.toml", "--out", "r", "--resume"});
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_NE(resumed.out.find("already finished"), std::string::npos) << resumed.out;
  EXPECT_EQ(file::read_text(folder / "r/record.npz"), record);
  expect_readable();
  const test::Said probed = say({"probe", "r"});
  const bool has_fields = file::find(file::read_npz(folder / "r/record.npz"), "weights") != nullptr;
  EXPECT_EQ(probed.code, has_fields ? 0 : 2) << probed.err;
  if (!has_fields) {  // version 0.1.0 kept those of the end alone
    EXPECT_NE(probed.err.find("record.npz: no array 'weights'; it has step"), std::string::npos)
        << probed.err;
  }
}

TEST_P(FinishedOldRun, IsOverwrittenByTheSameNumbers) {
  const file::NamedArrays before = file::read_npz(folder / "r/record.npz");
  fs::copy(folder / "r/spec.toml", folder / "s.toml");
  const test::Said again = say({"run", "s.toml", "--out", "r", "--overwrite", "--quiet"});
  ASSERT_EQ(again.code, 0) << again.err;
  const file::NamedArrays after = file::read_npz(folder / "r/record.npz");
  for (const auto& [name, array] : before) {
    const file::Array* now = file::find(after, name);
    ASSERT_NE(now, nullptr) << name;
    ASSERT_EQ(now->shape, array.shape) << name;
    if (const auto* values = std::get_if<std::vector<double>>(&array.data)) {
      // Losses of deep networks are added up in another order.
      for (std::size_t i = 0; i < values->size(); ++i)
        EXPECT_NEAR(now->as<double>()[i], (*values)[i], 1e-13 * std::abs((*values)[i])) << name;
    } else {
      EXPECT_EQ(*now, array) << name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Every, FinishedOldRun,
                         testing::Values("two-finished", "flow-finished", "deep-finished"),
                         [](const auto& test) {
                           return std::string(test.param).substr(0, 4) == "deep"   ? "deep"
                                  : std::string(test.param).substr(0, 4) == "flow" ? "flow"
                                                                                   : "two";
                         });

class StoppedOldRun : public OldFolder {};

/// What it would have come to without a stop, in this version.
TEST_P(StoppedOldRun, GoesOnToTheSameRecord) {
  fs::copy(folder / "r/spec.toml", folder / "s.toml");
  const test::Said resumed = say({"run", "s.toml", "--out", "r", "--resume", "--quiet"});
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_EQ(nlohmann::json::parse(file::read_text(folder / "r/run.json"))["status"], "finished");
  ASSERT_EQ(say({"run", "s.toml", "--out", "whole", "--quiet"}).code, 0);
  const file::NamedArrays whole = file::read_npz(folder / "whole/record.npz");
  for (const auto& [name, array] : file::read_npz(folder / "r/record.npz")) {
    const file::Array* other = file::find(whole, name);
    ASSERT_NE(other, nullptr) << name;
    if (const auto* values = std::get_if<std::vector<double>>(&array.data)) {
      for (std::size_t i = 0; i < values->size(); ++i)
        EXPECT_NEAR(other->as<double>()[i], (*values)[i], 1e-13 * std::abs((*values)[i])) << name;
    } else {
      EXPECT_EQ(*other, array) << name;
    }
  }
  expect_readable();
}

INSTANTIATE_TEST_SUITE_P(Every, StoppedOldRun, testing::Values("two-stopped", "flow-stopped", "deep-stopped"),
                         [](const auto& test) {
                           return std::string(test.param).substr(0, std::string(test.param).find('-'));
                         });

void write_spec_without_rate(const std::filesystem::path& file) {
  file::write_atomically(file,
                         "[task]\nkind = \"nlgp\"\nn = 12\n[network]\nkind = \"two-layer\"\nhidden = 5\n"
                         "[dynamics]\nkind = \"sgd\"\nsteps = 20\n[probe]\nsamples = 100\n");
}

/// The rate that a spec leaves to the program was 0.01: a folder begun so keeps it.
TEST(OldRate, OfAFolderStaysWhereTheSpecSaysNone) {
  const test::TempFolder folder;
  write_spec_without_rate(folder / "s.toml");
  const auto run = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"run", "s.toml", "--out", "r"};
    words.insert(words.end(), more.begin(), more.end());
    return test::sluice(words, folder.path());
  };
  ASSERT_EQ(run({"--set", "dynamics.rate=0.01"}).code, 0);
  const test::Said resumed = run({"--resume"});
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_NE(resumed.out.find("already finished"), std::string::npos) << resumed.out;
  const test::Said other = run({"--resume", "--set", "dynamics.rate=0.25"});
  EXPECT_EQ(other.code, 2) << "the usual one of today, but said";
  EXPECT_NE(other.err.find("it was begun with 'dynamics.rate = 0.01', not 'dynamics.rate = 0.25'"),
            std::string::npos)
      << other.err;
}

/// The same of every point of a sweep; points that were not begun follow those that were.
TEST(OldRate, OfASweepStaysWhereTheSpecSaysNone) {
  const test::TempFolder folder;
  write_spec_without_rate(folder / "s.toml");
  const auto sweep = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"sweep", "s.toml", "--out", "r", "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    return test::sluice(words, folder.path());
  };
  ASSERT_EQ(sweep({"--over", "seed=1,2", "--set", "dynamics.rate=0.01"}).code, 0);
  const std::string before = file::read_text(folder / "r/seed=2/record.npz");
  const test::Said resumed = sweep({"--over", "seed=1,2,3", "--resume"});
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_EQ(file::read_text(folder / "r/seed=2/record.npz"), before);
  for (const char* point : {"seed=1", "seed=2", "seed=3"})
    EXPECT_NE(file::read_text(folder / "r" / point / "spec.toml").find("\nrate = 0.01 "), std::string::npos)
        << point;
  const test::Said other = sweep({"--over", "seed=1,2", "--resume", "--set", "dynamics.rate=0.25"});
  EXPECT_NE(other.code, 0);
  EXPECT_NE(other.err.find("it was begun with 'dynamics.rate = 0.01', not 'dynamics.rate = 0.25'"),
            std::string::npos)
      << other.err;
}

class OldSweep : public OldFolder {};

TEST_P(OldSweep, IsReportedAndDrawn) {
  const test::Said figures = say({"figure", "r", "--list"});
  EXPECT_EQ(figures.code, 0) << figures.err;
  EXPECT_NE(figures.out.find("comparison"), std::string::npos) << figures.out;
  EXPECT_NE(figures.out.find("seeds"), std::string::npos) << figures.out;
  const test::Said page = say({"report", "r", "--out", "sweep.html"});
  EXPECT_EQ(page.code, 0) << page.err;
}

INSTANTIATE_TEST_SUITE_P(Every, OldSweep, testing::Values("sweep"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace sluice
