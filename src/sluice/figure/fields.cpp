#include "sluice/figure/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sluice/figure/plot.hpp"
#include "sluice/figure/text.hpp"
#include "sluice/figure/ticks.hpp"

namespace sluice::figure {
namespace {

constexpr double number_mm = 1.9;  // the strip above a field that its number needs

bool is_a_number(float value) { return std::isfinite(value); }

double site_width(const Box& box, std::size_t sites) {
  return box.width / std::max(1.0, static_cast<double>(sites) - 1);
}

// The outline of the field and, for the filled area, its way back along the zero line. A missing weight
// breaks the outline, and the area drops to zero there.
void draw_tile(Canvas& canvas, const Box& box, const Tile& tile, double scale, const Color& color) {
  if (std::ranges::none_of(tile.weights, is_a_number)) return say_no_finite_data(canvas, box);
  if (tile.columns > 0) {
    draw_framed(canvas, box, tile, scale);
    return;
  }
  const double zero = box.center().y;
  canvas.line(std::array{Point{box.left, zero}, Point{box.right(), zero}}, {hairline, 0.4});

  const double dx = site_width(box, tile.weights.size());
  std::vector<Point> outline, area{{box.left, zero}};
  double x = box.left;
  for (const float w : tile.weights) {
    outline.push_back({x, zero - w / scale * box.height / 2});
    area.push_back({x, is_a_number(w) ? outline.back().y : zero});
    x += dx;
  }
  area.push_back({area.back().x, zero});
  canvas.polygon(area, color.faded(0.16));
  canvas.line(outline, {color, 0.75});
}

}  // namespace

Box draw_image(Canvas& canvas, const Box& box, std::span<const float> field, std::size_t columns,
               double scale, std::size_t channels) {
  const std::size_t plane = field.size() / channels, rows = plane / columns;
  std::vector<Color> pixels;
  for (std::size_t i = 0; i < plane; ++i)
    pixels.push_back(
        channels == 3 ? signed_rgb(field[i] / scale, field[plane + i] / scale, field[2 * plane + i] / scale)
                      : diverging(field[i] / scale));
  const auto across = static_cast<double>(columns), down = static_cast<double>(rows);
  const double site = std::min(box.width / across, box.height / down);
  const double width = site * across, height = site * down;
  const Box place{box.center().x - width / 2, box.center().y - height / 2, width, height};
  canvas.image(place, pixels, columns);
  return place;
}

Box draw_image(Canvas& canvas, const Box& box, const Tile& tile, double scale) {
  return draw_image(canvas, box, tile.weights, tile.columns, scale, tile.channels);
}

void draw_framed(Canvas& canvas, const Box& box, const Tile& tile, double scale) {
  const Box image = draw_image(canvas, box, tile, scale);
  if (tile.channels == 1) draw_frame(canvas, image);  // in colour 0 is grey
}

void draw_frame(Canvas& canvas, const Box& image) {
  const Point first{image.left, image.top};
  canvas.line(std::array{first, Point{image.right(), image.top}, Point{image.right(), image.bottom()},
                         Point{image.left, image.bottom()}, first},
              {hairline, 0.4});
}

void draw_image_colors(Canvas& canvas, Point middle_left, double scale, std::size_t channels) {
  constexpr double bar_mm = 20;
  constexpr std::size_t in_bar = 21;
  std::vector<Color> pixels;
  for (std::size_t c = 0; c < channels; ++c)
    for (int i = -10; i <= 10; ++i) {
      const double w = i / 10.0;
      pixels.push_back(channels == 3 ? signed_rgb(c == 0 ? w : 0, c == 1 ? w : 0, c == 2 ? w : 0)
                                     : diverging(w));
    }
  const double height_mm = channels == 3 ? 3 : 2;
  canvas.image({middle_left.x, middle_left.y - height_mm / 2, bar_mm, height_mm}, pixels, in_bar);
  canvas.text({middle_left.x + bar_mm + 1.2, middle_left.y},
              fmt::format("w = ±{:.2g}{}", scale, channels == 3 ? " of each colour" : ""),
              {.size_pt = 6.5, .up = 0.5});
}

std::vector<Tile> final_tiles(const RunView& view, std::span<const std::size_t> units) {
  std::vector<Tile> tiles;
  for (const std::size_t k : units) {
    const std::span<const float> field = view.field(view.times() - 1, k);
    tiles.push_back({{field.begin(), field.end()},
                     view.final_ipr(k),
                     static_cast<std::size_t>(view.columns),
                     static_cast<std::size_t>(view.channels)});
  }
  return tiles;
}

std::optional<double> largest_weight(std::span<const Tile> tiles) {
  Interval range;
  for (const Tile& tile : tiles)
    for (const float w : tile.weights) range.include(std::abs(w));
  return range.empty() ? std::nullopt : std::optional(range.high);
}

double scale_for(std::optional<double> largest) { return largest.value_or(0) > 0 ? *largest : 1; }

Box Grid::cell(std::size_t index) const {
  const double across = (box.width + gap_mm) / static_cast<double>(columns);
  const double down = (box.height + gap_mm) / static_cast<double>(rows);
  const std::size_t row = index / columns, column = index % columns;
  return {box.left + static_cast<double>(column) * across, box.top + static_cast<double>(row) * down,
          across - gap_mm, down - gap_mm};
}

Box Grid::plot_area(std::size_t index) const {
  Box area = cell(index);
  area.top += number_mm;
  area.height -= number_mm;
  return area;
}

void draw_grid(Canvas& canvas, const Grid& grid, std::span<const Tile> tiles, const Color& color) {
  if (!largest_weight(tiles)) return say_no_finite_data(canvas, grid.box);
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    const Box cell = grid.cell(i);
    draw_tile(canvas, grid.plot_area(i), tiles[i], grid.scale, color);
    if (is_a_number(tiles[i].ipr))
      canvas.text({cell.right(), cell.top}, fixed(tiles[i].ipr, 2),
                  {.size_pt = 5, .color = grey, .across = 1, .up = 1});
  }
}

void draw_grid_legend(Canvas& canvas, const Grid& grid, std::size_t sites, const Box& row,
                      std::size_t image_channels) {
  canvas.text({row.right(), row.center().y}, "above each field: its IPR",
              {.size_pt = 6.5, .color = grey, .across = 1, .up = 0.5});
  if (image_channels > 0)
    return draw_image_colors(canvas, {row.left, row.center().y}, grid.scale, image_channels);
  const Box area = grid.plot_area(0);
  const TextStyle style{.size_pt = 6.5, .up = 0.5};
  const Stroke bar{ink, 0.9};
  const double middle = row.center().y;
  const double weight = nice_step(grid.scale, 3), half_height = weight / grid.scale * area.height / 4;
  canvas.line(std::array{Point{row.left, middle - half_height}, Point{row.left, middle + half_height}}, bar);
  const TickLabels labels = tick_labels({0, weight});
  const std::string meaning = fmt::format("w = {}{}", labels.text[1], labels.factor);
  canvas.text({row.left + 1.2, middle}, meaning, style);

  if (sites >= 10) {  // fewer can be counted
    const double count = nice_step(static_cast<double>(sites), 5);
    const double left = row.left + 1.2 + canvas.text_width(meaning, style) + 5;
    const double right = left + count * site_width(area, sites);
    canvas.line(std::array{Point{left, middle}, Point{right, middle}}, bar);
    canvas.text({right + 1.2, middle}, fmt::format("{:.0f} sites", count), style);
  }
}

}  // namespace sluice::figure
