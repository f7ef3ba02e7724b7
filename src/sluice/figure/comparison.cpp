#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <vector>

#include "sluice/figure/fields.hpp"
#include "sluice/figure/ipr_panel.hpp"
#include "sluice/figure/plot.hpp"
#include "sluice/figure/recipes.hpp"
#include "sluice/figure/select.hpp"
#include "sluice/figure/text.hpp"

namespace sluice::figure {
namespace of_comparison {
namespace {

constexpr std::size_t most_runs = 6, grid_side = 4;
constexpr double width_mm = 180, margin_mm = 3, column_gap_mm = 5, widest_column_mm = 56;
constexpr double header_mm = 13, grid_mm = 44, curves_top_mm = 71, curves_mm = 34, height_mm = 114;
constexpr double curves_left_mm = 15, end_labels_mm = 30;

struct Column {
  std::string label, kurtosis, localized;
  Color color;
  std::vector<Tile> tiles;
};

Column column_of(const ComparedRun& run) {
  const auto units = some_units(run.view, grid_side * grid_side);
  Column column{run.label, "", "", run.color, final_tiles(run.view, ordered_by_position(run.view, units))};
  if (std::isfinite(run.kurtosis)) column.kurtosis = "excess kurtosis " + fixed(run.kurtosis, 2);
  if (std::isfinite(run.localized_share))
    column.localized = fixed(100 * run.localized_share, 0) + " % localized";
  return column;
}

Grid grid_of(std::size_t index, std::size_t columns, double scale) {
  const auto count = static_cast<double>(columns);
  const double shared = width_mm - 2 * margin_mm - (count - 1) * column_gap_mm;
  const double column_mm = std::min(widest_column_mm, shared / count);
  const double all_mm = count * column_mm + (count - 1) * column_gap_mm;
  const double left = (width_mm - all_mm) / 2 + static_cast<double>(index) * (column_mm + column_gap_mm);
  return {{left, header_mm, column_mm, grid_mm}, grid_side, grid_side, 1.2, scale};
}

void draw_column(Canvas& canvas, const Column& column, const Grid& grid) {
  const double middle = grid.box.center().x, width = grid.box.width;
  canvas.fitted_text({middle, 4}, column.label, {8, column.color, 0.5, 0, true}, width);
  canvas.fitted_text({middle, 7.6}, column.kurtosis, {.size_pt = 6.5, .across = 0.5}, width);
  canvas.fitted_text({middle, 10.8}, column.localized, {.size_pt = 6.5, .across = 0.5}, width);
  draw_grid(canvas, grid, column.tiles, column.color);
}

}  // namespace
}  // namespace of_comparison

Figure comparison(std::span<const ComparedRun> runs) {
  using namespace of_comparison;
  if (runs.empty() || runs.size() > most_runs)
    throw std::invalid_argument(fmt::format("comparison: {} runs, expected 1 to {}", runs.size(), most_runs));
  std::vector<Column> columns;
  std::vector<IprHistory> histories;
  std::optional<double> largest;
  for (const ComparedRun& run : runs) {
    require_consistent(run.view);
    columns.push_back(column_of(run));
    histories.push_back(ipr_population(run.view, run.label, columns.back().color));
    largest = std::max(largest, largest_weight(columns.back().tiles));
  }
  const std::int64_t first_sites = runs.front().view.sites;
  const bool share_sites =
      std::ranges::all_of(runs, [&](const ComparedRun& run) { return run.view.sites == first_sites; });
  const RunView& shown = runs.front().view;
  const auto channels = static_cast<std::size_t>(shown.columns > 0 ? shown.channels : 0);
  const std::size_t sites = share_sites ? static_cast<std::size_t>(first_sites) : 0;

  return {"comparison",
          fmt::format("a, Final receptive fields: up to 16 units of each run, {}, ordered by position, all "
                      "on one scale; small numbers are their inverse participation ratios (IPR). "
                      "b, IPR over training, mean (line) and quartiles (band): of the units that are "
                      "localized at the end "
                      "and, dashed, of the others; "
                      "of all units where they are of one kind.",
                      runs.front().view.chosen.empty() ? "evenly chosen by index and not by appearance"
                                                       : how_chosen(runs.front().view)),
          width_mm, height_mm, [=](Canvas& canvas) {
            draw_panel_letter(canvas, {1, 1}, "a");
            for (std::size_t i = 0; i < columns.size(); ++i)
              draw_column(canvas, columns[i], grid_of(i, columns.size(), scale_for(largest)));
            const Grid first = grid_of(0, columns.size(), scale_for(largest));
            const Box legend{first.box.left, first.box.bottom() + 1, width_mm - 2 * first.box.left, 8};
            if (largest) draw_grid_legend(canvas, first, sites, legend, channels);
            draw_panel_letter(canvas, {1, curves_top_mm - 4}, "b");
            const double curves_width = width_mm - curves_left_mm - end_labels_mm;
            draw_ipr_panel(canvas, {curves_left_mm, curves_top_mm, curves_width, curves_mm}, histories,
                           end_labels_mm);
          }};
}

}  // namespace sluice::figure
