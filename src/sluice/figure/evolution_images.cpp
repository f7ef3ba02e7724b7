#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "sluice/figure/fields.hpp"
#include "sluice/figure/image_recipes.hpp"
#include "sluice/figure/plot.hpp"
#include "sluice/figure/select.hpp"
#include "sluice/figure/text.hpp"

namespace sluice::figure {
namespace of_evolution_images {
namespace {

constexpr std::size_t most_units = 4, most_times = 8;
constexpr double left_mm = 19, right_mm = 3, top_mm = 7, gap_mm = 1.2, cell_mm = 18.5, tallest_mm = 37,
                 legend_mm = 8;

struct Row {
  std::string unit, ipr;
  std::vector<Tile> tiles;  // one for each chosen time
};

}  // namespace
}  // namespace of_evolution_images

Figure evolution_of_images(const RunView& run) {
  using namespace of_evolution_images;
  const std::vector<std::size_t> units = most_localized(run, most_units);
  const std::vector<std::size_t> times = times_of_equal_progress(run, units, most_times);
  const auto channels = static_cast<std::size_t>(run.channels);
  std::vector<Row> rows;
  std::optional<double> largest;
  for (const std::size_t k : units) {
    Row row{fmt::format("unit {}", k), "", {}};
    if (std::isfinite(run.final_ipr(k))) row.ipr = fmt::format("IPR {}", fixed(run.final_ipr(k), 3));
    for (const std::size_t t : times) {
      const auto field = run.field(t, k);
      row.tiles.push_back({{field.begin(), field.end()}, 0, static_cast<std::size_t>(run.columns), channels});
    }
    largest = std::max(largest, largest_weight(row.tiles));
    rows.push_back(std::move(row));
  }
  std::vector<std::string> steps;
  for (const std::size_t t : times) steps.push_back(grouped(run.step[t]));
  const double tall = static_cast<double>(run.rows()) / static_cast<double>(run.columns);
  const double height_mm = std::min(tall * cell_mm, tallest_mm);
  const double width = left_mm +
                       static_cast<double>(std::max<std::size_t>(times.size(), 3)) * (cell_mm + gap_mm) -
                       gap_mm + right_mm;
  const double bottom =
      top_mm + static_cast<double>(std::max<std::size_t>(rows.size(), 1)) * (height_mm + gap_mm);
  return {
      "evolution",
      fmt::format(
          "Weights of {} of {} (units counted from 0) during "
          "training, a row each, all on one scale. The times shown are those at which the distance to the "
          "final "
          "weights has fallen by equal parts.",
          most_localized_in_words(run, rows.size()), run.title),
      width, bottom + legend_mm, [=](Canvas& canvas) {
        if (!largest) return say_no_finite_data(canvas, {0, 0, width, bottom});
        const double scale = scale_for(largest);
        canvas.text({left_mm - 2, top_mm - 2}, "step", {.across = 1});
        for (std::size_t t = 0; t < steps.size(); ++t)
          canvas.fitted_text(
              {left_mm + (static_cast<double>(t) + 0.5) * (cell_mm + gap_mm) - gap_mm / 2, top_mm - 2},
              steps[t], {.across = 0.5}, cell_mm);
        for (std::size_t i = 0; i < rows.size(); ++i) {
          const double top = top_mm + static_cast<double>(i) * (height_mm + gap_mm),
                       middle = top + height_mm / 2;
          canvas.text({left_mm - 2, middle - 0.8}, rows[i].unit, {.across = 1});
          canvas.text({left_mm - 2, middle + 2.6}, rows[i].ipr, {.size_pt = 6, .color = grey, .across = 1});
          for (std::size_t t = 0; t < rows[i].tiles.size(); ++t)
            draw_framed(canvas,
                        {left_mm + static_cast<double>(t) * (cell_mm + gap_mm), top, cell_mm, height_mm},
                        rows[i].tiles[t], scale);
        }
        draw_image_colors(canvas, {left_mm, bottom + legend_mm / 2 - 0.5}, scale, channels);
      }};
}

}  // namespace sluice::figure
