/// A sweep as somebody works with it: how far it has come, its curve, its files, and options of figures.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "sluice/file/atomic_file.hpp"
#include "test/support/process.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice {
namespace {

class ManyRuns : public testing::Test {
 public:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<test::TempFolder>();
    swept_ = test::sluice({"sweep", "localization", "--over", "task.gain=0.1,3,100", "--over", "seed=1..2",
                           "--set", "network.hidden=4", "--set", "dynamics.steps=5", "--out", "s"},
                          folder_->path());
  }
  static void TearDownTestSuite() { folder_.reset(); }

  static test::Said figure(std::vector<std::string> words) {
    words.insert(words.begin(), {"figure", "s"});
    return test::sluice(words, folder_->path());
  }
  static std::filesystem::path path(const std::string& name) { return *folder_ / name; }

  static inline std::unique_ptr<test::TempFolder> folder_;
  static inline test::Said swept_;
};

TEST_F(ManyRuns, EveryLineSaysWhichRunOfHowMany) {
  EXPECT_EQ(swept_.code, 0) << swept_.err;
  for (const char* count : {"(1 of 6 runs)", "(6 of 6 runs)"})
    EXPECT_NE(swept_.err.find(count), std::string::npos) << swept_.err;
}

TEST_F(ManyRuns, CurveIsOneCommandAndItsCaptionAFile) {
  const test::Said said = figure({"curve", "--format", "png"});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_NE(said.out.find("mean over 2 seeds"), std::string::npos) << said.out;
  EXPECT_TRUE(std::filesystem::exists(path("s/figures/curve.png")));
  EXPECT_NE(said.out.find(file::read_text(path("s/figures/curve.txt"))), std::string::npos);
  for (const char* name : {"sweep.csv", "figures/curve.txt", "figures/curve.svg"})
    EXPECT_NE(file::read_text(path("s/.sluice-manifest")).find(name), std::string::npos) << name;
}

TEST_F(ManyRuns, OptionsNeedAFileOfTheirOwnAndLeaveTheFiguresOfTheFolderAsTheyAre) {
  const std::string curve = file::read_text(path("s/figures/curve.svg"));
  const std::string caption = file::read_text(path("s/figures/curve.txt"));
  for (const auto& [option, value] : {std::pair{"--runs", "*seed=1"},
                                      {"--x", "seed"},
                                      {"--y", "loss"},
                                      {"--bars", "sd"},
                                      {"--log", "none"},
                                      {"--where", "gain > 1"},
                                      {"--boundary", "flat"},
                                      {"--width", "86"},
                                      {"--height", "60"},
                                      {"--font", "DejaVu Serif"},
                                      {"--font-size", "8"},
                                      {"--xlim", "0,1"},
                                      {"--ylim", "0,1"},
                                      {"--units", "1"},
                                      {"--palette", "grey"}}) {
    const test::Said said = figure({"curve", option, value});
    EXPECT_EQ(said.code, 2) << option;
    EXPECT_EQ(said.err, std::string("sluice: ") + option +
                            ": expected --out FILE with it: figures of the folder itself are those without "
                            "options\n");
    EXPECT_EQ(file::read_text(path("s/figures/curve.svg")), curve) << option;
    EXPECT_EQ(file::read_text(path("s/figures/curve.txt")), caption) << option;
  }
  const test::Said said = figure({"curve", "--y", "localized", "--bars", "sd", "--out", "localized.svg"});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_NE(said.out.find("standard deviation"), std::string::npos) << said.out;
}

TEST_F(ManyRuns, FilesAndCaptionsAsJson) {
  const nlohmann::json one = nlohmann::json::parse(figure({"curve", "--json"}).out);
  EXPECT_EQ(one.at("files"), nlohmann::json::array({"s/figures/curve.svg"}));
  EXPECT_EQ(one.at("caption").get<std::string>() + "\n", file::read_text(path("s/figures/curve.txt")));
  const nlohmann::json listed = nlohmann::json::parse(figure({"--list", "--json"}).out);
  const nlohmann::json all = nlohmann::json::parse(figure({"--json"}).out);
  ASSERT_EQ(all.at("files").size(), listed.size());
  for (const nlohmann::json& each : listed)
    EXPECT_TRUE(std::filesystem::exists(path("s/figures/" + each.at("name").get<std::string>() + ".svg")))
        << each;
}

TEST_F(ManyRuns, AFileAskedForByNameGetsNoCompany) {
  EXPECT_EQ(figure({"curve", "--out", "mine.svg"}).code, 0);
  EXPECT_TRUE(std::filesystem::exists(path("mine.svg")));
  EXPECT_FALSE(std::filesystem::exists(path("mine.txt")));
}

TEST_F(ManyRuns, WhatAFigureCannotDoIsRefusedInOneLineAndNothingIsWritten) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> wrong{
      {{"learning", "--y", "loss"},
       "sluice: --y: an option of the figures curve and phase_diagram, not of learning\n"},
      {{"curve", "--z", "loss"}, "sluice: --z: an option of the figure phase_diagram, not of curve\n"},
      {{"phase_diagram", "--x", "gain", "--y", "seed", "--z", "locallized"},
       "sluice: no column 'locallized'; did you mean 'localized'?\n"},
      {{"phase_diagram", "--x", "gain"}, "sluice: s: phase_diagram needs both columns, x and y\n"},
      {{"phase_diagram", "--x", "hidden", "--y", "seed", "--boundary", "flat"},
       "sluice: seed: a boundary is known along task.gain alone\n"},
      {{"curve", "--where", "gian > 1"},
       "sluice: filter \"gian > 1\", column 1: no column 'gian'; did you mean 'gain'?\n"},
      {{"curve", "--where", "gain > 1000"}, "sluice: s: no run for which gain > 1000\n"},
      {{"curve", "--x", "rate"},
       "sluice: curve: dynamics.rate has one value in these runs, 5; expected a column with more: gain, "
       "seed\n"},
      {{"curve", "--where", "gain = 3", "--runs", "*seed=1", "--x", "seed"},
       "sluice: curve: seed has one value in these runs, 1; expected runs with several values of "
       "something\n"},
      {{"curve", "--units", "1"}, "sluice: curve: does not choose units\n"},
      {{"curve", "--units", "1,x"}, "sluice: --units 1,x: expected numbers of units, 3,17,40\n"},
      {{"curve", "--xlim", "3,1"}, "sluice: --xlim 3,1: expected two numbers, the smaller first: 0,0.5\n"},
      {{"curve", "--xlim=-1e308,1e308"}, "sluice: --xlim -1e308,1e308: too far apart for an axis\n"},
      {{"curve", "--ylim", "1,1.0000000001"},
       "sluice: --ylim 1,1.0000000001: too little apart for an axis\n"},
      {{"curve", "--xlim", "1e-307,2e-307"}, "sluice: --xlim 1e-307,2e-307: too little apart for an axis\n"},
      {{"curve", "--ylim", "0,5e-324"}, "sluice: --ylim 0,5e-324: too little apart for an axis\n"},
      {{"curve", "--width", "wide"},
       "sluice: --width wide: expected millimetres, 86 or 86mm, or points, 244pt\n"},
      {{"curve", "--width", "10pt"},
       "sluice: curve: 3.528 mm wide, expected 55 to 330: it is made for 110\n"},
      {{"curve", "--x", "seeds"}, "sluice: no column 'seeds'; did you mean 'seed'?\n"}};
  for (const auto& [words, expected] : wrong) {
    std::vector<std::string> all = words;
    all.insert(all.end(), {"--out", "never.pdf"});
    const test::Said said = figure(all);
    EXPECT_EQ(said.code, 2);
    EXPECT_EQ(said.err, expected);
    EXPECT_FALSE(std::filesystem::exists(path("never.pdf"))) << expected;
  }
}

/// A folder in which a sweep and a run lie is drawn as a whole, into a file that is named.
TEST_F(ManyRuns, AnyFolderOfRunsHasFiguresOverItsColumns) {
  ASSERT_EQ(test::sluice({"run", "localization", "--set", "network.hidden=6", "--set", "dynamics.steps=5",
                          "--set", "task.gain=3", "--out", "all/one"},
                         path(""))
                .code,
            0);
  std::filesystem::copy(path("s"), path("all/s"), std::filesystem::copy_options::recursive);
  const auto draw = [](std::vector<std::string> words) {
    words.insert(words.begin(), {"figure", "all"});
    return test::sluice(words, folder_->path());
  };
  const test::Said drawn =
      draw({"phase_diagram", "--x", "task.gain", "--y", "hidden", "--z", "localized", "--out", "map.svg"});
  ASSERT_EQ(drawn.code, 0) << drawn.err;
  EXPECT_NE(drawn.out.find("means over 1 to 2 runs each, which differ in seed"), std::string::npos)
      << drawn.out;
  const test::Said curve =
      draw({"curve", "--x", "gain", "--y", "loss", "--where", "hidden = 4", "--out", "curve.svg"});
  ASSERT_EQ(curve.code, 0) << curve.err;
  EXPECT_NE(curve.out.find("mean over 2 seeds"), std::string::npos) << curve.out;
  const test::Said listed = draw({"--list"});
  EXPECT_NE(listed.out.find("phase_diagram"), std::string::npos) << listed.out << listed.err;
  EXPECT_EQ(listed.out.find("comparison"), std::string::npos) << listed.out;
  const test::Said inside = draw({"curve"});
  EXPECT_EQ(inside.code, 2);
  EXPECT_EQ(inside.err,
            "sluice: all: neither a run nor a sweep: expected NAME and --out FILE, the figure belongs to no "
            "run\n");
  EXPECT_FALSE(std::filesystem::exists(path("all/figures")));
  const test::Said other = draw({"comparison", "--out", "never.svg"});
  EXPECT_EQ(other.err, "sluice: all: comparison is a figure of sweeps\n");
}

}  // namespace
}  // namespace sluice
