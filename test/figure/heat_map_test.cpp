#include "sluice/figure/heat_map.hpp"

#include <gtest/gtest.h>

#include <cmath>
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
