/// A figure: a name, a caption, a size and a function that draws it; rendered as SVG, PDF or PNG.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "sluice/figure/style.hpp"

namespace sluice::figure {

class Canvas;

enum class Format { svg, pdf, png };

/// Of a file that ends like this: ".svg", ".pdf", ".png"; nothing for any other ending.
std::optional<Format> format_of(std::string_view ending);

/// A picture that has not been drawn yet: the same draw function serves every format, so the SVG of the web
/// page, the PDF of the paper and the PNG of the README cannot differ.
struct Figure {
  std::string name;     ///< file stem, "receptive_fields"
  std::string caption;  ///< one or two sentences a journal reader would want
  double width_mm = 0, height_mm = 0;
  std::function<void(Canvas&)> draw = {};
};

/// The bytes of the file; never touches the disk. The same figure gives the same bytes. Text of an SVG is text.
/// Throws std::invalid_argument for a size that is not positive, std::runtime_error when cairo fails, InputError that names the figure
/// where it cannot be what the style asks for: a size it was not made for, limits where there is no axis or several, a font that is not
/// installed, colours where it has none of a palette.
std::string render(const Figure& figure, Format format, double png_dpi = 200, const Style& style = {});

}  // namespace sluice::figure
