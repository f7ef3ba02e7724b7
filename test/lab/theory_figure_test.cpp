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

TEST(TheoryFigure, SaysWhenThereIsNone) {
  EXPECT_THROW(theory_figure("response", {{"site 0"}, {{1}}}), InputError);
}

}  // namespace
}  // namespace sluice::lab
