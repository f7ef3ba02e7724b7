#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>

#include "sluice/figure/table_view.hpp"
#include "svg_reader.hpp"

namespace sluice::figure {
namespace {

using testing::says;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr TextStyle kTitle{.size_pt = 8, .bold = true};
constexpr TextStyle kSmall{.size_pt = 6.5};
constexpr TextStyle kUpward{.upward = true};

LinesView crossing() {
  return {.name = "crossing",
          .title = "Two that cross",
          .x_label = "gain",
          .y_label = "loss",
          .x = {0.01, 1, 100, kInfinity},
          .curves = {{"rising", {1, 2, 3, 4}, {0.1, 0.1, 0.1, 0.1}}, {"falling", {4, 3, 2, 1}}}};
}

/// Every text begins within the figure and, as labels are a few letters long, none is drawn beyond its edge.
void expect_inside(const Figure& figure) {
  constexpr double pt_per_mm = 72 / 25.4;
  const std::vector<testing::Written> texts = testing::texts(render(figure, Format::svg));
  ASSERT_FALSE(texts.empty());
  for (const testing::Written& text : texts) {
    EXPECT_GE(text.x, 0) << text.text;
    EXPECT_LE(text.x, (figure.width_mm - (text.anchor.empty() ? 1 : 0)) * pt_per_mm) << text.text;
    EXPECT_GE(text.y, 0) << text.text;
    EXPECT_LE(text.y, figure.height_mm * pt_per_mm) << text.text;
  }
}

TEST(TableLines, NameAxesAndCurves) {
  const Figure figure = table_lines(crossing());
  EXPECT_TRUE(says(figure, "Two that cross", kTitle));
  EXPECT_TRUE(says(figure, "gain"));
  EXPECT_TRUE(says(figure, "loss", kUpward));
  EXPECT_TRUE(says(figure, "rising", kSmall));
  EXPECT_TRUE(says(figure, "falling", kSmall));
  EXPECT_TRUE(says(figure, "10⁻¹", kSmall)) << "four decades are logarithmic";
  EXPECT_TRUE(says(figure, "∞", kSmall));
  EXPECT_NE(figure.caption.find("one standard error"), std::string::npos);
  EXPECT_NE(figure.caption.find("gain = ∞"), std::string::npos);
  expect_inside(figure);
}

TEST(TableLines, WhatIsExpectedIsDashedAndWidensTheAxis) {
  LinesView view = crossing();
  const std::string without = render(table_lines(view), Format::svg);
  EXPECT_EQ(without.find("stroke-dasharray"), std::string::npos);
  view.curves[0].ideal = {1, 2, 3, 40};
  const Figure figure = table_lines(view);
  EXPECT_NE(render(figure, Format::svg).find("stroke-dasharray"), std::string::npos);
  EXPECT_TRUE(says(figure, "40", kSmall));
  EXPECT_NE(figure.caption.find("Dashed"), std::string::npos);
  view.curves[0].ideal = {1, 2};
  EXPECT_THROW(table_lines(view), std::invalid_argument);
}

TEST(TableLines, OneCurveNeedsNoName) {
  LinesView view = crossing();
  view.curves.pop_back();
  view.x = {0, 1, 2, 3};
  const Figure figure = table_lines(view);
  EXPECT_FALSE(says(figure, "rising", kSmall));
  EXPECT_FALSE(says(figure, "∞", kSmall));
  EXPECT_FALSE(says(figure, "10⁻¹", kSmall));
}

TEST(TableLines, PowerLawsHaveTwoLogarithmicAxes) {
  LinesView view = crossing();
  view.x = {100, 1000, 10000, 100000};
  view.curves[0].y = {1, 2, 3, 8};
  EXPECT_TRUE(says(table_lines(view), "10⁵", kSmall));
  EXPECT_FALSE(says(table_lines(view), "10¹", kSmall));
  view.power_law = true;
  EXPECT_TRUE(says(table_lines(view), "10¹", kSmall));
}

TEST(TableLines, SayWhichIsLowest) {
  LinesView view = crossing();
  EXPECT_FALSE(says(table_lines(view), "Lowest (grey)", kSmall));
  view.mark_lowest = true;
  EXPECT_TRUE(says(table_lines(view), "Lowest (grey): rising at 0.01 to 1, falling at 100 to ∞.", kSmall));
}

TEST(TableLines, OnlyNameWhatLiesAbove) {
  LinesView view = crossing();
  view.curves.push_back({"high", {90, 91, 92, 93}});
  EXPECT_TRUE(says(table_lines(view), "100", kSmall));
  view.most = 5;
  const Figure figure = table_lines(view);
  EXPECT_TRUE(says(figure, "high: above", kSmall));
  EXPECT_FALSE(says(figure, "100", kSmall));
  EXPECT_TRUE(says(figure, "rising", kSmall));
}

TEST(TableLines, KeepLongNamesInside) {
  LinesView view = crossing();
  for (int k = 0; k < 9; ++k)
    view.curves.push_back(
        {"a name that is much too long to stand beside any curve, " + std::to_string(k), {0, 1, 2, 3}});
  view.title = std::string(300, 'W');
  expect_inside(table_lines(view));
}

TEST(TableLines, DrawTheSmallestAndTheStrangest) {
  for (const double value : {0.0, 1e300, -1e-300, std::nan(""), kInfinity}) {
    for (const std::size_t rows : {0U, 1U, 3U}) {
      const LinesView view{.name = "s",
                           .title = "s",
                           .x_label = "x",
                           .y_label = "y",
                           .x = std::vector<double>(rows, 1.0),
                           .curves = {{"c", std::vector<double>(rows, value)}},
                           .mark_lowest = true};
      EXPECT_FALSE(render(table_lines(view), Format::svg).empty());
      EXPECT_EQ(says(table_lines(view), "no finite data"), rows == 0 || !std::isfinite(value))
          << value << rows;
    }
  }
}

TEST(TableLines, OutliveTheirDataAndRefuseShortCurves) {
  std::optional<LinesView> view = crossing();
  const Figure figure = table_lines(*view);
  const std::string once = render(figure, Format::svg);
  view.reset();
  EXPECT_EQ(render(figure, Format::svg), once);
  LinesView shorter = crossing();
  shorter.curves[1].y.pop_back();
  EXPECT_THROW(table_lines(shorter), std::invalid_argument);
}

MapView map() {
  return {.name = "map",
          .title = "A map",
          .x_label = "across",
          .y_label = "up",
          .x = {1, 2, 3},
          .y = {1, 2},
          .panels = {{"first", {0, 1, 2, 3, 4, std::nan("")}}, {"second", {1, 10, 100, 1e3, 1e4, 1e5}}}};
}

TEST(TableMap, NamesAxesAndScales) {
  const Figure figure = table_map(map());
  EXPECT_TRUE(says(figure, "A map", kTitle));
  EXPECT_TRUE(says(figure, "across"));
  EXPECT_TRUE(says(figure, "up", kUpward));
  EXPECT_TRUE(says(figure, "first"));
  EXPECT_TRUE(says(figure, "second"));
  EXPECT_TRUE(says(figure, "10⁵", kSmall)) << "five decades are logarithmic";
  EXPECT_NE(render(figure, Format::svg).find("<image"), std::string::npos);
  expect_inside(figure);
}

TEST(TableMap, RefusesWhatIsNoGrid) {
  MapView view = map();
  view.panels[0].value.pop_back();
  EXPECT_THROW(table_map(view), std::invalid_argument);
  view = map();
  view.panels.clear();
  EXPECT_THROW(table_map(view), std::invalid_argument);
}

PanelsView panels() {
  return {
      .name = "panels",
      .title = "Two of them",
      .x_label = "training step",
      .x = {0, 10, 20},
      .panels = {{"error", {{"deep", {1, 0.1, 1e-4}, {0.1, 0.05, 1e-3}}, {"shallow", {1, 0.9, 0.8}}}, true},
                 {"accuracy", {{"deep", {0, 0.5, 1}, {0.1, 0.1, 0}}, {"shallow", {0, 0.2, 0.4}}}}}};
}

TEST(TablePanels, NameAxesAndCurvesAndDrawErrorsAsBands) {
  const Figure figure = table_panels(panels());
  EXPECT_TRUE(says(figure, "Two of them", kTitle));
  EXPECT_TRUE(says(figure, "training step"));
  EXPECT_TRUE(says(figure, "error", kUpward));
  EXPECT_TRUE(says(figure, "accuracy", kUpward));
  EXPECT_TRUE(says(figure, "deep", kSmall));
  EXPECT_TRUE(says(figure, "shallow", kSmall));
  EXPECT_TRUE(says(figure, "10⁻⁴", kSmall)) << "four decades are logarithmic";
  EXPECT_TRUE(says(figure, "b", kTitle));
  EXPECT_NE(figure.caption.find("one standard error"), std::string::npos);
  expect_inside(figure);
}

TEST(TablePanels, OnePanelOfOneCurveNeedsNoNames) {
  PanelsView view = panels();
  view.panels.pop_back();
  view.panels[0].curves.pop_back();
  const Figure figure = table_panels(view);
  EXPECT_FALSE(says(figure, "deep", kSmall));
  EXPECT_FALSE(says(figure, "a", kTitle));
  EXPECT_LT(figure.width_mm, table_panels(panels()).width_mm);
}

TEST(TablePanels, RefuseWhatDoesNotFit) {
  PanelsView view = panels();
  view.panels[1].curves[0].y.pop_back();
  EXPECT_THROW(table_panels(view), std::invalid_argument);
  view = panels();
  view.panels[1].curves.pop_back();
  EXPECT_THROW(table_panels(view), std::invalid_argument);
  view = panels();
  view.panels.clear();
  EXPECT_THROW(table_panels(view), std::invalid_argument);
  view = panels();
  for (PanelsView::Panel& panel : view.panels)
    for (TableCurve& curve : panel.curves) curve.y.assign(3, std::nan(""));
  EXPECT_TRUE(says(table_panels(view), "no finite data"));
}

TEST(TableMatrix, NamesAxesAndColours) {
  MatrixView view{.name = "matrix",
                  .title = "A basis",
                  .x_label = "site",
                  .y_label = "mode",
                  .value_label = "F",
                  .columns = 3,
                  .rows = 2,
                  .values = {1, 1, 1, -1, 0, 1}};
  const Figure figure = table_matrix(view);
  EXPECT_TRUE(says(figure, "A basis", kTitle));
  EXPECT_TRUE(says(figure, "site"));
  EXPECT_TRUE(says(figure, "mode", kUpward));
  EXPECT_TRUE(says(figure, "F"));
  EXPECT_NE(render(figure, Format::svg).find("<image"), std::string::npos);
  expect_inside(figure);
  view.values.pop_back();
  EXPECT_THROW(table_matrix(view), std::invalid_argument);
  view.values.assign(6, 0);
  EXPECT_TRUE(says(table_matrix(view), "no finite data"));
}

}  // namespace
}  // namespace sluice::figure
