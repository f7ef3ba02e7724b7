#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "sluice/figure/fields.hpp"
#include "sluice/figure/image_recipes.hpp"
#include "sluice/figure/plot.hpp"
#include "sluice/figure/select.hpp"
#include "sluice/figure/text.hpp"

namespace sluice::figure {
namespace of_gabor_images {
namespace {

constexpr std::size_t most_panels = 12, in_row = 4;
constexpr double margin_mm = 3, panel_mm = 40, tallest_mm = 60, gap_mm = 4, title_mm = 7.5, legend_mm = 8;
constexpr Point nowhere{std::numeric_limits<double>::quiet_NaN(), 0};

struct Panel {
  Tile tile;
  GaborEllipse fit;
  std::string title, numbers;
};

/// Points of the ellipse on the image; around a torus it goes on at the other side, off an image it is cut.
std::vector<Point> outline(const GaborEllipse& fit, const Box& image, double columns, double rows,
                           bool torus) {
  constexpr int points = 240;
  std::vector<Point> line;
  const double c = std::cos(fit.orientation), s = std::sin(fit.orientation);
  Point before = nowhere;
  for (int i = 0; i <= points; ++i) {
    const double angle = 2 * std::numbers::pi * i / points;
    const double u = fit.width_long * std::cos(angle), v = fit.width_short * std::sin(angle);
    double x = fit.x + c * u - s * v + 0.5, y = fit.y + s * u + c * v + 0.5;  // a pixel's middle is its site
    if (torus) {
      x -= columns * std::floor(x / columns);
      y -= rows * std::floor(y / rows);
    }
    const bool inside = x >= 0 && x <= columns && y >= 0 && y <= rows;
    if (!inside || std::abs(x - before.x) > columns / 2 || std::abs(y - before.y) > rows / 2)
      line.push_back(nowhere);
    before = {x, y};
    if (inside) line.push_back({image.left + x / columns * image.width, image.top + y / rows * image.height});
  }
  return line;
}

}  // namespace
}  // namespace of_gabor_images

Figure gabor_images(const RunView& run, const std::vector<GaborEllipse>& fits, bool torus) {
  using namespace of_gabor_images;
  require_consistent(run);
  const std::vector<std::size_t> units = ordered_by_position(run, some_units(run, most_panels));
  const std::vector<Tile> tiles = final_tiles(run, units);
  std::vector<Panel> panels;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const GaborEllipse& fit = fits[units[i]];
    panels.push_back({tiles[i], fit, fmt::format("unit {}, residual {}", units[i], fixed(fit.residual, 2)),
                      fmt::format("σ {} × {}, |f| {}", fixed(fit.width_long, 1), fixed(fit.width_short, 1),
                                  fixed(fit.frequency, 2))});
  }
  const double rows_of_sites = static_cast<double>(run.rows()), columns = static_cast<double>(run.columns);
  const double image_mm = std::min(panel_mm * rows_of_sites / columns, tallest_mm);
  const std::size_t lines = std::max<std::size_t>(1, (panels.size() + in_row - 1) / in_row);
  const double width = 2 * margin_mm + in_row * (panel_mm + gap_mm) - gap_mm;
  const double height = static_cast<double>(lines) * (title_mm + image_mm + gap_mm) + legend_mm;
  const std::optional<double> largest = largest_weight(tiles);
  return {
      "gabor_fits",
      fmt::format("Final weights of {} units of {}, {}, ordered by position, and the envelope of "
                  "the Gabor function "
                  "nearest to each: the ellipse on which it has fallen to e^(−½), with half-axes σ in sites. "
                  "|f| in periods per "
                  "site, residual √(Σ(w − g)²/Σw²).",
                  panels.size(), run.title, how_chosen(run)),
      width, height, [=](Canvas& canvas) {
        if (!largest) return say_no_finite_data(canvas, {0, 0, width, height});
        for (std::size_t i = 0; i < panels.size(); ++i) {
          const std::size_t line = i / in_row, column = i % in_row;
          const double left = margin_mm + static_cast<double>(column) * (panel_mm + gap_mm);
          const double top = static_cast<double>(line) * (title_mm + image_mm + gap_mm);
          canvas.fitted_text({left, top + 3.2}, panels[i].title, {.size_pt = 6.5}, panel_mm);
          canvas.fitted_text({left, top + 6.2}, panels[i].numbers, {.size_pt = 6, .color = grey}, panel_mm);
          const Box image = draw_image(canvas, {left, top + title_mm, panel_mm, image_mm},
                                       panels[i].tile.weights, panels[i].tile.columns, scale_for(largest));
          draw_frame(canvas, image);
          if (std::isfinite(panels[i].fit.residual))
            canvas.line(outline(panels[i].fit, image, columns, rows_of_sites, torus), {ink, 0.9});
        }
        draw_image_colors(canvas, {margin_mm, height - legend_mm / 2 - 1}, scale_for(largest));
      }};
}

}  // namespace sluice::figure
