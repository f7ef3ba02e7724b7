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
      {{"learning", "--y", "loss"}, "sluice: --y: an option of the figure curve, not of learning\n"},
      {{"curve", "--units", "1"}, "sluice: curve: does not choose units\n"},
      {{"curve", "--units", "1,x"}, "sluice: --units 1,x: expected numbers of units, 3,17,40\n"},
      {{"curve", "--xlim", "3,1"}, "sluice: --xlim 3,1: expected two numbers, the smaller first: 0,0.5\n"},
      {{"curve", "--xlim=-1e308,1e308"}, "sluice: --xlim -1e308,1e308: too far apart for an axis\n"},
      {{"curve", "--ylim", "1,1.0000000001"},
       "sluice: --ylim 1,1.0000000001: too little apart for an axis\n"},
      {{"curve", "--width", "wide"},
       "sluice: --width wide: expected millimetres, 86 or 86mm, or points, 244pt\n"},
      {{"curve", "--width", "10pt"},
       "sluice: curve: 3.528 mm wide, expected 55 to 330: it is made for 110\n"},
      {{"curve", "--x", "seeds"}, "sluice: seeds: not a key of this sweep; expected one of gain, seed\n"}};
  for (const auto& [words, expected] : wrong) {
    std::vector<std::string> all = words;
    all.insert(all.end(), {"--out", "never.pdf"});
    const test::Said said = figure(all);
    EXPECT_EQ(said.code, 2);
    EXPECT_EQ(said.err, expected);
    EXPECT_FALSE(std::filesystem::exists(path("never.pdf"))) << expected;
  }
}

}  // namespace
}  // namespace sluice
