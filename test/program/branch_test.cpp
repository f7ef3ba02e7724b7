/// sluice branch, as a user types it.
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>

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

TEST(Branch, TwoUnitsLoseWhereOneDoesAndEndOppositeToEachOther) {
  const test::TempFolder folder;
  const auto found = [&](const std::string& hidden) {
    const test::Said said = branch(folder, {"--json", "--set", "network.hidden=" + hidden, "--sets", "2",
                                            "--range", "0.2:1.5", "--at", "1.2", "--basins", "5"});
    EXPECT_EQ(said.code, 0) << said.err;
    return nlohmann::json::parse(said.out);
  };
  const nlohmann::json one = found("1"), two = found("2");
  EXPECT_EQ(two["units"], 2);
  EXPECT_EQ(two["critical"][0]["kind"], "pitchfork, supercritical");
  EXPECT_EQ(two["critical"][0]["directions"], 4) << "cosine and sine of either";
  EXPECT_NEAR(two["critical"][0]["followed"].get<double>(), one["critical"][0]["followed"].get<double>(),
              1e-5);
  ASSERT_EQ(two["basins"].size(), 1U);
  const nlohmann::json& basin = two["basins"][0];
  EXPECT_EQ(basin["starts"], 5);
  EXPECT_EQ(basin["growing"], 0);
  EXPECT_EQ(basin["opposite"], true);
  EXPECT_NEAR(basin["apart"].get<double>(), 0, 0.01);
  EXPECT_NEAR(basin["loss"].get<double>() - 0.25, 2 * (one["basins"][0]["loss"].get<double>() - 0.25), 1e-6);
}

TEST(Branch, EndsAtTheFirstSignal) {
  const test::TempFolder folder;
  test::Process process({"branch", "--quiet"}, folder.path());
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  const auto sent = std::chrono::steady_clock::now();
  process.signal(SIGTERM);
  EXPECT_EQ(process.wait().code, 128 + SIGTERM);
  EXPECT_LT(std::chrono::steady_clock::now() - sent, std::chrono::seconds(2)) << "the whole takes a minute";
}

TEST(Branch, NamesWhatCannotBeFollowed) {
  const test::TempFolder folder;
  const auto complaint = [&](const std::vector<std::string>& words) {
    const test::Said said = branch(folder, words);
    EXPECT_EQ(said.code, 2);
    return said.err;
  };
  EXPECT_EQ(complaint({"localization"}),
            "sluice: network.hidden = 100: expected 1 or 2 to follow branches\n");
  EXPECT_EQ(complaint({"--set", "task={kind=\"gaussian\"}"}),
            "sluice: task.kind = \"gaussian\": expected \"nlgp\" to follow branches\n");
  EXPECT_EQ(complaint({"--from", "mode:7"}), "sluice: mode:7: expected mode:K with K from 0 to 6\n");
  EXPECT_EQ(complaint({"--from", "bumpy"}),
            "sluice: start bumpy: expected flat, mode:K, site, bond or a file of weights, FILE.npy\n");
  EXPECT_EQ(complaint({"--set", "network.hidden=2", "--from", "site/-bond:12"}),
            "sluice: bond:12: expected bond:I with I from 0 to 11\n");
  EXPECT_EQ(complaint({"--set", "network.hidden=2", "--response", "diluted"}),
            "sluice: --response diluted: expected conditioned or gaussian where network.hidden = 2\n");
  EXPECT_EQ(complaint({"--range", "3"}), "sluice: --range 3: expected LOW:HIGH\n");
  EXPECT_EQ(complaint({"--at", "-1"}), "sluice: --at -1: expected a gain from 0.001 to 1000\n");
}

}  // namespace
}  // namespace sluice
