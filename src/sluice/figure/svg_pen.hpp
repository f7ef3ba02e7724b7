/// A pen that writes SVG: text is text, that can be searched and edited, where cairo's own SVG has outlines.
#pragma once

#include <string>

#include "sluice/figure/cairo_pen.hpp"
#include "sluice/figure/pixels.hpp"

namespace sluice::figure {

class SvgPen : public Pen {
 public:
  SvgPen(double width_mm, double height_mm);

  void stroke(const std::vector<std::vector<Point>>& pieces, const Stroke& stroke) override;
  void fill(std::span<const Point> corners, const Color& color) override;
  void disc(Point center, double radius, const Color& color) override;
  void image(const Box& box, std::span<const Color> pixels, std::size_t across) override;
  void text(Point anchor, const Lettering& text, const Color& color, double across, double down,
            bool upward) override;
  void clip(const Box& box) override;
  void unclip() override;
  double width(const Lettering& text) override { return ruler_.width(text); }
  double capital_height(const Lettering& text) override { return ruler_.capital_height(text); }

  /// The whole file.
  std::string finish() &&;

 private:
  Surface paper_;  // nothing is drawn on it: text is measured
  Context context_;
  CairoPen ruler_;
  std::string svg_;
  int clips_ = 0;
};

}  // namespace sluice::figure
