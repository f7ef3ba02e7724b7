#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "sluice/figure/fields.hpp"
#include "sluice/figure/recipes.hpp"
#include "sluice/figure/select.hpp"
#include "sluice/figure/text.hpp"

namespace sluice::figure {
namespace of_receptive_fields {
namespace {

constexpr std::size_t most_tiles = 100;
constexpr double page_mm = 180, margin_mm = 3, legend_mm = 12;

std::string caption(const RunView& run, std::size_t shown) {
  const std::string selection = shown < run.shown_units() ? fmt::format("{} of {} units, {},", shown,
                                                                        grouped(run.units), how_chosen(run))
                                                          : fmt::format("all {} units", shown);
  return fmt::format(
      "{} of {} after {} training steps: {} ordered by the site of their largest |w|, "
      "all on one scale. Small numbers: inverse participation ratio (IPR).",
      run.kernels ? "Kernels of the first layer" : "Receptive fields", run.title,
      grouped(run.step.empty() ? 0 : run.step.back()), selection);
}

}  // namespace
}  // namespace of_receptive_fields

Figure receptive_fields(const RunView& run) {
  using namespace of_receptive_fields;
  require_consistent(run);
  const std::vector<std::size_t> units = ordered_by_position(run, some_units(run, most_tiles));
  const std::vector<Tile> tiles = final_tiles(run, units);

  Grid grid;
  grid.gap_mm = 2;
  grid.columns = std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(std::sqrt(tiles.size()))));
  grid.rows = std::max<std::size_t>(1, (tiles.size() + grid.columns - 1) / grid.columns);
  const auto columns = static_cast<double>(grid.columns), rows = static_cast<double>(grid.rows);
  const double grid_width = std::clamp(40 * columns, 84.0, page_mm - 2 * margin_mm);  // the legend needs 84
  const double tile_width = (grid_width + grid.gap_mm) / columns - grid.gap_mm;
  const bool images = run.columns > 0;
  const double tall =  // of an image, as high as it is wide
      images ? static_cast<double>(run.rows()) / static_cast<double>(run.columns) : 0;
  const double tile_height =
      images ? std::min(40.0, tall * tile_width) + 2 : std::min(24.0, 0.6 * tile_width + 2);
  grid.box = {margin_mm, margin_mm, grid_width, rows * (tile_height + grid.gap_mm) - grid.gap_mm};
  const std::optional<double> largest = largest_weight(tiles);
  grid.scale = scale_for(largest);

  const Box legend{grid.box.left, grid.box.bottom() + 1, grid.box.width, legend_mm - 1};
  const auto sites = static_cast<std::size_t>(run.sites), channels = static_cast<std::size_t>(run.channels);
  return {"receptive_fields", caption(run, tiles.size()), grid.box.right() + margin_mm, legend.bottom(),
          [=](Canvas& canvas) {
            draw_grid(canvas, grid, tiles, category(0));
            if (largest) draw_grid_legend(canvas, grid, sites, legend, images ? channels : 0);
          }};
}

}  // namespace sluice::figure
