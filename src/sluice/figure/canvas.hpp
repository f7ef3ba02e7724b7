/// Where figures are drawn: lines, areas, images and text in millimetres.
#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "sluice/figure/color.hpp"
#include "sluice/figure/style.hpp"

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

class Pen;
struct Lettering;

/// What a figure had of what a style can change; the axes of its plots by their titles.
struct Styled {
  std::set<std::string> x_axes = {}, y_axes = {};
  bool palette = false;
};

/// The one small interface over the drawing engine: lines, areas and text, and nothing that knows about data. A recipe draws at its own
/// size; the canvas brings places to that of the style.
class Canvas {
 public:
  /// `across`, `down`: the size of the finished figure over the recipe's own. The pen is borrowed.
  Canvas(Pen& pen, const Style& style, double across, double down);

  const Style& style() const { return style_; }
  /// Room there is for labels, as a share of what the recipe expects.
  double room_across() const { return across_ / type_; }
  double room_down() const { return down_ / type_; }
  Styled& styled() { return styled_; }

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

  /// Nothing is drawn outside of the box while it lives.
  class Clip {
   public:
    Clip(Canvas& canvas, const Box& box);
    ~Clip();
    Clip(const Clip&) = delete;
    Clip& operator=(const Clip&) = delete;

   private:
    Pen& pen_;
  };

 private:
  Point placed(Point p) const { return {p.x * across_, p.y * down_}; }
  Box placed(const Box& box) const {
    return {box.left * across_, box.top * down_, box.width * across_, box.height * down_};
  }
  Color paint(const Color& color);
  Lettering lettering(std::string_view text, const TextStyle& style) const;
  double capital_height(const Lettering& text);

  Pen& pen_;
  const Style& style_;
  double across_, down_;
  double type_;  // sizes of type over the recipe's
  Styled styled_ = {};
};

}  // namespace sluice::figure
