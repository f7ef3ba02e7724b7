#include "sluice/lab/theory_figure.hpp"

#include <gtest/gtest.h>

#include "sluice/file/errors.hpp"
#include "test/figure/svg_reader.hpp"

namespace sluice::lab {
namespace {

using figure::testing::says;

TEST(TheoryFigure, TakesColumnsForCurvesAndTheirErrors) {
  theory::Table table{{"gain", "flat", "± flat", "bump"}, {{1, 2, 0.5, 3}, {2, 3, 0.5, 4}}};
  table.picture = {theory::Picture::Kind::curves, "Title", "loss"};
  const figure::Figure drawn = theory_figure("landscape", table);
  EXPECT_EQ(drawn.name, "landscape");
  EXPECT_TRUE(says(drawn, "gain"));
  EXPECT_TRUE(says(drawn, "loss", {.upward = true}));
  EXPECT_TRUE(says(drawn, "flat", {.size_pt = 6.5}));
  EXPECT_FALSE(says(drawn, "± flat", {.size_pt = 6.5}));
  EXPECT_NE(drawn.caption.find("standard error"), std::string::npos);
}

TEST(TheoryFigure, TakesTwoColumnsForTheGridOfAMap) {
  theory::Table table{{"a", "b", "value"}, {{1, 1, 0}, {1, 2, 1}, {2, 1, 2}, {2, 2, 3}}};
  table.picture = {theory::Picture::Kind::map, "Title"};
  const figure::Figure drawn = theory_figure("mode-map", table);
  EXPECT_TRUE(says(drawn, "value"));
  EXPECT_TRUE(says(drawn, "a"));
  table.picture.x = "ξ₁";
  EXPECT_TRUE(says(theory_figure("mode-map", table), "ξ₁"));
  EXPECT_FALSE(says(drawn, "ξ₁"));
}

TEST(TheoryFigure, DrawsTheWholeBasis) {  // figure 2 of note 000
  const task::Section task;
  const net::Section network;
  const theory::Table table = theory::quantity("basis").table(
      {.task = task, .network = network, .weights = {}, .biases = {}, .response = {}});
  ASSERT_EQ(table.columns.size(), 41U);
  EXPECT_EQ(table.columns[1], "constant");
  EXPECT_EQ(table.columns[2], "cos 1");
  EXPECT_EQ(table.columns[39], "sin 19");
  EXPECT_EQ(table.columns[40], "cos 20");
  for (std::size_t a = 1; a <= 40; ++a)
    for (std::size_t b = 1; b <= 40; ++b) {
      double product = 0;
      for (const std::vector<double>& row : table.rows) product += row[a] * row[b];
      EXPECT_NEAR(product, a == b ? 1 : 0, 1e-12) << table.columns[a] << ", " << table.columns[b];
    }
  const figure::Figure drawn = theory_figure("basis", table);
  EXPECT_TRUE(says(drawn, "site"));
  EXPECT_TRUE(says(drawn, "mode: 1, cos 1, sin 1, cos 2, …", {.upward = true}));
}

TEST(TheoryFigure, SaysWhenThereIsNone) {
  EXPECT_THROW(theory_figure("response", {{"site 0"}, {{1}}}), InputError);
}

}  // namespace
}  // namespace sluice::lab
