/// The frame of a plot: axes, ticks, labels, and curves and bands within.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sluice/figure/axis.hpp"
#include "sluice/figure/canvas.hpp"

namespace sluice::figure {

inline constexpr double x_label_mm = 10.5, y_label_mm = 5.5;  ///< room per tick label, for intervals_in()

/// Training steps along the bottom of a box of this width.
Axis step_axis(const Interval& steps, double width_mm);

/// Two axes around a box, and curves inside it. Spines left and bottom only.
class Plot {
 public:
  /// Axes as they are: those of maps, whose pixels they count.
  Plot(const Box& box, Axis x, Axis y);
  /// Axes within the limits of the canvas's style, where it has some.
  Plot(Canvas& canvas, const Box& box, const Axis& x, const Axis& y);

  /// Not a number where the limits of a style leave it out.
  Point at(double x, double y) const;
  const Box& box() const { return box_; }

  enum class Labels { both, only_x, only_y, neither };  ///< for plots that share axes with a neighbour
  void draw_axes(Canvas& canvas, Labels labels = Labels::both) const;
  /// Values that are not finite leave a gap. A curve of one point is drawn as a disc.
  void curve(Canvas& canvas, std::span<const double> x, std::span<const double> y,
             const Stroke& stroke) const;
  /// The area between two curves.
  void band(Canvas& canvas, std::span<const double> x, std::span<const double> low,
            std::span<const double> high, const Color& fill) const;
  /// A dashed line across the box at height y.
  void reference(Canvas& canvas, double y) const;

 private:
  Point place(double x, double y) const;

  Box box_;
  Axis x_, y_;
  bool limited_ = false;
};

/// Labels to the right of a plot, each as near to the end of its line as its neighbours allow.
struct EndLabel {
  double y_mm;
  std::string text;
  Color color;
};
void draw_end_labels(Canvas& canvas, const Box& beside, std::vector<EndLabel> labels);

/// The bold letter by which a caption names a panel.
void draw_panel_letter(Canvas& canvas, Point top_left, std::string_view letter);

/// What stands in place of a curve when there is nothing to draw.
void say_no_finite_data(Canvas& canvas, const Box& box);

}  // namespace sluice::figure
