/// sluice check FILE, as a user types it; and the pages that tell of it.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "sluice/file/atomic_file.hpp"
#include "test/support/process.hpp"

namespace sluice {
namespace {

const std::string kExample = std::string(PROJECT_FOLDER) + "/docs/examples/response.toml";

/// A folder with a file mine.toml: the task is gaussian, then these lines.
class MyClaim {
 public:
  explicit MyClaim(const std::string& lines) {
    std::ofstream(folder_ / "mine.toml") << "[task]\nkind = \"gaussian\"\nn = 6\n" << lines;
  }
  test::Said check(std::vector<std::string> words) const {
    words.insert(words.begin(), "check");
    return test::sluice(words, folder_.path());
  }
  const test::TempFolder& folder() const { return folder_; }

 private:
  test::TempFolder folder_;
};
const std::string kVariance = "[[expect]]\nclass = 1\nmean = \"x[0]^2\"\n";

TEST(OwnClaims, ExitCodesTellWhatCameOut) {
  const MyClaim true_one(kVariance + "equals = 1\n");
  const test::Said holds = true_one.check({"mine.toml", "--samples", "20000"});
  EXPECT_EQ(holds.code, 0) << holds.err;
  EXPECT_EQ(holds.out.find("mine.toml\n      verdict "), 0U) << holds.out;
  EXPECT_NE(holds.out.find("\nok    holds "), std::string::npos) << holds.out;
  EXPECT_NE(holds.out.find("class 1: mean of x[0]^2 = 1\n"), std::string::npos) << holds.out;
  EXPECT_NE(holds.out.find("\n1 expectation, 0 failed; 20000 samples of each class, seed 1, "),
            std::string::npos);
  EXPECT_EQ(holds.out.find('\x1b'), std::string::npos) << "colour off a terminal";

  const test::Said fails = MyClaim(kVariance + "equals = 2\n").check({"mine.toml", "--samples", "20000"});
  EXPECT_EQ(fails.code, 1);
  EXPECT_NE(fails.out.find("\nFAIL  fails "), std::string::npos) << fails.out;
  EXPECT_NE(fails.out.find(" times the formula\n"), std::string::npos) << fails.out;

  const test::Said measured = MyClaim(kVariance).check({"mine.toml", "--samples", "20000"});
  EXPECT_EQ(measured.code, 0);
  EXPECT_NE(measured.out.find("\n      measured "), std::string::npos) << measured.out;

  const test::Said both = true_one.check({"mine.toml", kExample, "--samples", "20000"});
  EXPECT_EQ(both.code, 0) << both.err;
  EXPECT_NE(both.out.find("\n3 expectations, 0 failed"), std::string::npos) << both.out;
}

TEST(OwnClaims, JsonHasEveryComponent) {
  const test::Said said =
      MyClaim("[[expect]]\nclass = 0\nmean = \"x*x'\"\nequals = \"C0\"\nprinted = \"2*C0\"\n" + kVariance)
          .check({"mine.toml", "--samples", "20000", "--seed", "5", "--json"});
  ASSERT_EQ(said.code, 0) << said.err << said.out;
  const nlohmann::json json = nlohmann::json::parse(said.out);
  EXPECT_EQ(json["seed"], 5);
  EXPECT_EQ(json["failed"], 0);
  EXPECT_EQ(json["files"][0]["file"], "mine.toml");
  const nlohmann::json& moments = json["files"][0]["expectations"][0];
  EXPECT_EQ(moments["verdict"], "printed form refuted");
  EXPECT_EQ(moments["of"], "class 0");
  EXPECT_EQ(moments["shape"], (std::vector<int>{6, 6}));
  EXPECT_EQ(moments["measured"].size(), 36U);
  EXPECT_EQ(moments["formula"][0], 1.0);
  EXPECT_LT(moments["resolution"], 0.1);
  const nlohmann::json& variance = json["files"][0]["expectations"][1];
  EXPECT_EQ(variance["verdict"], "measured");
  EXPECT_TRUE(variance["formula"].is_null());
}

TEST(OwnClaims, ThreadsChangeNothing) {
  const MyClaim claim("[[expect]]\nclass = \"both\"\nmean = \"exp(x) + y\"\n");
  const auto with = [&](const std::string& threads) {
    return claim.check({"mine.toml", "--samples", "20000", "--threads", threads, "--json"}).out;
  };
  EXPECT_EQ(with("1"), with("2"));
}

TEST(OwnClaims, WrongWordsAreOneLineAndExitCodeTwo) {
  const MyClaim claim(kVariance + "equals = 1\n");
  std::filesystem::create_directory(claim.folder() /
                                    "N0.12");  // no file, and a claim of that name is one of the notes
  const std::vector<std::pair<std::vector<std::string>, std::string>> all{
      {{"mine.toml", "N0.12"}, "sluice: N0.12: expected a file beside mine.toml, or ids of claims alone"},
      {{"N0.12", "mine.toml"}, "sluice: N0.12: expected a file beside mine.toml, or ids of claims alone"},
      {{"mine.toml", "--list"}, "sluice: --list: expected ids of claims; mine.toml is a file"},
      {{"mine.toml", "--markdown"}, "sluice: --markdown: expected ids of claims; mine.toml is a file"},
      {{"mine.toml", "--document", "000"}, "sluice: --document: expected ids of claims; mine.toml is a file"},
      {{"theirs.toml"}, "sluice: theirs.toml: cannot be read: No such file or directory"},
      {{"mine.tml"}, "sluice: mine.tml: no such claim; `sluice check --list` has all ids"},
  };
  for (const auto& [words, message] : all) {
    const test::Said said = claim.check(words);
    EXPECT_EQ(said.code, 2) << message << said.out;
    EXPECT_EQ(said.err, message + "\n");
    EXPECT_EQ(said.out, "");
  }
  const test::Said wrong = MyClaim(kVariance + "equals = \"C1[0,0\"\n").check({"mine.toml"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_EQ(
      wrong.err,
      "sluice: mine.toml:7: expect.equals: column 7: expected ']' for the '[' of column 3, found the end\n");
}

TEST(Docs, FormulasPageIsWhatTheProgramPrints) {
  const test::TempFolder folder;
  EXPECT_EQ(test::sluice({"check", "--functions"}, folder.path()).out,
            file::read_text(std::string(PROJECT_FOLDER) + "/docs/reference/expressions.md"))
      << "run make docs";
}

/// The worked example of the claims page: the file as it is, and what the program says about it, but for the time it took.
TEST(Docs, TheExampleOfAnOwnClaimIsReal) {
  const std::string page = file::read_text(std::string(PROJECT_FOLDER) + "/docs/theory/claims.md");
  EXPECT_NE(page.find("```toml\n" + file::read_text(kExample) + "```\n"), std::string::npos);
  const test::Said said = test::sluice({"check", "docs/examples/response.toml"}, PROJECT_FOLDER);
  EXPECT_EQ(said.code, 0) << said.err;
  const std::string timeless = said.out.substr(0, said.out.rfind(", seed 1, "));
  EXPECT_NE(page.find("```\n" + timeless), std::string::npos) << said.out;
}

}  // namespace
}  // namespace sluice
