#include "sluice/theory/gram_tables.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "sluice/file/errors.hpp"
#include "sluice/net/deep_network.hpp"
#include "sluice/task/points.hpp"
#include "sluice/theory/deep_gates.hpp"

namespace sluice::theory {
namespace {

/// 200 points with x = 1 behind the gates asked for.
class GramTables : public testing::Test {
 protected:
  GramTables() {
    layers().gates = "random";
    layers().width = 40;
  }
  net::DeepOptions& layers() { return dynamic_cast<net::DeepFamily&>(network_.options()).layers; }
  Request request() const {
    return {.task = task_, .network = network_, .weights = {}, .biases = {}, .response = {}};
  }

  task::Section task_{"points"};
  net::Section network_{"deep-gated"};
};

TEST_F(GramTables, EntriesAreAsExpected) {  // P.a8
  const Table table = gram_entries(request());
  ASSERT_EQ(table.columns.size(), 7U);
  EXPECT_EQ(table.columns[3], "ideal diagonal");
  for (const std::vector<double>& row : table.rows) {
    EXPECT_EQ(row[3], 1);
    EXPECT_DOUBLE_EQ(row[6], std::pow(0.5, row[0] - 1));
    // 5 standard errors: 20 networks are few, and there are 24 numbers.
    EXPECT_LT(std::abs(row[1] - row[3]), 5 * row[2]) << "d = " << row[0];
    EXPECT_LT(std::abs(row[4] - row[6]), 5 * row[5]) << "d = " << row[0];
  }
}

TEST_F(GramTables, SpectraAddUpToTheTraceAndDepthLiftsTheLowerEnd) {  // P.a9
  const Table table = gram_spectrum(request());
  ASSERT_EQ(table.rows.size(), 201U);
  ASSERT_EQ(table.columns[3], "ideal d = 2");
  ASSERT_EQ(table.columns[4], "d = 4");
  EXPECT_EQ(table.rows[0], std::vector<double>(22)) << "seven depths of document 004, figure 1";
  const std::vector<double>& last = table.rows[200];
  EXPECT_NEAR(last[1], 200, 5 * last[2]);
  EXPECT_NEAR(last[3], 200, 1e-10);
  EXPECT_NEAR(table.rows[100][3], 100 * 0.5, 1e-10);
  EXPECT_GT(table.rows[150][4], 2 * table.rows[150][1]);
}

TEST_F(GramTables, OneSampleHasNothingOffTheDiagonal) {  // P.16, figure 10 of document 004
  auto one = std::make_unique<task::PointsOptions>();
  one->samples = 1;
  task_ = task::Section("points", std::move(one));
  layers().gates = "open";
  const Table table = gram_entries(request());
  ASSERT_EQ(table.columns, (std::vector<std::string>{"depth", "K₀/d", "± K₀/d", "ideal K₀/d"}));
  for (const std::vector<double>& row : table.rows) {
    EXPECT_EQ(row[3], 1);
    EXPECT_LT(std::abs(row[1] - row[3]), 5 * row[2] + 1e-6) << "d = " << row[0];
  }
  EXPECT_THROW(gram_spectrum(request()), InputError);
}

TEST_F(GramTables, OwnGatesHaveNoExpectedKernel) {
  layers().gates = "own";
  const Table table = gram_entries(request());
  EXPECT_EQ(table.columns.size(), 5U);
}

TEST_F(GramTables, RefuseWhatHasNoDepthToVary) {
  layers().widths = {10, 20};
  EXPECT_THROW(gram_entries(request()), InputError);
  layers().widths.clear();
  layers().init.law = "file";
  EXPECT_THROW(gram_spectrum(request()), InputError);
}

TEST_F(GramTables, RefuseTasksWithoutASet) {
  const task::Section fresh("nlgp");
  const Request wrong{.task = fresh, .network = network_, .weights = {}, .biases = {}, .response = {}};
  EXPECT_THROW(gram_entries(wrong), InputError);
}

TEST_F(GramTables, VarianceFollowsTheLeadingForm) {  // I.7
  const Table table = gram_variance(request());
  for (const std::vector<double>& row : table.rows) {
    const double depth = row[0];
    EXPECT_DOUBLE_EQ(row[7], kernel_variance(128, depth) / (depth * depth));
    EXPECT_LT(std::abs(row[5] - row[7]), 5 * row[6] + row[7] * depth / 128) << "d = " << depth;
  }
  EXPECT_GT(table.rows.back()[5], 5 * table.rows.back()[8]) << "not above the printed order";
}

TEST(Quantities, SayWhichNetworkTheyRead) {
  net::Section network;
  EXPECT_THROW(require_fitting_network(quantity("gram-entries"), network), InputError);
  EXPECT_NO_THROW(require_fitting_network(quantity("response"), network));
  network = net::Section("deep-gated");
  EXPECT_NO_THROW(require_fitting_network(quantity("gram-entries"), network));
  EXPECT_NO_THROW(require_fitting_network(quantity("spectrum"), network));
  EXPECT_THROW(require_fitting_network(quantity("response"), network), InputError);
}

}  // namespace
}  // namespace sluice::theory
