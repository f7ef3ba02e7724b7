/// --device before anything is trained: what a plan says of it, and what is handed to workers. No device is needed; where there is one, the plan has tried it.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "test/support/process.hpp"

namespace sluice {
namespace {

namespace fs = std::filesystem;

class Device : public testing::Test {
 protected:
  test::TempFolder folder_;

  test::Said plan(const std::string& experiment, std::vector<std::string> more) const {
    std::vector<std::string> words{"sweep", experiment, "--over",    "seed=1..3", "--dry-run",
                                   "--out", "s",        "--threads", "2"};
    words.insert(words.end(), more.begin(), more.end());
    return test::sluice(words, folder_.path());
  }
  bool nothing_is_left() const { return fs::is_empty(folder_.path()); }
};

TEST_F(Device, APlanSaysWhatItKnowsOfADeviceAndNoTimeOfTheCpu) {
  const test::Said said = plan("depth-relu", {"--device", "gpu"});
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_NE(said.out.find("points  3: 3 pending\n"), std::string::npos) << said.out;
  EXPECT_NE(said.out.find("device  at least "), std::string::npos) << said.out;
  EXPECT_NE(said.out.find("\nmemory  at least "), std::string::npos) << said.out;
  EXPECT_EQ(said.out.find(" threads\n"), std::string::npos) << "a time of the CPU\n" << said.out;
  EXPECT_EQ(plan("localization", {"--device", "gpu"}).code, 0) << "of an ensemble, too";
  const bool missing = said.out.find("time    not known here: device \"gpu\": ") != std::string::npos;
  EXPECT_NE(missing, said.out.find(" of steps on ") != std::string::npos) << said.out;

  const auto json = [&](std::vector<std::string> more, const char* experiment = "depth-relu") {
    more.emplace_back("--json");
    return nlohmann::json::parse(plan(experiment, more).out);
  };
  const nlohmann::json there = json({"--device", "gpu:bfloat16"}), here = json({});
  EXPECT_EQ(there.at("device"), "gpu:bfloat16");
  EXPECT_EQ(there.contains("missing"), missing);
  EXPECT_EQ(there.contains("seconds"), !missing);
  EXPECT_LT(there.at("device_bytes"), json({"--device", "gpu"}).at("device_bytes"))
      << "units of half the size";
  EXPECT_EQ(there.at("bytes"), here.at("bytes")) << "one record, wherever it was trained";
  EXPECT_EQ(json({"--device", "gpu"}, "localization").at("bytes"), json({}, "localization").at("bytes"))
      << "of all members of an ensemble";
  EXPECT_GT(here.at("seconds"), 0);
  EXPECT_GT(here.at("memory_bytes"), here.at("bytes"))
      << "of this machine: three records, two at work at once";
  for (const char* key : {"device", "device_bytes", "missing"}) EXPECT_FALSE(here.contains(key)) << key;
  EXPECT_TRUE(nothing_is_left());
}

TEST_F(Device, APlanOfWhatADeviceDoesNotKnowIsRefused) {
  const test::Said said = plan("localization", {"--device", "gpu", "--set", "network.activation=max(h,0)"});
  EXPECT_EQ(said.code, 2);
  EXPECT_EQ(
      said.err,
      "sluice: device \"gpu\": network.activation: formulas are computed on the CPU: expected one of the "
      "units that have a name (seed=1)\n");
  EXPECT_EQ(plan("depth-relu", {"--device", "tpu"}).code, 2);
  const test::Said sweep = test::sluice({"sweep", "localization", "--over", "seed=1..3", "--device", "gpu",
                                         "--set", "network.activation=max(h,0)", "--out", "s"},
                                        folder_.path());
  EXPECT_EQ(sweep.code, 2);
  EXPECT_EQ(sweep.err, said.err);
  EXPECT_TRUE(nothing_is_left());
}

/// What is quicker there is not quietly left out elsewhere.
TEST_F(Device, AFastRunIsRefusedWhereItWouldNotBeOne) {
  const std::string fast = "dynamics.precision=fast",
                    refusal =
                        "sluice: localization.toml: dynamics.precision = \"fast\": expected device "
                        "\"gpu\", found ";
  const auto expect_refused = [&](const std::vector<std::string>& words, const std::string& message) {
    const test::Said said = test::sluice(words, folder_.path());
    EXPECT_EQ(said.code, 2);
    EXPECT_EQ(said.err, message + '\n');
    EXPECT_TRUE(nothing_is_left());
  };
  expect_refused({"run", "localization", "--set", fast}, refusal + "\"cpu\"");
  expect_refused({"run", "localization", "--set", fast, "--device", "gpu:single"},
                 refusal + "\"gpu:single\"");
  expect_refused({"predict", "localization", "--train", "--set", fast}, refusal + "\"cpu\"");
  expect_refused({"run", "depth-relu", "--set", fast, "--device", "gpu"},
                 "sluice: --set: dynamics.precision = 'fast': expected \"strict\" for network.kind = "
                 "\"deep-gated\"");
  const test::Said here = plan("localization", {"--set", fast});
  EXPECT_EQ(here.code, 2);
  EXPECT_EQ(here.err, refusal + "\"cpu\" (seed=1)\n");
  EXPECT_EQ(plan("localization", {"--set", fast, "--device", "gpu"}).code, 0);
  const test::Said swept =
      test::sluice({"sweep", "localization", "--over", "dynamics.precision=strict,fast"}, folder_.path());
  EXPECT_EQ(swept.code, 2);
  EXPECT_EQ(swept.err, refusal + "\"cpu\" (precision=fast)\n") << "before the first one runs";
  EXPECT_TRUE(nothing_is_left());
}

/// The machine that submits a job is seldom the one that has the device.
TEST_F(Device, WorkersAreTold) {
  const test::Said said = plan("depth-relu", {"--device", "gpu:tf32", "--slurm"});
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_NE(said.out.find(" --device 'gpu:tf32' "), std::string::npos) << said.out;
  EXPECT_EQ(plan("depth-relu", {"--slurm"}).out.find("--device"), std::string::npos);
}

}  // namespace
}  // namespace sluice
