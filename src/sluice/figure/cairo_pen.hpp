/// A pen over cairo: PDF and PNG.
#pragma once

#include "sluice/figure/pen.hpp"

// cairo's drawing context under its own name; only the files of the pens know more about it.
struct _cairo;  // NOLINT(bugprone-reserved-identifier)

namespace sluice::figure {

class CairoPen : public Pen {
 public:
  explicit CairoPen(_cairo* context) : context_(context) {}  ///< borrowed; its unit must be the millimetre

  void stroke(const std::vector<std::vector<Point>>& pieces, const Stroke& stroke) override;
  void fill(std::span<const Point> corners, const Color& color) override;
  void disc(Point center, double radius, const Color& color) override;
  void image(const Box& box, std::span<const Color> pixels, std::size_t across) override;
  void text(Point anchor, const Lettering& text, const Color& color, double across, double down,
            bool upward) override;
  void clip(const Box& box) override;
  void unclip() override;
  double width(const Lettering& text) override;
  double capital_height(const Lettering& text) override;

 private:
  _cairo* context_;
};

}  // namespace sluice::figure
