#include "sluice/task/dataset.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

#include "sluice/file/errors.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/task/own_set.hpp"
#include "sluice/task/pair_products.hpp"
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

std::vector<double> counted(std::int64_t count) {
  std::vector<double> values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

TEST(LoadedSet, OfPlanesKeepsTheirShape) {
  using Kind = Layout::Kind;
  const std::vector<double> all = counted(36);
  const std::vector<float> rows(all.begin(), all.end());
  struct Case {
    file::Shape x;
    std::string layout;
    std::vector<std::int64_t> shape;
    Layout expected;
  };
  for (const Case& each :
       {Case{{6, 2, 3}, "auto", {}, {Kind::image, 2, 3}},
        Case{{6, 2, 3}, "image", {2, 3}, {Kind::image, 2, 3}},
        Case{{6, 1, 3, 2}, "auto", {}, {Kind::image, 3, 2}},  // an axis of channels
        Case{{6, 2, 3}, "plain", {}, {Kind::plain, 1, 6}}, Case{{6, 6}, "auto", {}, {Kind::ring, 1, 6}},
        Case{{3, 3, 2, 2}, "auto", {}, {Kind::image, 2, 2, 3}},
        Case{{3, 3, 2, 2}, "image", {3, 2, 2}, {Kind::image, 2, 2, 3}},
        Case{{3, 3, 2, 2}, "plain", {}, {Kind::plain, 1, 12}},
        Case{{3, 12}, "auto", {3, 2, 2}, {Kind::image, 2, 2, 3}},
        Case{{3, 12}, "auto", {1, 4, 3}, {Kind::image, 4, 3}},
        Case{{6, 6}, "auto", {3, 2}, {Kind::image, 3, 2}}, Case{{9, 2, 2}, "torus", {}, {Kind::torus, 2, 2}},
        Case{{9, 4}, "torus", {2, 2}, {Kind::torus, 2, 2}}}) {
    std::vector<std::int64_t> y(static_cast<std::size_t>(each.x[0]), 0);
    y[1] = 1;
    File file({each.x, counted(36)}, {{each.x[0]}, y});
    file.options.layout = each.layout;
    file.options.shape = each.shape;
    const auto task = file.options.make();
    EXPECT_EQ(task->layout(), each.expected) << file::to_string(each.x) << each.layout;
    EXPECT_EQ(task->training_set()->x, rows);
    EXPECT_EQ(task->inputs(), each.expected.inputs());
    EXPECT_EQ(task->dimensions(), each.expected.kind == Kind::torus ? 2 : 1);
    EXPECT_EQ(file.options.dimensions(), task->dimensions());
  }
}

TEST(LoadedSet, NumbersItsClasses) {
  const file::Array integers{{6}, std::vector<std::int64_t>{7, 3, 9, 9, 3, 3}};
  const file::Array numbers{{6}, std::vector<double>{7, 3, 9, 9, 3, 3}};
  const file::Array two{{6}, std::vector<double>{4, -2, 4, 4, -2, 4}};
  struct Case {
    file::Array y;
    const char* target;
    std::vector<float> expected;
    std::int64_t outputs;
  };
  for (const Case& each :
       {Case{integers, "auto", {1, 0, 2, 2, 0, 0}, 3}, Case{numbers, "auto", {7, 3, 9, 9, 3, 3}, 1},
        Case{numbers, "class", {1, 0, 2, 2, 0, 0}, 3}, Case{integers, "number", {7, 3, 9, 9, 3, 3}, 1},
        Case{two, "auto", {4, -2, 4, 4, -2, 4}, 1}, Case{two, "class", {1, 0, 1, 1, 0, 1}, 1}}) {
    File file(kX, each.y);
    file.options.target = each.target;
    const auto task = file.options.make();
    EXPECT_EQ(task->training_set()->y, each.expected) << each.target;
    EXPECT_EQ(task->outputs(), each.outputs);
  }
  File apart(kX, integers);
  apart.options.test = 1.0 / 3;
  apart.options.seed = 1;
  EXPECT_EQ(apart.options.make()->outputs(), 3);  // however the rows fall
  EXPECT_EQ(apart.options.make()->test_set()->classes, 3);
}

TEST(LoadedSet, SaysWhenInputsAreLarge) {
  EXPECT_TRUE(File(kX, kY).options.make()->remarks().empty());
  file::Array bytes = kX;
  std::get<std::vector<double>>(bytes.data)[3] = 255;
  const std::vector<std::string> remarks = File(bytes, kY).options.make()->remarks();
  ASSERT_EQ(remarks.size(), 1U);
  EXPECT_NE(remarks[0].find("from 1 to 255"), std::string::npos) << remarks[0];
}

/// The definition, pair by pair.
std::vector<double> pair_products(const std::vector<double>& x, const Layout& layout) {
  const bool plane = layout.drawn_as_image();
  const std::int64_t n = layout.channels, h = plane ? layout.rows : 1;
  const std::int64_t w = static_cast<std::int64_t>(x.size()) / (n * h);
  std::vector<double> products;
  for (std::int64_t apart = 0; apart < n; ++apart)
    for (std::int64_t down = 0; down < h; ++down)
      for (std::int64_t across = 0; across < w; ++across) {
        double sum = 0, pairs = 0;
        for (std::int64_t c = 0; c + apart < n; ++c)
          for (std::int64_t i = 0; i < h; ++i)
            for (std::int64_t j = 0; j < w; ++j) {
              const bool there = i + down < h && j + across < w;
              if (layout.kind == Layout::Kind::image && !there) continue;
              sum += x[static_cast<std::size_t>((c * h + i) * w + j)] *
                     x[static_cast<std::size_t>(((c + apart) * h + (i + down) % h) * w + (j + across) % w)];
              ++pairs;
            }
        products.push_back(sum / pairs);
      }
  return products;
}

TEST(PairProducts, AreThoseOfTheLayout) {
  using Kind = Layout::Kind;
  const std::vector<double> x{1, -2, 3, 0.5, 4, -1, 2, 7, -3, 1.5, 0.25, -6};
  for (const Layout& layout :
       {Layout{Kind::ring, 1, 12}, Layout{Kind::plain, 1, 12}, Layout{Kind::image, 3, 4},
        Layout{Kind::torus, 3, 4}, Layout{Kind::image, 2, 2, 3}, Layout{Kind::image, 3, 2, 2}}) {
    std::vector<double> sums(12);
    PairProducts(layout).add(x, 12, sums);
    const std::vector<double> expected = pair_products(x, layout);
    for (std::size_t d = 0; d < 12; ++d)
      EXPECT_NEAR(sums[d], expected[d], 1e-12) << to_string(layout.kind) << d;
  }
}

/// Arrays that are given stand for a file with them: the same rows, known by their mark, and only as long as somebody has them.
TEST(GivenSet, IsTheFileWithItsArrays) {
  const std::string mark(64, '7');
  File file(kX, kY);
  DatasetOptions options;
  options.path = "arrays:" + mark;
  EXPECT_EQ(options.mark(), mark);
  EXPECT_EQ(file.options.mark(), "");
  EXPECT_THROW(options.make(), InputError);
  {
    const auto given = GivenSet::give(mark, {{"x", kX}, {"y", kY}});
    options.resolve("/somewhere");
    EXPECT_EQ(options.path, "arrays:" + mark);
    EXPECT_EQ(options.checksum, "");
    options.test = 0.5;
    file.options.test = 0.5;
    EXPECT_EQ(options.make()->training_set()->x, file.options.make()->training_set()->x);
    EXPECT_EQ(options.make()->test_set()->y, file.options.make()->test_set()->y);
    options.test = 0.99;
    try {
      options.make();
      FAIL();
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()),
                "arrays: task.test = 0.99: expected a share that leaves rows on both sides of 6");
    }
  }
  EXPECT_THROW(options.make(), InputError) << "gone with who had them";
}

TEST(LoadedSet, SaysWhatDoesNotFit) {
  const auto complaint = [](file::Array x, file::Array y, double test = 0,
                            const std::function<void(DatasetOptions&)>& change = {}) -> std::string {
    File file(std::move(x), std::move(y));
    file.options.test = test;
    if (change) change(file.options);
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
  EXPECT_TRUE(contains(complaint(kY, kY), "x has shape [6], expected [P, n], [P, h, w] or [P, 3, h, w]"));
  EXPECT_TRUE(contains(complaint(kX, {{5}, std::vector<double>(5)}), "y has shape [5], expected [6]"));
  EXPECT_TRUE(
      contains(complaint(kX, {{6}, std::vector<double>(6)}), "at least two different labels, found only 0"));
  EXPECT_TRUE(contains(complaint({{6, 2}, std::vector<double>(12, NAN)}, kY), "x: expected finite numbers"));
  EXPECT_TRUE(contains(complaint(kX, kY, 0.99), "leaves rows on both sides of 6"));
  const file::Array planes{{6, 2, 3}, counted(36)};
  const auto of = [&](const file::Array& x, const std::function<void(DatasetOptions&)>& change) {
    return complaint(x, kY, 0, change);
  };
  EXPECT_TRUE(contains(of(planes, [](auto& options) { options.layout = "torus"; }),
                       "task.layout = \"torus\": expected as many rows as columns, x has shape [6, 2, 3]"));
  const file::Array colors{{6, 3, 2, 2}, counted(72)};
  EXPECT_TRUE(contains(of(colors, [](auto& options) { options.layout = "torus"; }),
                       "task.layout = \"torus\": expected images of one channel, x has shape [6, 3, 2, 2]"));
  EXPECT_TRUE(contains(of(colors, [](auto& options) { options.layout = "ring"; }),
                       "task.layout = \"ring\": expected x [P, n] and no task.shape"));
  EXPECT_TRUE(contains(of({{6, 4, 2, 2}, counted(96)}, [](auto&) {}),
                       "x has shape [6, 4, 2, 2], expected [P, n], [P, h, w] or [P, 3, h, w]"));
  EXPECT_TRUE(contains(of(kX,
                          [](auto& options) {
                            options.shape = {3, 2, 2};
                          }),
                       "task.shape = [3, 2, 2]: expected 3 × h × w = 2, h and w at least 2"));
  EXPECT_TRUE(contains(of(planes, [](auto& options) { options.layout = "ring"; }),
                       "task.layout = \"ring\": expected x [P, n] and no task.shape"));
  EXPECT_TRUE(contains(of(kX, [](auto& options) { options.layout = "image"; }),
                       "task.layout = \"image\": expected x [P, h, w], or task.shape = [h, w]"));
  EXPECT_TRUE(contains(of(kX,
                          [](auto& options) {
                            options.shape = {2, 2};
                          }),
                       "task.shape = [2, 2]: expected h × w = 2, both at least 2"));
  EXPECT_TRUE(contains(of(planes,
                          [](auto& options) {
                            options.shape = {3, 2};
                          }),
                       "task.shape = [3, 2]: expected none, or that of x"));
  EXPECT_TRUE(contains(complaint({{2000, 2}, counted(4000)}, {{2000}, counted(2000)}, 0,
                                 [](auto& options) { options.target = "class"; }),
                       "expected at most 1000 classes, y has 2000 different values from 1 to 2000"));
  File file(kX, kY);
  file.options.y = "labels";
  EXPECT_THROW(file.options.make(), InputError);
}

}  // namespace
}  // namespace sluice::task
