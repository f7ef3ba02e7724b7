#include "sluice/task/function.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <string>

#include "sluice/file/errors.hpp"
#include "sluice/task/nlgp.hpp"
#include "test/support/normals.hpp"

namespace sluice::task {
namespace {

const std::string kMark(64, 'a');

/// A function as a user might write one: rows from one stream that begins at the address of the first, with labels of their own.
GivenSamples::Kept give_normals(std::atomic<int>* calls = nullptr) {
  return GivenSamples::give(
      kMark, [calls](const math::Address& first, int which_class, std::span<float> x, std::span<float> y) {
        if (calls != nullptr) ++*calls;
        math::RowNumbers numbers(first, static_cast<std::uint32_t>(which_class));
        for (float& value : x) value = static_cast<float>(numbers.normal());
        for (float& label : y) label += static_cast<float>(numbers.uniform());
      });
}

FunctionOptions options_of(std::int64_t n = 10) {
  FunctionOptions options;
  options.n = n;
  options.source = kMark;
  return options;
}

std::vector<float> labels_of(const Task& task, const math::Address& first, int which_class,
                             std::int64_t rows) {
  math::LanesBuffer<float> x(task.inputs(), rows);
  std::vector<float> labels(static_cast<std::size_t>(rows));
  task.labeler()->label(first, which_class, x.lanes(rows), labels);
  return labels;
}

TEST(FunctionTask, ASampleAndItsLabelAreFunctionsOfTheirAddressHoweverBlocksAreCut) {
  const auto given = give_normals();
  const auto task = options_of().make();
  const math::Address first{.seed = 3, .purpose = math::Purpose::evaluation, .step = 5, .row = 1000};
  constexpr std::int64_t kRows = 37;  // from the middle of a block of the function into the next
  for (const int which_class : {0, 1}) {
    const std::vector<float> together = test::sample_rows(*task, first, which_class, kRows);
    const std::vector<float> labels = labels_of(*task, first, which_class, kRows);
    for (std::int64_t r = 0; r < kRows; ++r) {
      const auto fresh = options_of().make();  // which remembers nothing
      math::Address alone = first;
      alone.row += static_cast<std::uint32_t>(r);
      const std::vector<float> single = test::sample_rows(*fresh, alone, which_class, 1);
      EXPECT_TRUE(std::equal(single.begin(), single.end(), together.begin() + r * 10)) << r;
      EXPECT_EQ(labels_of(*fresh, alone, which_class, 1)[0], labels[static_cast<std::size_t>(r)]);
    }
  }
  EXPECT_NE(test::sample_rows(*task, first, 0, kRows), test::sample_rows(*task, first, 1, kRows));
  EXPECT_GE(labels_of(*task, first, 0, 1)[0], 1) << "labels begin as those of the class";
  EXPECT_LE(labels_of(*task, first, 1, 1)[0], 1);
}

TEST(FunctionTask, IsNotAskedTwiceForWhatItMadeLast) {
  std::atomic<int> calls = 0;
  const auto given = give_normals(&calls);
  const auto task = options_of().make();
  for (std::uint32_t row = 20; row < 20 + 10 * 48; row += 48) {
    test::sample_rows(*task, {.seed = 1, .row = row}, 0, 48);
    labels_of(*task, {.seed = 1, .row = row}, 0, 48);
  }
  EXPECT_EQ(calls, 11);
}

TEST(FunctionTask, MomentsAreMeasuredAndTheTaskSaysOnHowManySamples) {
  const auto given = give_normals();
  const auto task = options_of().make();
  const Moments moments = task->moments(1);
  // Variance and kurtosis of M = 12288 samples of 10 independent sites: √(2/(10 M)) and √(24/(10 M)), four of them.
  EXPECT_NEAR(moments.covariance[0], 1, 4 * std::sqrt(2 / 122880.0));
  for (std::size_t d = 1; d < 10; ++d) EXPECT_NEAR(moments.covariance[d], 0, 4 * std::sqrt(1 / 122880.0));
  EXPECT_NEAR(moments.excess_kurtosis, 0, 4 * std::sqrt(24 / 122880.0));
  ASSERT_EQ(task->remarks().size(), 1U);
  EXPECT_NE(task->remarks()[0].find("12288 samples"), std::string::npos) << task->remarks()[0];
  EXPECT_FALSE(task->even());
  EXPECT_FALSE(task->stationary());
  EXPECT_EQ(moment_samples(4096), 8 * 48) << "pairs of many sites are many";
}

TEST(FunctionTask, WithoutItsFunctionSaysWhatIsMissing) {
  const auto message = [](const FunctionOptions& options) {
    try {
      options.make();
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(
      message(options_of()),
      "task.source = \"aaaaaaaaaaaa…\": samples of this task are made by a function of the program that "
      "began this, and no function of that source is here");
  EXPECT_EQ(message({}), "task.source = \"\": expected the SHA-256 of the source of a function, 64 digits");
  auto given = give_normals();
  EXPECT_EQ(message(options_of()), "");
  given.reset();
  EXPECT_NE(message(options_of()), "");
}

TEST(FunctionTask, NumbersThatAreNotFiniteEndIt) {
  for (const bool label : {false, true}) {
    const auto given =
        GivenSamples::give(kMark, [label](const math::Address&, int, std::span<float> x, std::span<float> y) {
          (label ? y : x)[7] = std::numeric_limits<float>::quiet_NaN();
        });
    const auto task = options_of().make();
    EXPECT_THROW(test::sample_rows(*task, {.seed = 1}, 0, 1), InputError);
  }
}

TEST(FunctionTask, HasTheLayoutThatItsOptionsName) {
  const auto given = give_normals();
  FunctionOptions options = options_of(12);
  options.sites = "image";
  options.rows = 3;
  EXPECT_EQ(options.make()->layout(), (Layout{Layout::Kind::image, 3, 4}));
  options.n = 16;
  options.sites = "torus";
  options.rows = 4;
  EXPECT_EQ(options.make()->layout(), (Layout{Layout::Kind::torus, 4, 4}));
  EXPECT_EQ(options.make()->side(), 4);
  options = options_of(5);
  options.sites = "plain";
  EXPECT_EQ(options.make()->layout(), (Layout{Layout::Kind::plain, 1, 5}));
}

}  // namespace
}  // namespace sluice::task
