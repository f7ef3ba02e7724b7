/// sluice run --continue, and the commands of docs/training.md.
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "sluice/file/atomic_file.hpp"
#include "test/support/process.hpp"

namespace sluice {
namespace continuing {
namespace {

namespace fs = std::filesystem;

class ContinueVerb : public testing::Test {
 protected:
  test::Said say(const std::vector<std::string>& words) const { return test::sluice(words, folder.path()); }
  test::Said run(const std::string& out, const std::string& steps) const {
    return say({"run", "localization", "--set", "network.hidden=5", "--set", "dynamics.kind=adam", "--set",
                "dynamics.rate=0.01", "--set", "dynamics.steps=" + steps, "--out", out, "--quiet"});
  }

  test::TempFolder folder;
};

TEST_F(ContinueVerb, GoesOnInAFolderOfItsOwnToTheSameBytes) {
  ASSERT_EQ(run("a", "120").code, 0);
  ASSERT_EQ(run("whole", "200").code, 0);
  const std::string before = file::read_text(folder / "a/record.npz");
  const test::Said said = say({"run", "--continue", "a/", "--set", "dynamics.steps=200"});
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_NE(said.err.find("goes on from step 120 of "), std::string::npos) << said.err;
  EXPECT_NE(said.out.find("runs/a-continued/report.html"), std::string::npos) << said.out;
  EXPECT_EQ(file::read_text(folder / "runs/a-continued/state.npz"),
            file::read_text(folder / "whole/state.npz"));
  EXPECT_EQ(file::read_text(folder / "a/record.npz"), before);
  // Once more, and over itself: what it wrote is its own.
  EXPECT_EQ(say({"run", "--continue", "a", "--set", "dynamics.steps=200", "--overwrite", "--quiet"}).code, 0);
  const test::Said further = say({"run", "--continue", "runs/a-continued", "--set", "dynamics.steps=210"});
  EXPECT_EQ(further.code, 0) << further.err;
  EXPECT_TRUE(fs::exists(folder / "runs/a-continued-continued/run.json"));
  const test::Said here =
      test::sluice({"run", "--continue", ".", "--set", "dynamics.steps=130", "--quiet"}, folder / "a");
  EXPECT_EQ(here.code, 0) << here.err;
  EXPECT_TRUE(fs::exists(folder / "a/runs/a-continued/run.json")) << here.out;
}

TEST_F(ContinueVerb, SaysWhatItCannotDo) {
  ASSERT_EQ(run("a", "120").code, 0);
  const auto refused = [&](const std::vector<std::string>& words, const std::string& line) {
    const test::Said said = say(words);
    EXPECT_EQ(said.code, 2);
    EXPECT_EQ(said.err, "sluice: " + line + "\n");
  };
  refused({"run", "--continue", "a"},
          fs::canonical(folder / "a").string() + ": already at step 120; set dynamics.steps above it");
  refused({"run", "--continue", "nowhere"},
          "--continue nowhere: not the folder of a run: it has no spec.toml");
  refused({"run", "localization", "--continue", "a"},
          "EXPERIMENT and --continue: expected one of them: the run has a spec");
  refused({"run", "--continue", "a", "--set", "dynamics.steps=200", "--out", "a", "--overwrite"},
          "--out a: expected another folder than that of the run that is continued");
  for (const std::string other : {"start.run=b", "start={run=\"b\"}", "start.run = b"})
    refused({"run", "--continue", "a", "--set", other, "--set", "dynamics.steps=200"},
            "--continue a and --set " + other + ": expected one of them");
  EXPECT_FALSE(fs::exists(folder / "runs"));
}

/// Every shell block of the page, in its order, by bash.
TEST_F(ContinueVerb, TheCommandsOfThePageWork) {
  std::istringstream page(file::read_text(PROJECT_FOLDER "/docs/training.md"));
  std::string script = "set -e\nsluice() { '" + test::program() + "' \"$@\"; }\n";
  bool inside = false;
  int commands = 0;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("```")) {
      inside = line == "```sh";
    } else if (inside) {
      script += line + "\n";
      ++commands;
    }
  }
  ASSERT_GT(commands, 10);
  file::write_atomically(folder / "page.sh", script);
  const std::string command = "cd '" + folder.path().string() + "' && bash page.sh > said 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0) << file::read_text(folder / "said");
  const std::string said = file::read_text(folder / "said");
  EXPECT_NE(said.find("nothing was learned"), std::string::npos) << said;
}

}  // namespace
}  // namespace continuing
}  // namespace sluice
