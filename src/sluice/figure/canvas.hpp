/// Where figures are drawn: lines, areas, images and text in millimetres, over cairo.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "sluice/figure/color.hpp"

// cairo's drawing context under its own name; only canvas.cpp and figure.cpp know more about it.
struct _cairo;  // NOLINT(bugprone-reserved-identifier)

namespace sluice::figure {

/// Places are in millimetres from the top left corner of the figure; line widths and font sizes in points, as
/// journals state them.
struct Point {
  double x = 0, y = 0;
};

struct Box {
  double left = 0, top = 0, width = 0, height = 0;

  double right() const { return left + width; }
  double bottom() const { return top + height; }
  Point center() const { return {left + width / 2, top + height / 2}; }
};

struct Stroke {
  Color color = ink;
  double width_pt = 0.75;
  bool dashed = false;
};

struct TextStyle {
  double size_pt = 7;
  Color color = ink;
  double across =
      0;  ///< which part of the text sits on the anchor: 0 its left end, ½ its middle, 1 its right end
  double up = 0;  ///< 0 the baseline, ½ half the height of a capital, 1 the top of a capital
  bool bold = false;
  bool upward = false;  ///< turned by 90°, reading from bottom to top
};

/// The one small interface over the drawing engine: lines, areas and text, and nothing that knows about data.
class Canvas {
 public:
  explicit Canvas(_cairo* context) : context_(context) {}  ///< borrowed; its unit must be the millimetre

  /// Points that are not finite break the line; a lone point between two breaks shows as a dot.
  void line(std::span<const Point> points, const Stroke& stroke);
  void polygon(std::span<const Point> corners, const Color& fill);
  void box(const Box& box, const Color& fill);
  /// Square pixels, row by row from the top left, `across` in a row, filling the box without smoothing.
  void image(const Box& box, std::span<const Color> pixels, std::size_t across);
  void disc(Point center, double radius, const Color& fill);

  void text(Point anchor, std::string_view text, const TextStyle& style);
  /// As text(), made to fit `width` mm: set smaller down to 5 pt, then cut with an ellipsis.
  void fitted_text(Point anchor, std::string_view text, TextStyle style, double width);
  double text_width(std::string_view text, const TextStyle& style);

 private:
  _cairo* context_;
};

}  // namespace sluice::figure
