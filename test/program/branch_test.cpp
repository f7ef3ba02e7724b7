/// sluice branch, as a user types it.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>

#include "sluice/file/atomic_file.hpp"
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
  const std::vector<std::pair<std::string, std::string>> told{
      {"html", "Where starts end"}, {"svg", "<svg"}, {"csv", "\"site\","}};
  for (const auto& [ending, words] : told) {
    const std::string file = "branches." + ending;
    const test::Said said = branch(folder, {"--sets", "1", "--range", "0.5:1.5", "--from", "site", "--at",
                                            "1", "--basins", "1", "--out", file});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_NE(file::read_text(folder / file).find(words), std::string::npos) << ending;
  }
}

// On every set, at h and h/2: the place has an error, and says what the extrapolation changed.
TEST(Branch, FollowsSamplesWithTheirErrors) {
  const test::TempFolder folder;
  const test::Said said = branch(folder, {"--json", "--response", "diluted", "--sets", "2", "--range",
                                          "0.6:1.5", "--from", "site", "--at", "1"});
  EXPECT_EQ(said.code, 0) << said.err;
  const nlohmann::json study = nlohmann::json::parse(said.out);
  ASSERT_EQ(study["rows"].size(), 1U);
  const nlohmann::json& loss = study["rows"][0]["loss"];
  EXPECT_GT(loss["error"].get<double>(), 0);
  EXPECT_LT(loss["error"].get<double>(), 0.002);
  EXPECT_NE(loss["dilution"].get<double>(), 0);
  const test::Said closed =
      branch(folder, {"--json", "--sets", "1", "--range", "0.6:1.5", "--from", "site", "--at", "1"});
  const double want = nlohmann::json::parse(closed.out)["rows"][0]["loss"]["value"].get<double>();
  // Four standard errors, a dilution of fourth order, and the conditioned response's own 2.5 % of 1/4 − L.
  EXPECT_NEAR(loss["value"].get<double>(), want, 4 * loss["error"].get<double>() + 0.025 * (0.25 - want));
}

TEST(Branch, IsHeldAgainstTrainedUnits) {
  const test::TempFolder folder;
  ASSERT_EQ(test::sluice({"sweep", "single-unit", "--set", "task.n=12", "--set", "dynamics.steps=4000",
                          "--over", "task.gain=0.05,3", "--over", "seed=1,2", "--out", "runs", "--quiet"},
                         folder.path())
                .code,
            0);
  const test::Said said =
      branch(folder, {"--json", "--sets", "1", "--range", "0.3:1", "--from", "site", "--against", "runs"});
  EXPECT_EQ(said.code, 0) << said.err;
  const nlohmann::json onset = nlohmann::json::parse(said.out)["trained_localized"];
  ASSERT_EQ(onset["shares"].size(), 2U);
  EXPECT_EQ(onset["shares"][0]["having"], 0);
  EXPECT_EQ(onset["shares"][1]["having"], 2);
  EXPECT_NEAR(onset["half"].get<double>(), std::sqrt(0.05 * 3), 1e-9);
  ASSERT_EQ(
      test::sluice({"run", "gaussian-control", "--set", "dynamics.steps=10", "--out", "other", "--quiet"},
                   folder.path())
          .code,
      0);
  const test::Said refused = branch(folder, {"--against", "other"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("nlgp"), std::string::npos) << refused.err;
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
  EXPECT_EQ(complaint({"--set", "network.hidden=2", "--from", "site,-bond:12"}),
            "sluice: bond:12: expected bond:I with I from 0 to 11\n");
  EXPECT_EQ(complaint({"--set", "network.hidden=2", "--response", "diluted"}),
            "sluice: response diluted: expected conditioned or gaussian where network.hidden = 2\n");
  EXPECT_EQ(complaint({"--at", "1", "--basins", "2", "--response", "diluted"}),
            "sluice: response diluted: expected conditioned or gaussian for basins\n");
  EXPECT_EQ(complaint({"--basins", "2"}), "sluice: basins: expected values to look for them at\n");
  EXPECT_EQ(complaint({"--at", "20"}),
            "sluice: at 20: expected a gain from 0.05 to 10, where branches are followed\n");
  EXPECT_EQ(complaint({"--at", "1", "--basins", "2", "--set", "network.init={law=\"zero\"}"}),
            "sluice: network.init.law = \"zero\": expected a law that leaves zero, for basins\n");
  EXPECT_EQ(complaint({"--range", "3"}), "sluice: --range 3: expected LOW:HIGH\n");
  EXPECT_EQ(complaint({"--at", "-1"}), "sluice: --at -1: expected a gain from 0.001 to 1000\n");
}

}  // namespace
}  // namespace sluice
