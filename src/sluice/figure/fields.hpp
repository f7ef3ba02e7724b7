/// Receptive fields as small multiples: one tile per unit, all of a grid on one scale.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sluice/figure/canvas.hpp"
#include "sluice/figure/run_view.hpp"

namespace sluice::figure {

/// One receptive field of a grid of small multiples, with the number that is written above it.
struct Tile {
  std::vector<float> weights;
  float ipr;
  std::size_t columns = 0;   ///< sites in a row of a field that is drawn as an image; 0: drawn as a line
  std::size_t channels = 1;  ///< of an image: 1, or 3 of red, green and blue
};

/// A field of `columns` sites in a row as an image, as large as fits into the middle of the box. Returns where it is.
Box draw_image(Canvas& canvas, const Box& box, std::span<const float> field, std::size_t columns,
               double scale, std::size_t channels = 1);
/// The same of a tile, which must be one.
Box draw_image(Canvas& canvas, const Box& box, const Tile& tile, double scale);
/// A hairline around an image, whose border may be as white as paper.
void draw_frame(Canvas& canvas, const Box& image);
/// A tile within such a line, where 0 is as white as paper.
void draw_framed(Canvas& canvas, const Box& box, const Tile& tile, double scale);
/// The colours of images on this scale, to the right of a place.
void draw_image_colors(Canvas& canvas, Point middle_left, double scale, std::size_t channels = 1);

/// The final receptive fields of these units, in this order.
std::vector<Tile> final_tiles(const RunView& view, std::span<const std::size_t> units);

/// Largest finite |w| in the tiles; nothing when none is finite.
std::optional<double> largest_weight(std::span<const Tile> tiles);

/// The scale for weights this large: theirs, or 1 when they are all zero or missing.
double scale_for(std::optional<double> largest);

/// A grid in which every tile shows −scale … scale, row by row from the top left.
struct Grid {
  Box box = {};
  std::size_t columns = 1, rows = 1;
  double gap_mm = 1.2;
  double scale = 1;  ///< |w| at the upper and lower edge of a plot area; positive

  Box cell(std::size_t index) const;       ///< what belongs to one tile, its number included
  Box plot_area(std::size_t index) const;  ///< where its weights are drawn
};
/// Says "no finite data" once when no tile has any.
void draw_grid(Canvas& canvas, const Grid& grid, std::span<const Tile> tiles, const Color& color);

/// How to read the grid, in one row: an upright bar of a round weight and a level bar of a round number of
/// sites at the scale of the grid (for images of so many channels: their colours), and what the numbers are. `sites` = 0: no level
/// bar, for grids that differ in their sites.
void draw_grid_legend(Canvas& canvas, const Grid& grid, std::size_t sites, const Box& row,
                      std::size_t image_channels = 0);

}  // namespace sluice::figure
