#include "sluice/figure/heat_map.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <stdexcept>

#include "sample_run.hpp"
#include "sluice/figure/recipes.hpp"
#include "sluice/figure/sweep_view.hpp"
#include "svg_reader.hpp"

namespace sluice::figure {
namespace {

using testing::nan_d;
using testing::nan_f;
using testing::SampleRun;
using testing::says;

bool same(const Color& a, const Color& b) { return a.red == b.red && a.green == b.green && a.blue == b.blue; }

TEST(ColorScale, EndsAtItsLimitsAndLeavesGapsWhite) {
  const ColorScale weights{ColorScale::Kind::diverging, 2, "w"};
  EXPECT_TRUE(same(weights.color(2), diverging(1)));
  EXPECT_TRUE(same(weights.color(-5), diverging(-1)));
  EXPECT_TRUE(same(weights.color(nan_d), Color{1, 1, 1}));
  const ColorScale shares{ColorScale::Kind::sequential, 0.5, "share"};
  EXPECT_TRUE(same(shares.color(0), sequential(0)));
  EXPECT_TRUE(same(shares.color(0.25), sequential(0.5)));
  EXPECT_TRUE(same(shares.color(7), sequential(1)));
}

TEST(ColorScale, MayGoWithTheSquareRoot) {
  const ColorScale shares{ColorScale::Kind::sequential, 0.5, "share", true};
  EXPECT_TRUE(same(shares.color(0.125), sequential(0.5)));
  EXPECT_TRUE(same(shares.color(0.5), sequential(1)));
  const Figure bar{"bar", "", 40, 120, [&](Canvas& canvas) {
                     draw_color_bar(canvas, {10, 10}, 100, shares);
                   }};
  for (const testing::Written& tick : testing::texts(render(bar, Format::svg))) {
    if (tick.text == "share") continue;
    const double up = 110 - tick.y * 25.4 / 72;                                    // mm, of 100
    EXPECT_NEAR(up, 100 * std::sqrt(std::stod(tick.text) / 0.5), 2) << tick.text;  // half a capital lower
  }
}

TEST(HeatMap, AveragesRowsThatPrintCannotResolve) {
  const HeatMap map{2, 5, {1, 10, 3, nan_f, 5, 30, 7, 40, 9, 50}};
  EXPECT_EQ(with_fewer_rows(map, 5).rows, 5U);
  const HeatMap two = with_fewer_rows(map, 2);  // rows 0, 1 and 2, 3, 4
  EXPECT_EQ(two.rows, 2U);
  EXPECT_EQ(two.values, (std::vector<float>{2, 10, 7, 40}));
  EXPECT_TRUE(std::isnan(with_fewer_rows({1, 2, {nan_f, nan_f}}, 1).values[0]));
}

TEST(Kinds, NamesTheThreeAtTheEndsOfTheirCurves) {
  const SampleRun run(4, 16, 2);
  const std::vector<std::int64_t> kind{0, 0, 0, 0, 2, 2, 1, 0};
  const Figure figure = kinds(run.view(), kind);
  for (const char* name : {"flat", "oscillatory", "localized"})
    EXPECT_TRUE(says(figure, name, {.size_pt = 6.5})) << name;
  EXPECT_TRUE(says(kinds(SampleRun(4, 16, 0).view(), {}), "no finite data"));
}

TEST(PhaseDiagram, WritesEveryNumberAndLeavesGapsEmpty) {
  const PhaseView view{.title = "runs",
                       .x_label = "gain",
                       .y_label = "xi",
                       .x = {"1", "3", "100"},
                       .y = {"[2,1]", "[3,1]"},
                       .panels = {{"IPR", 2, {0.11, 0.12, 0.21, nan_d, 0.31, 0.32}}}};
  const Figure figure = phase_diagram(view);
  EXPECT_LE(figure.width_mm, 180);
  for (const char* number : {"0.11", "0.21", "0.32"})
    EXPECT_TRUE(says(figure, number, {.size_pt = 6.5})) << number;
  EXPECT_TRUE(says(figure, "[3,1]", {.size_pt = 6.5}));
  PhaseView wrong = view;
  wrong.panels[0].value.pop_back();
  EXPECT_THROW(phase_diagram(wrong), std::invalid_argument);
  wrong.panels.clear();
  EXPECT_THROW(phase_diagram(wrong), std::invalid_argument);
}

// Cells of 13 mm by 9.1 mm from 16 mm on; names of boundaries take 3.4 mm each above.
TEST(PhaseDiagram, SpreadStandsBelowItsNumberAndABoundaryWhereItIsPut) {
  PhaseView view{.title = "",
                 .x_label = "gain",
                 .y_label = "xi",
                 .x = {"1", "3", "100"},
                 .y = {"a", "b"},
                 .panels = {{"IPR", 2, {0.11, 0.12, 0.21, nan_d, 0.31, 0.32}}}};
  view.panels.front().spread = {0.05, nan_d, 0.07, 0.09, nan_d, nan_d};
  const auto height = phase_diagram(view).height_mm;
  view.boundaries = {{"edge", {{1.25, 0}, {1.25, 0.5}, {nan_d, 1.5}, {2, 1.5}}}};
  const Figure figure = phase_diagram(view);
  EXPECT_DOUBLE_EQ(figure.height_mm, height + 3.4);
  const std::string svg = render(figure, Format::svg);
  const auto find = [&](const std::string& text) {
    for (const testing::Written& each : testing::texts(svg))
      if (each.text == text) return each;
    ADD_FAILURE() << text << " is not there";
    return testing::Written{};
  };
  EXPECT_EQ(find("±0.05").size, "5");
  EXPECT_EQ(find("±0.05").x, find("0.11").x);
  EXPECT_GT(find("±0.05").y, find("0.11").y + 5) << "points: not over each other";
  EXPECT_EQ(svg.find("±0.09"), std::string::npos) << "an empty cell";
  constexpr double kPoint = 25.4 / 72;
  const std::vector<std::string> paths = testing::all_between(svg, "<path d=\"M", '"');
  const auto leads_through = [&](double x, double y) {
    const std::string at = fmt::format("{:.2f} {:.2f}", x / kPoint, y / kPoint);
    return std::ranges::any_of(paths, [&](const std::string& path) {
      double px = 0, py = 0;
      for (std::size_t begin = 0; begin != std::string::npos; begin = path.find('L', begin + 1)) {
        const std::string here = path.substr(begin == 0 ? 0 : begin + 1);
        if (std::sscanf(here.c_str(), "%lf %lf", &px, &py) == 2 && fmt::format("{:.2f} {:.2f}", px, py) == at)
          return true;
      }
      return false;
    });
  };
  const double bottom = 7 + 3.4 + 2 * 9.1;
  EXPECT_TRUE(leads_through(16 + 1.25 * 13, bottom - 0.5 * 9.1));
  EXPECT_FALSE(leads_through(16 + 1.26 * 13, bottom - 0.5 * 9.1)) << "this test can fail";
  EXPECT_LT(find("edge").y * kPoint, bottom - 2 * 9.1) << "above the cells";
  EXPECT_NEAR(find("edge").x * kPoint, 16 + 2 * 13 + 0.9, 1e-3) << "beside where it leaves at the top";
  view.panels.front().spread.pop_back();
  EXPECT_THROW(phase_diagram(view), std::invalid_argument);
}

TEST(Seeds, NeedsRunsThatWereProbedTogether) {
  const SampleRun a(5, 16, 6), b(5, 16, 6), longer(5, 16, 7);
  const Figure figure = seeds({{"gain = 3", {a.view(), b.view()}}, {"gain = 1", {b.view()}}});
  EXPECT_TRUE(says(figure, "gain = 3", {.size_pt = 6.5}));
  EXPECT_NE(figure.caption.find("2 seeds"), std::string::npos);
  EXPECT_THROW(seeds({{"gain = 3", {a.view(), longer.view()}}}), std::invalid_argument);
  EXPECT_THROW(seeds({}), std::invalid_argument);
}

}  // namespace
}  // namespace sluice::figure
