#include <gtest/gtest.h>

#include <limits>

#include "sluice/figure/field_panel_view.hpp"
#include "svg_reader.hpp"

namespace sluice::figure {
namespace {

using testing::says;

constexpr TextStyle kSmall{.size_pt = 6.5};
constexpr TextStyle kShare{.size_pt = 6.5, .bold = true};
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

FieldPanelView panel() {
  const std::vector<float> bump{0, 1, 3, 1, 0, 0, 0, 0, 0};
  return {.name = "panel",
          .sections = {
              {"Ring",
               0,
               {{"bump", true, 0.995, 0.002, {{bump, true}}}, {"wave", false, 0, kNone, {{bump, false}}}}},
              {"Torus", 3, {{"blob", true, 1, 0, {{bump, true}, {bump, true}}}}}}};
}

TEST(FieldPanel, NamesKindsAndTheirShares) {
  const Figure figure = field_panel(panel());
  EXPECT_EQ(figure.name, "panel");
  for (const char* name : {"bump", "wave", "blob"}) EXPECT_TRUE(says(figure, name, kSmall)) << name;
  EXPECT_TRUE(says(figure, "99.5 %", kShare));
  EXPECT_TRUE(says(figure, "0.2 %", kSmall));
  EXPECT_TRUE(says(figure, "100 %", kShare));
  EXPECT_TRUE(says(figure, "must not count", {.size_pt = 7, .bold = true}));
}

TEST(FieldPanel, ColoursWhatIsLocalized) {
  FieldPanelView view = panel();
  const std::string before = render(field_panel(view), Format::svg);
  view.sections[0].kinds[0].examples[0].localized = false;
  EXPECT_NE(render(field_panel(view), Format::svg), before);
}

TEST(FieldPanel, IsDrawnWithoutKindsAndWithoutNumbers) {
  EXPECT_FALSE(render(field_panel({}), Format::svg).empty());
  FieldPanelView view = panel();
  view.sections[0].kinds[0].examples[0].field.assign(9, std::numeric_limits<float>::quiet_NaN());
  view.sections[1].kinds[0].examples[0].field.assign(9, 0.0F);
  for (const Format format : {Format::svg, Format::png})
    EXPECT_FALSE(render(field_panel(view), format, 50).empty());
}

}  // namespace
}  // namespace sluice::figure
