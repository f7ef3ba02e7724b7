#include "sluice/figure/image_recipes.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "sample_run.hpp"
#include "sluice/figure/recipes.hpp"
#include "svg_reader.hpp"

namespace sluice::figure {
namespace {

using testing::SampleRun;
using testing::says;

std::size_t images_in(const Figure& figure) {
  const std::string svg = render(figure, Format::svg);
  std::size_t count = 0;
  for (std::size_t at = svg.find("<image"); at != std::string::npos; at = svg.find("<image", at + 1)) ++count;
  return count;
}

RunView plane(const SampleRun& run, std::int64_t columns) {
  RunView view = run.view();
  view.columns = columns;
  return view;
}

std::vector<GaborEllipse> ellipses(const SampleRun& run) {
  return std::vector<GaborEllipse>(static_cast<std::size_t>(run.units),
                                   GaborEllipse{1, 5, 3, 1.5, 0.4, 0.1, 0.2});
}

/// Every unit a wave of two periods across at every time: [T, K, h, w/2 + 1] as the probe has it.
std::vector<float> two_periods_across(const RunView& view) {
  const auto half = static_cast<std::size_t>(view.columns / 2 + 1);
  std::vector<float> power(view.times() * view.shown_units() * static_cast<std::size_t>(view.rows()) * half);
  for (std::size_t i = 0; i < power.size(); i += static_cast<std::size_t>(view.rows()) * half)
    power[i + std::min<std::size_t>(2, half - 1)] = 1;
  return power;
}

// An image each, and one that shows the colours; whatever the proportions.
// In three colours a field is one image, of a third of its sites.
TEST(ImageRecipes, DrawFieldsInColour) {
  const SampleRun run(5, 60, 11);
  RunView view = plane(run, 5);
  view.channels = 3;
  EXPECT_EQ(view.rows(), 4);
  EXPECT_EQ(images_in(receptive_fields(view)), 5U + 1);
  EXPECT_EQ(images_in(evolution(view)), 4U * 8 + 1);
  EXPECT_EQ(images_in(unit_map(view)), 5U + 1);
  EXPECT_EQ(images_in(sign_flipping(view, {run.ipr, run.ipr})), 5U);
  for (const Figure& figure : {receptive_fields(view), evolution(view), unit_map(view)})
    EXPECT_TRUE(says(figure, "of each colour", {.size_pt = 6.5})) << figure.name;
  RunView grey = plane(run, 5);
  EXPECT_NE(render(unit_map(view), Format::svg), render(unit_map(grey), Format::svg));
  view.columns = 7;  // 60 sites are not three planes of rows of seven
  EXPECT_THROW(receptive_fields(view), std::invalid_argument);
}

TEST(ImageRecipes, DrawAnImageForEveryField) {
  const SampleRun run(5, 60, 11);
  for (const std::int64_t columns : {10, 6, 30, 2}) {
    const RunView view = plane(run, columns);
    EXPECT_EQ(images_in(receptive_fields(view)), 5U + 1) << columns;
    EXPECT_EQ(images_in(evolution(view)), 4U * 8 + 1) << columns;
    EXPECT_EQ(images_in(unit_map(view)), 5U + 1) << columns;
    EXPECT_EQ(images_in(gabor_images(view, ellipses(run), true)), 5U + 1) << columns;
    EXPECT_EQ(images_in(sign_flipping(view, {run.ipr, run.ipr})), 5U) << columns;
    EXPECT_EQ(images_in(spectra_of_images(view, two_periods_across(view), true)), 2 * (5U + 1) + 2 * 2)
        << columns << ": field and power of every unit, two maps, and the bars of all";
    for (const Figure& figure :
         {receptive_fields(view), evolution(view), unit_map(view), gabor_images(view, ellipses(run), false),
          spectra_of_images(view, two_periods_across(view), false)})
      EXPECT_LE(figure.width_mm, 180) << figure.name;
  }
  EXPECT_EQ(images_in(evolution(run.view())), 0U);  // a ring is a line
}

TEST(ImageRecipes, SayWhenThereIsNothing) {
  SampleRun run(3, 12, 2);
  run.fill(testing::nan_d);
  const RunView view = plane(run, 4);
  const std::vector<float> nothing(two_periods_across(view).size(), testing::nan_f);
  for (const Figure& figure :
       {receptive_fields(view), evolution(view), unit_map(view), gabor_images(view, ellipses(run), true),
        spectra_of_images(view, nothing, true)})
    EXPECT_TRUE(says(figure, "no finite data")) << figure.name;
}

TEST(ImageRecipes, SpectraSayWhatTheyAreOf) {
  const SampleRun run(5, 400, 3);
  RunView view = plane(run, 20);
  const std::vector<float> power = two_periods_across(view);
  const std::string torus = spectra_of_images(view, power, true).caption;
  EXPECT_NE(torus.find("periods across and up the torus"), std::string::npos) << torus;
  EXPECT_NE(torus.find("At most 4 periods of 10"), std::string::npos)
      << "a third of 10, rounded up: " << torus;
  EXPECT_EQ(torus.find("borders"), std::string::npos) << torus;
  const std::string image = spectra_of_images(view, power, false).caption;
  EXPECT_NE(image.find("without a window: borders that do not match"), std::string::npos) << image;
  view.chosen = {3, 1};
  const Figure chosen = spectra_of_images(view, power, true);
  EXPECT_NE(chosen.caption.find("2 units, as asked for"), std::string::npos) << chosen.caption;
  EXPECT_TRUE(says(chosen, "unit 3", {.size_pt = 6.5}));
  EXPECT_FALSE(says(chosen, "unit 2", {.size_pt = 6.5}));
}

TEST(ImageRecipes, RefuseRowsThatDoNotFit) {
  const SampleRun run(3, 12, 2);
  EXPECT_THROW(evolution(plane(run, 5)), std::invalid_argument);
  EXPECT_THROW(unit_map(plane(run, -1)), std::invalid_argument);
}

}  // namespace
}  // namespace sluice::figure
