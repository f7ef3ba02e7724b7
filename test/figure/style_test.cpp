/// Sizes, type, limits and palettes of figures, and text that stays text.
#include "sluice/figure/style.hpp"

#include <gtest/gtest.h>

#include "sluice/figure/plot.hpp"
#include "sluice/file/errors.hpp"
#include "test/figure/svg_reader.hpp"

namespace sluice::figure {
namespace {

using testing::all_between;
using testing::texts;

/// Two panels under one x, of two different y.
Figure plots(bool second) {
  return {"plots", "Two plots.", 100, 50, [second](Canvas& canvas) {
            const std::vector<double> x{0, 1, 2, 3}, y{0, 10, 20, 30};
            const Plot left(canvas, {15, 5, 30, 35}, Axis::snug("time", {0, 3}, 3),
                            Axis::rounded("loss", {0, 30}, 3));
            left.curve(canvas, x, y, {category(1), 1});
            canvas.disc(left.at(3, 30), 1, category(2));
            left.draw_axes(canvas);
            if (!second) return;
            const Plot right(canvas, {65, 5, 30, 35}, Axis::snug("time", {0, 3}, 3),
                             Axis::rounded("rate", {0, 1}, 3));
            right.draw_axes(canvas);
          }};
}

std::string svg(const Style& style, bool second = false) {
  return render(plots(second), Format::svg, 200, style);
}

TEST(Svg, KeepsTextAsTextWithItsSpacesAndSigns) {
  const std::string drawn = render({"", "", 40, 10,
                                    [](Canvas& canvas) {
                                      canvas.text({5, 5}, "length  √Σw² < 1", {.size_pt = 6.5, .bold = true});
                                      canvas.text({20, 5}, "up", {.across = 1, .upward = true});
                                    }},
                                   Format::svg);
  const auto written = texts(drawn);
  ASSERT_EQ(written.size(), 2U);
  EXPECT_EQ(written[0].text, "length  √Σw² &lt; 1");
  EXPECT_EQ(written[0].size, "6.5");
  EXPECT_TRUE(written[0].bold);
  EXPECT_EQ(written[1].anchor, "end");
  EXPECT_TRUE(written[1].upward);
  EXPECT_NE(drawn.find("xml:space=\"preserve\""), drawn.npos);
  EXPECT_EQ(drawn.find("<symbol"), drawn.npos);
}

TEST(Style, StretchesPlacesAndKeepsTypeInPoints) {
  const std::string own = svg({}), wide = svg({.width_mm = 200}),
                    tall = svg({.width_mm = 100, .height_mm = 75});
  EXPECT_NE(wide.find("width=\"566.929pt\" height=\"283.465pt\""), wide.npos)
      << "one alone keeps the proportions";
  EXPECT_NE(tall.find("width=\"283.465pt\" height=\"212.598pt\""), tall.npos);
  const auto before = texts(own), after = texts(wide);
  ASSERT_EQ(before.size(), after.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(before[i].text, after[i].text);
    EXPECT_EQ(before[i].size, after[i].size);
  }
  EXPECT_NEAR(std::stod(all_between(wide, "<circle cx=\"", '"')[0]),
              2 * std::stod(all_between(own, "<circle cx=\"", '"')[0]), 0.01);
  EXPECT_EQ(texts(svg({.width_mm = 80}))[0].size, "5.2") << "smaller figures have smaller type: 6.5 pt × 0.8";
  EXPECT_EQ(texts(svg({.font_pt = 14}))[0].size, "13");
  for (const double bad : {10.0, 1000.0}) EXPECT_THROW(svg({.width_mm = bad}), InputError);
}

TEST(Style, LimitsCutCurvesAndLeaveOutPointsBeyond) {
  const std::string cut = svg({.x = Interval{0, 2}, .y = Interval{5, 25}});
  EXPECT_NE(cut.find("clip-path"), cut.npos);
  EXPECT_EQ(cut.find("<circle"), cut.npos) << "it lies outside";
  EXPECT_NE(svg({}).find("<circle"), cut.npos);
  std::vector<std::string> written;
  for (const auto& text : texts(cut)) written.push_back(text.text);
  EXPECT_NE(std::ranges::find(written, "20"), written.end());
  EXPECT_EQ(std::ranges::find(written, "30"), written.end());
}

TEST(Style, WhatAFigureCannotHonourIsRefusedByName) {
  const auto complaint = [](const Style& style, bool second) {
    try {
      svg(style, second);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(complaint({.x = Interval{0, 1}}, true), "") << "both panels have the same x";
  EXPECT_EQ(complaint({.y = Interval{0, 1}}, true),
            "plots: limits of y are of no use to different axes: loss, rate");
  const Figure plain{"plain", "", 40, 10, [](Canvas& canvas) { canvas.disc({5, 5}, 1, ink); }};
  EXPECT_THROW(render(plain, Format::png, 200, {.x = Interval{0, 1}}), InputError);
  EXPECT_THROW(render(plain, Format::pdf, 200, {.palette = Palette::greys}), InputError);
  EXPECT_THROW(render(plain, Format::svg, 200, {.font = "No Such Font At All"}), InputError);
}

TEST(Style, PalettesKeepCategoriesApartAndGreysAreGrey) {
  for (const Palette palette : {Palette::ramp, Palette::greys}) {
    for (std::size_t i = 0; i < 7; ++i)
      for (std::size_t j = 0; j < i; ++j)
        EXPECT_GT(
            std::abs(luminance(painted(category(i), palette)) - luminance(painted(category(j), palette))),
            0.01)
            << i << " " << j;
    double before = -1;
    for (const double t : {0.0, 0.25, 0.5, 0.75, 1.0}) {
      const double now = luminance(painted(sequential(t), palette));
      EXPECT_GT(now, before) << "ordered numbers stay ordered";
      before = now;
    }
  }
  const Color grey_one = painted(category(3).faded(0.5), Palette::greys);
  EXPECT_NEAR(grey_one.red, grey_one.blue, 1e-6);
  EXPECT_EQ(grey_one.alpha, 0.5);
  EXPECT_EQ(painted(ink, Palette::greys).blue, ink.blue) << "what is of no palette stays";
}

}  // namespace
}  // namespace sluice::figure
