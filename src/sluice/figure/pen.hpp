/// What draws: the few shapes a canvas knows, in millimetres of the finished figure. One over cairo for PDF and PNG, one that writes SVG,
/// where text stays text.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sluice/figure/canvas.hpp"

namespace sluice::figure {

inline constexpr double mm_per_pt = 25.4 / 72;

/// Text as it is set, all choices made.
struct Lettering {
  std::string line;
  std::string family;
  double size_pt = 7;
  bool bold = false;
};

class Pen {
 public:
  Pen() = default;
  Pen(const Pen&) = delete;
  Pen& operator=(const Pen&) = delete;
  virtual ~Pen() = default;

  /// Pieces of a line; one of a single point is a dot.
  virtual void stroke(const std::vector<std::vector<Point>>& pieces, const Stroke& stroke) = 0;
  virtual void fill(std::span<const Point> corners, const Color& color) = 0;
  virtual void disc(Point center, double radius, const Color& color) = 0;
  virtual void image(const Box& box, std::span<const Color> pixels, std::size_t across) = 0;
  /// The part `across` of the text sits on the anchor, its baseline `down` mm below it; `upward`: all of that turned by 90°.
  virtual void text(Point anchor, const Lettering& text, const Color& color, double across, double down,
                    bool upward) = 0;
  /// Nothing is drawn outside of the box until unclip().
  virtual void clip(const Box& box) = 0;
  virtual void unclip() = 0;

  virtual double width(const Lettering& text) = 0;
  /// Of the letter H, in mm.
  virtual double capital_height(const Lettering& text) = 0;
};

}  // namespace sluice::figure
