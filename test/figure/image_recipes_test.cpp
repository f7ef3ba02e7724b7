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

// An image each, and one that shows the colours; whatever the proportions.
TEST(ImageRecipes, DrawAnImageForEveryField) {
  const SampleRun run(5, 60, 11);
  for (const std::int64_t columns : {10, 6, 30, 2}) {
    const RunView view = plane(run, columns);
    EXPECT_EQ(images_in(receptive_fields(view)), 5U + 1) << columns;
    EXPECT_EQ(images_in(evolution(view)), 4U * 8 + 1) << columns;
    EXPECT_EQ(images_in(unit_map(view)), 5U + 1) << columns;
    EXPECT_EQ(images_in(gabor_images(view, ellipses(run), true)), 5U + 1) << columns;
    EXPECT_EQ(images_in(sign_flipping(view, {run.ipr, run.ipr})), 5U) << columns;
    for (const Figure& figure :
         {receptive_fields(view), evolution(view), unit_map(view), gabor_images(view, ellipses(run), false)})
      EXPECT_LE(figure.width_mm, 180) << figure.name;
  }
  EXPECT_EQ(images_in(evolution(run.view())), 0U);  // a ring is a line
}

TEST(ImageRecipes, SayWhenThereIsNothing) {
  SampleRun run(3, 12, 2);
  run.fill(testing::nan_d);
  const RunView view = plane(run, 4);
  for (const Figure& figure :
       {receptive_fields(view), evolution(view), unit_map(view), gabor_images(view, ellipses(run), true)})
    EXPECT_TRUE(says(figure, "no finite data")) << figure.name;
}

TEST(ImageRecipes, RefuseRowsThatDoNotFit) {
  const SampleRun run(3, 12, 2);
  EXPECT_THROW(evolution(plane(run, 5)), std::invalid_argument);
  EXPECT_THROW(unit_map(plane(run, -1)), std::invalid_argument);
}

}  // namespace
}  // namespace sluice::figure
