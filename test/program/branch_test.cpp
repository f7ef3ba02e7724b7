/// sluice branch, as a user types it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "test/support/process.hpp"

namespace sluice {
namespace {

test::Said branch(const test::TempFolder& folder, const std::vector<std::string>& more) {
  std::vector<std::string> words{"branch", "--set", "task.n=12", "--draws", "480"};
  words.insert(words.end(), more.begin(), more.end());
  return test::sluice(words, folder.path());
}

TEST(Branch, FindsWhereTheFlatFieldLosesWhateverTheThreads) {
  const test::TempFolder folder;
  const auto found = [&](const std::string& threads) {
    const test::Said said =
        branch(folder, {"--json", "--sets", "2", "--range", "0.2:1.5", "--at", "1", "--threads", threads});
    EXPECT_EQ(said.code, 0) << said.err;
    return nlohmann::json::parse(said.out);
  };
  const nlohmann::json once = found("1");
  ASSERT_FALSE(once["critical"].empty());
  const nlohmann::json& first = once["critical"][0];
  EXPECT_EQ(first["branch"], "flat");
  EXPECT_EQ(first["directions"], 2);
  EXPECT_GT(first["rate_slope"].get<double>(), 0);
  EXPECT_GT(first["parameter"]["error"].get<double>(), 0);
  EXPECT_LT(first["half_step"].get<double>(), 1e-4);
  EXPECT_EQ(once["branches"].size(), 3U) << "flat, site, bond";
  EXPECT_EQ(once["barriers"].size(), 1U);
  EXPECT_EQ(found("2"), once);
}

TEST(Branch, WritesEveryKindOfFile) {
  const test::TempFolder folder;
  for (const std::string ending : {"html", "svg", "csv"}) {
    const test::Said said = branch(
        folder, {"--sets", "1", "--range", "0.5:1.5", "--from", "site", "--out", "branches." + ending});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_GT(std::filesystem::file_size(folder.path() / ("branches." + ending)), 300U) << ending;
  }
}

TEST(Branch, NamesWhatCannotBeFollowed) {
  const test::TempFolder folder;
  const auto complaint = [&](const std::vector<std::string>& words) {
    const test::Said said = branch(folder, words);
    EXPECT_EQ(said.code, 2);
    return said.err;
  };
  EXPECT_EQ(complaint({"localization"}), "sluice: network.hidden = 100: expected 1 to follow branches\n");
  EXPECT_EQ(complaint({"--set", "task={kind=\"gaussian\"}"}),
            "sluice: task.kind = \"gaussian\": expected \"nlgp\" to follow branches\n");
  EXPECT_EQ(complaint({"--from", "mode:7"}), "sluice: mode:7: expected mode:K with K from 0 to 6\n");
  EXPECT_EQ(complaint({"--from", "bumpy"}),
            "sluice: start bumpy: expected flat, mode:K, site, bond or a file of weights, FILE.npy\n");
  EXPECT_EQ(complaint({"--range", "3"}), "sluice: --range 3: expected LOW:HIGH\n");
  EXPECT_EQ(complaint({"--at", "-1"}), "sluice: --at -1: expected a gain from 0.001 to 1000\n");
}

}  // namespace
}  // namespace sluice
