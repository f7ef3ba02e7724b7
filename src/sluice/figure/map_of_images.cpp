#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sluice/figure/fields.hpp"
#include "sluice/figure/image_recipes.hpp"
#include "sluice/figure/plot.hpp"
#include "sluice/figure/select.hpp"
#include "sluice/figure/text.hpp"

namespace sluice::figure {
namespace of_map_of_images {
namespace {

constexpr std::size_t most_images = 900;  // smaller ones could not be told apart in print
constexpr double width_mm = 86, margin_mm = 2, gap_mm = 0.6, largest_mm = 20,
                 legend_mm = 8;  // one column of a journal

}  // namespace
}  // namespace of_map_of_images

Figure map_of_images(const RunView& run) {
  using namespace of_map_of_images;
  const std::vector<std::size_t> units = ordered_by_position(run, some_units(run, most_images));
  const std::vector<Tile> tiles = final_tiles(run, units);
  const double tall = static_cast<double>(run.rows()) / static_cast<double>(run.columns);
  const auto count = static_cast<double>(std::max<std::size_t>(tiles.size(), 1));
  const double across = std::ceil(std::sqrt(count * std::clamp(tall, 0.1, 10.0)));
  const double down = std::ceil(count / across);
  const double image_mm = std::min((width_mm - 2 * margin_mm + gap_mm) / across - gap_mm, largest_mm);
  const double height = 2 * margin_mm + down * (tall * image_mm + gap_mm) - gap_mm + legend_mm;
  const std::optional<double> largest = largest_weight(tiles);
  const auto channels = static_cast<std::size_t>(run.channels);
  return {"unit_map",
          fmt::format("Final weights of {} units of {} as images, ordered row by row by the site of their "
                      "largest |w|, all on one scale.",
                      tiles.size() < run.shown_units()
                          ? fmt::format("{} of {}, {},", tiles.size(), grouped(run.units), how_chosen(run))
                          : fmt::format("all {}", tiles.size()),
                      run.title),
          width_mm, height, [=](Canvas& canvas) {
            if (!largest) return say_no_finite_data(canvas, {0, 0, width_mm, height});
            const auto in_row = static_cast<std::size_t>(across);
            for (std::size_t i = 0; i < tiles.size(); ++i) {
              const std::size_t row = i / in_row, column = i % in_row;
              draw_image(canvas,
                         {margin_mm + static_cast<double>(column) * (image_mm + gap_mm),
                          margin_mm + static_cast<double>(row) * (tall * image_mm + gap_mm), image_mm,
                          tall * image_mm},
                         tiles[i], scale_for(largest));
            }
            draw_image_colors(canvas, {margin_mm, height - legend_mm / 2}, scale_for(largest), channels);
          }};
}

}  // namespace sluice::figure
