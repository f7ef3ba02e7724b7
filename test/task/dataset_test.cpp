#include "sluice/task/dataset.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "sluice/file/errors.hpp"
#include "sluice/file/npz.hpp"
#include "test/support/close.hpp"
#include "test/support/moments.hpp"
#include "test/support/normals.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice::task {
namespace {

TEST(DrawnSet, IsDrawnOnceAndKeepsTheBalance) {
  DatasetOptions options;
  options.samples = 500;
  const auto task = options.make();
  const FiniteSet& set = *task->training_set();
  EXPECT_EQ(set.size(), 500);
  EXPECT_EQ(std::count(set.y.begin(), set.y.end(), 1.0F), 250);
  EXPECT_EQ(std::count(set.y.begin(), set.y.end(), 0.0F), 250);
  EXPECT_EQ(options.make()->training_set()->x, set.x);
  options.seed = 1;
  EXPECT_NE(options.make()->training_set()->x, set.x);
  EXPECT_EQ(task->test_set(), nullptr);  // evaluation draws new samples
}

TEST(DrawnSet, ItsRowsAreSamplesOfTheTask) {
  DatasetOptions options;
  options.samples = 200;
  const auto task = options.make();
  const FiniteSet& set = *task->training_set();
  const math::Address first{.seed = 0, .purpose = math::Purpose::dataset};
  const std::vector<float> rows = test::sample_rows(*task, first, 0, 100);
  EXPECT_TRUE(std::equal(rows.begin(), rows.end(), set.x.begin()));
  test::expect_stated_moments(*task, 1, 20'000, 6);  // its law is that of the task
}

/// Six rows of two sites, labels 1 and −1.
struct File {
  test::TempFolder folder;
  DatasetOptions options;

  File(file::Array x, file::Array y) {
    file::write_npz(folder / "d.npz", {{"x", std::move(x)}, {"y", std::move(y)}}, file::Packing::stored);
    options.path = (folder / "d.npz").string();
  }
};
const file::Array kX{{6, 2}, std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}};
const file::Array kY{{6}, std::vector<std::int64_t>{1, 1, -1, -1, 1, -1}};

TEST(LoadedSet, IsTheFile) {
  const File file(kX, kY);
  const auto task = file.options.make();
  EXPECT_EQ(task->training_set()->x, (std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
  EXPECT_EQ(task->training_set()->y, (std::vector<float>{1, 1, -1, -1, 1, -1}));
  EXPECT_EQ(task->test_set(), task->training_set());
  EXPECT_EQ(task->classes().labels, (std::array<double, 2>{1, -1}));
  EXPECT_EQ(task->classes().balance, 0.5);
}

TEST(LoadedSet, KeepsRowsApartForEvaluation) {
  File file(kX, kY);
  file.options.test = 1.0 / 3;
  file.options.seed = 3;
  const auto task = file.options.make();
  ASSERT_EQ(task->training_set()->size(), 4);
  ASSERT_EQ(task->test_set()->size(), 2);
  std::multiset<float> all(task->training_set()->x.begin(), task->training_set()->x.end());
  all.insert(task->test_set()->x.begin(), task->test_set()->x.end());
  EXPECT_EQ(all, (std::multiset<float>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
}

// The empirical law: moments() are exact for it, so samples with replacement must agree within their standard error.
TEST(LoadedSet, SamplesAreRowsOfTheClass) {
  const File file(kX, kY);
  const auto task = file.options.make();
  const std::vector<float> rows = test::sample_rows(*task, {.seed = 1}, 1, 300);
  for (std::size_t r = 0; r < 300; ++r) {
    EXPECT_EQ(rows[2 * r + 1], rows[2 * r] + 1);
    EXPECT_TRUE(rows[2 * r] == 5 || rows[2 * r] == 7 || rows[2 * r] == 11) << rows[2 * r];
  }
  const Moments moments = task->moments(1);
  EXPECT_DOUBLE_EQ(moments.mean, (23.0 + 26.0) / 6);
  EXPECT_NEAR(moments.covariance[0], ((5 * 5 + 7 * 7 + 11 * 11) / 3.0 - 23.0 * 23 / 9), 1e-12);
  EXPECT_NEAR(moments.covariance[1], moments.covariance[0], 1e-12);  // the second site is the first plus one
}

TEST(LoadedSet, SaysWhatDoesNotFit) {
  const auto complaint = [](file::Array x, file::Array y, double test = 0) -> std::string {
    File file(std::move(x), std::move(y));
    file.options.test = test;
    try {
      file.options.make();
    } catch (const InputError& error) {
      return error.what();
    }
    return "nothing";
  };
  const auto contains = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(contains(complaint(kY, kY), "x has shape [6], expected [P, n]"));
  EXPECT_TRUE(contains(complaint(kX, {{5}, std::vector<double>(5)}), "y has shape [5], expected [6]"));
  EXPECT_TRUE(
      contains(complaint(kX, {{6}, std::vector<double>(6)}), "at least two different labels, found only 0"));
  EXPECT_TRUE(contains(complaint({{6, 2}, std::vector<double>(12, NAN)}, kY), "x: expected finite numbers"));
  EXPECT_TRUE(contains(complaint(kX, kY, 0.99), "leaves rows on both sides of 6"));
  File file(kX, kY);
  file.options.y = "labels";
  EXPECT_THROW(file.options.make(), InputError);
}

}  // namespace
}  // namespace sluice::task
