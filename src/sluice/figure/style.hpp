/// How a figure looks where it is not to look as its recipe has it: size, type, colours, limits of its axes.
#pragma once

#include <optional>
#include <string>

#include "sluice/figure/color.hpp"
#include "sluice/figure/ticks.hpp"

namespace sluice::figure {

/// Places stretch with the figure; type and lines keep their points, but for type in a figure that is made smaller, which shrinks with it
/// as far as can be read.
struct Style {
  double width_mm = 0,
         height_mm = 0;  ///< 0: the figure's own; where one is given, the other keeps the proportions
  std::string font = "DejaVu Sans";        ///< a family; its glyphs for Greek and mathematics are needed
  double font_pt = 7;                      ///< of labels; other type in proportion
  std::optional<Interval> x = {}, y = {};  ///< what the axes show; none: all of the data
  Palette palette = Palette::okabe_ito;
};

/// Is a font family of this name installed?
bool has_font(const std::string& family);

}  // namespace sluice::figure
