/// sluice search, as a user types it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sluice/file/npz.hpp"
#include "test/support/process.hpp"

namespace sluice {
namespace {

const std::vector<std::string> kSmall{
    "search",       "gated-pair", "--set",     "network.hidden=4",
    "--set",        "task.n=10",  "--set",     "network.gate={law=\"bump\"}",
    "--candidates", "30",         "--samples", "1000"};

test::Said search(const test::TempFolder& folder, const std::vector<std::string>& more) {
  std::vector<std::string> words = kSmall;
  words.insert(words.end(), more.begin(), more.end());
  return test::sluice(words, folder.path());
}

TEST(Search, TheGatesItWritesAreGatesOfASpec) {
  const test::TempFolder folder;
  const test::Said said = search(folder, {"--out", "gates.npy"});
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_NE(said.out.find("On held-out samples the refined set "), std::string::npos) << said.out;
  EXPECT_NE(said.out.find("budget: "), std::string::npos);
  EXPECT_EQ(file::read_npz(folder.path() / "gates.npy").front().second.shape, (file::Shape{4, 10}));
  const test::Said race =
      test::sluice({"race", "gated-pair", "--set", "network.hidden=4", "--set", "task.n=10", "--set",
                    "network.gate={law=\"file\",path=\"gates.npy\"}"},
                   folder.path());
  EXPECT_EQ(race.code, 0) << race.err;
}

TEST(Search, JsonHasTheSameNumbersWhateverTheThreads) {
  const test::TempFolder folder;
  const auto found = [&](const std::string& threads) {
    nlohmann::json json = nlohmann::json::parse(search(folder, {"--json", "--threads", threads}).out);
    json["budget"].erase("seconds");
    return json;
  };
  const nlohmann::json once = found("1");
  EXPECT_EQ(once["structures"].back()["name"], "refined");
  EXPECT_EQ(found("2"), once);
}

TEST(Race, LossesOfLargeLabelsStayShort) {
  const test::TempFolder folder;
  const test::Said said = test::sluice({"race", "gated-pair", "--set", "task.n=8", "--set",
                                        "network.gate.at=2", "--set", "task.labels=[1e150,0]"},
                                       folder.path());
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_NE(said.out.find("e+299"), std::string::npos) << said.out;
  EXPECT_LT(said.out.size(), 400U) << said.out;
}

TEST(Search, WritesEveryKindOfFileAndLosesNone) {
  const test::TempFolder folder;
  for (const std::string ending : {"html", "svg", "csv", "json"}) {
    EXPECT_EQ(search(folder, {"--out", "search." + ending}).code, 0) << ending;
    EXPECT_GT(std::filesystem::file_size(folder.path() / ("search." + ending)), 300U) << ending;
  }
  EXPECT_EQ(search(folder, {"--out", "search.csv"}).code, 2) << "it is there";
  EXPECT_EQ(search(folder, {"--out", "search.txt"}).code, 2);
  const test::Said wrong = test::sluice({"search", "localization"}, folder.path());
  EXPECT_EQ(wrong.code, 2);
  EXPECT_EQ(wrong.err,
            "sluice: network.kind = \"two-layer\": expected \"gated-linear\" to search gates for\n");
}

}  // namespace
}  // namespace sluice
