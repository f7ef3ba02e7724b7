#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "sluice/figure/plot.hpp"
#include "sluice/figure/table_view.hpp"

namespace sluice::figure {
namespace of_table_lines {
namespace {

constexpr double left_mm = 17, right_mm = 4, top_mm = 8, subtitle_mm = 4, bottom_mm = 11;
constexpr double infinity_gap_mm = 4, infinity_mm = 5;  // what the place of x = inf takes
constexpr double label_gap_mm = 1.5, most_label_mm = 45;
constexpr std::size_t palette = 7;     // colours before category() repeats
constexpr std::size_t most_bars = 40;  // of more places the standard errors are a band

Stroke stroke_of(std::size_t curve) { return {category(curve), 1.0, curve >= palette}; }

Interval range_of(const LinesView& view) {
  Interval range;
  for (const TableCurve& curve : view.curves) {
    for (const auto* values : {&curve.y, &curve.ideal})
      for (const double value : *values) range.include(value);
    if (view.power_law) continue;  // bars are short there, and may not reach below zero
    for (std::size_t i = 0; i < curve.error.size(); ++i) {
      range.include(curve.y[i] - curve.error[i]);
      range.include(curve.y[i] + curve.error[i]);
    }
  }
  return range;
}

/// The curve that is lowest at row i.
std::size_t lowest(const LinesView& view, std::size_t i) {
  std::size_t best = 0;
  for (std::size_t k = 1; k < view.curves.size(); ++k)
    if (view.curves[k].ranked && !(view.curves[k].y[i] >= view.curves[best].y[i]) &&
        std::isfinite(view.curves[k].y[i]))
      best = k;
  return best;
}

std::string place(double x) { return std::isinf(x) ? "∞" : fmt::format("{:.3g}", x); }

/// "Lowest (grey): flat at 0.01 to 0.3, bump at 0.5 to ∞."
std::string lowest_in_words(const LinesView& view) {
  std::string text = "Lowest (grey):";
  for (std::size_t first = 0, last = 0; first < view.x.size(); first = last + 1) {
    last = first;
    while (last + 1 < view.x.size() && lowest(view, last + 1) == lowest(view, first)) ++last;
    text += fmt::format("{} {} at {}", first == 0 ? "" : ",", view.curves[lowest(view, first)].name,
                        place(view.x[first]));
    if (last > first) text += fmt::format(" to {}", place(view.x[last]));
  }
  return text + ".";
}

/// What lies above the picture is not drawn.
LinesView cut(LinesView view) {
  for (TableCurve& curve : view.curves)
    for (double& value : curve.y)
      if (value > view.most) value = std::numeric_limits<double>::quiet_NaN();
  for (TableCurve& curve : view.curves)
    if (finite_range(curve.y).empty()) curve.name += ": above";
  return view;
}

Interval finite_x(const LinesView& view) { return finite_range(view.x); }

bool has_infinity(const LinesView& view) {
  return std::ranges::any_of(view.x, [](double x) { return std::isinf(x) && x > 0; });
}

Axis x_axis(const LinesView& view, double width) {
  const Interval range = finite_x(view);
  const int most = intervals_in(width, x_label_mm);
  const bool wide = range.low > 0 && range.high > 100 * range.low;
  return wide ? Axis::logarithmic(view.x_label, range, most).limited_to(range)
              : Axis::snug(view.x_label, range, most);
}

Axis y_axis(const LinesView& view, double height) {
  const int most = intervals_in(height, 9);
  return view.power_law ? Axis::logarithmic(view.y_label, range_of(view), most)
                        : Axis::rounded(view.y_label, range_of(view), most);
}

/// The room that the names of the curves take; none when there is but one.
double label_width(Canvas& canvas, const LinesView& view) {
  double widest = 0;
  if (view.curves.size() > 1)
    for (const TableCurve& curve : view.curves)
      widest = std::max(widest, canvas.text_width(curve.name, {.size_pt = 6.5}));
  return widest == 0 ? 0 : std::min(widest, most_label_mm) + label_gap_mm;
}

void draw_error(Canvas& canvas, Point low, Point high, const Color& color) {
  constexpr double visible_mm = 0.35;  // shorter ones hide behind the curve
  if (low.y - high.y > visible_mm) canvas.line(std::array{low, high}, {color, 0.5});
}

class Drawing {
 public:
  Drawing(Canvas& canvas, const LinesView& view, double width, double height)
      : canvas_(canvas),
        view_(view),
        names_mm_(label_width(canvas, view)),
        plot_(canvas, box(width, height), x_axis(view, box(width, height).width),
              y_axis(view, box(width, height).height)),
        ends_(plot_.box().right() + (has_infinity(view) ? infinity_gap_mm + infinity_mm : 0)) {}

  void draw(double width) {
    canvas_.fitted_text({left_mm, 2}, view_.title, {.size_pt = 8, .up = 1, .bold = true},
                        width - left_mm - right_mm);
    if (view_.mark_lowest) {
      canvas_.fitted_text({left_mm, 6}, lowest_in_words(view_), {.size_pt = 6.5, .color = grey, .up = 1},
                          width - left_mm - right_mm);
      underlay_lowest();
    }
    plot_.draw_axes(canvas_);
    if (has_infinity(view_)) draw_infinity_axis();
    if (range_of(view_).empty()) say_no_finite_data(canvas_, plot_.box());
    std::vector<EndLabel> labels;
    for (std::size_t k = 0; k < view_.curves.size(); ++k) labels.push_back(draw_curve(k));
    if (view_.curves.size() > 1)
      draw_end_labels(canvas_, {ends_ + label_gap_mm, plot_.box().top, names_mm_, plot_.box().height},
                      labels);
  }

 private:
  Box box(double width, double height) const {
    const double apart = has_infinity(view_) ? infinity_gap_mm + infinity_mm : 0;
    const double top = top_mm + (view_.mark_lowest ? subtitle_mm : 0);
    return {left_mm, top, width - left_mm - right_mm - names_mm_ - apart, height - top - bottom_mm};
  }

  void underlay_lowest() {
    std::vector<double> x, y;
    for (std::size_t i = 0; i < view_.x.size(); ++i) {
      const double value = view_.curves[lowest(view_, i)].y[i];
      if (std::isfinite(view_.x[i])) {
        x.push_back(view_.x[i]);
        y.push_back(value);
      } else {
        canvas_.disc({infinity_x(), plot_.at(finite_x(view_).low, value).y}, 1.6, hairline);
      }
    }
    plot_.curve(canvas_, x, y, {hairline, 6});
  }

  double infinity_x() const { return plot_.box().right() + infinity_gap_mm + infinity_mm / 2; }

  void draw_infinity_axis() {
    const Box& box = plot_.box();
    const double left = box.right() + infinity_gap_mm, x = infinity_x();
    canvas_.line(std::array{Point{left, box.bottom()}, Point{left + infinity_mm, box.bottom()}}, {ink, 0.5});
    canvas_.line(std::array{Point{x, box.bottom()}, Point{x, box.bottom() + 0.9}}, {ink, 0.5});
    canvas_.text({x, box.bottom() + 1.7}, "∞", {.size_pt = 6.5, .across = 0.5, .up = 1});
  }

  EndLabel draw_curve(std::size_t k) {
    const TableCurve& curve = view_.curves[k];
    const Stroke stroke = stroke_of(k);
    std::vector<double> x, y, ideal;
    double end = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t i = 0; i < view_.x.size(); ++i) {
      const bool apart = std::isinf(view_.x[i]);
      Point at = plot_.at(apart ? finite_x(view_).low : view_.x[i], curve.y[i]);
      if (apart) at.x = infinity_x();
      if (!std::isfinite(at.y)) continue;
      end = at.y;
      if (apart) canvas_.disc(at, 0.7, stroke.color);
      if (!curve.error.empty() && view_.x.size() <= most_bars) {
        const double half = at.y - plot_.at(finite_x(view_).low, curve.y[i] + curve.error[i]).y;
        draw_error(canvas_, {at.x, at.y + half}, {at.x, at.y - half}, stroke.color);
      }
    }
    for (std::size_t i = 0; i < view_.x.size(); ++i) {
      if (!std::isfinite(view_.x[i])) continue;
      x.push_back(view_.x[i]);
      y.push_back(curve.y[i]);
      if (!curve.ideal.empty()) ideal.push_back(curve.ideal[i]);
    }
    if (!curve.error.empty() && view_.x.size() > most_bars) draw_band(curve, stroke.color);
    if (!ideal.empty()) plot_.curve(canvas_, x, ideal, {stroke.color, 0.6, true});
    plot_.curve(canvas_, x, y, stroke);
    return {std::isfinite(end) ? end : plot_.box().top, curve.name, stroke.color};
  }

  void draw_band(const TableCurve& curve, const Color& color) {
    std::vector<double> x, low, high;
    for (std::size_t i = 0; i < view_.x.size(); ++i) {
      if (!std::isfinite(view_.x[i]) || !std::isfinite(curve.y[i])) continue;
      x.push_back(view_.x[i]);
      low.push_back(curve.y[i] - curve.error[i]);
      high.push_back(curve.y[i] + curve.error[i]);
    }
    plot_.band(canvas_, x, low, high, color.faded(0.22));
  }

  Canvas& canvas_;
  const LinesView& view_;
  double names_mm_;
  Plot plot_;
  double ends_;  // where the names of the curves begin
};

std::string caption_of(const LinesView& view) {
  std::string caption = fmt::format("{}.", view.title);
  if (std::ranges::any_of(view.curves, [](const TableCurve& curve) { return !curve.error.empty(); }))
    caption += view.x.size() > most_bars ? " Bands, one standard error."
                                         : " Bars, one standard error, where longer than a line is wide.";
  if (std::ranges::any_of(view.curves, [](const TableCurve& curve) { return !curve.ideal.empty(); }))
    caption += " Dashed, as expected in theory.";
  if (view.mark_lowest) caption += fmt::format(" {}", lowest_in_words(view));
  if (has_infinity(view)) caption += fmt::format(" Discs on the right, {} = ∞.", view.x_label);
  return caption;
}

}  // namespace
}  // namespace of_table_lines

Figure table_lines(const LinesView& view) {
  using namespace of_table_lines;
  for (const TableCurve& curve : view.curves)
    if (curve.y.size() != view.x.size() || (!curve.error.empty() && curve.error.size() != view.x.size()) ||
        (!curve.ideal.empty() && curve.ideal.size() != view.x.size()))
      throw std::invalid_argument(fmt::format("{}: expected {} numbers", curve.name, view.x.size()));
  const bool many = view.curves.size() > 2;
  const double width = many ? 180 : 110, height = many ? 96 : 66;
  return {view.name, caption_of(view), width, height, [view = cut(view), width, height](Canvas& canvas) {
            Drawing(canvas, view, width, height).draw(width);
          }};
}

}  // namespace sluice::figure
