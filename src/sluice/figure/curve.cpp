#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "sluice/figure/plot.hpp"
#include "sluice/figure/sweep_view.hpp"

namespace sluice::figure {
namespace of_curve {
namespace {

constexpr double width_mm = 110, height_mm = 66, left_mm = 17, right_mm = 4, top_mm = 4, bottom_mm = 11;
constexpr double label_gap_mm = 1.5, most_label_mm = 40;
constexpr double infinity_gap_mm = 3, infinity_mm = 7;  // what the place of x = inf takes
constexpr double cap_mm = 0.7, dot_mm = 0.5, single_mm = 0.4;
constexpr double label_row_mm = 3.4;  // what the name of a boundary takes above the plot
constexpr double beside_mm = 0.9;     // lines step aside, so that their bars do not cover each other

bool is_finite_place(const CurveView& view, std::size_t place) {
  return view.categories || std::isfinite(view.places[place].value);
}

bool has_infinity(const CurveView& view) {
  return !view.categories && std::ranges::any_of(view.places, [](const CurveView::Place& place) {
    return std::isinf(place.value);
  });
}

double value_at(const CurveView& view, std::size_t place) {
  return view.categories ? static_cast<double>(place) : view.places[place].value;
}

/// Ticks at the values of the key where their names fit, else at round numbers.
Axis x_axis(const CurveView& view, Canvas& canvas, double width) {
  std::vector<double> values;
  std::vector<std::string> names;
  double needed = 0;
  for (std::size_t i = 0; i < view.places.size(); ++i) {
    if (!is_finite_place(view, i)) continue;
    values.push_back(value_at(view, i));
    names.push_back(view.places[i].name);
    needed = std::max(needed, canvas.text_width(names.back(), {.size_pt = 6.5}));
  }
  if (!view.measured) {
    Axis exact = Axis::through(view.x_label, values, names, view.log_x);
    double nearest = width;
    for (std::size_t i = 1; i < values.size(); ++i)
      nearest = std::min(nearest, (exact.position(values[i]) - exact.position(values[i - 1])) * width);
    const bool shows_all = std::ranges::all_of(view.boundaries, [&](const CurveView::Boundary& boundary) {
      return exact.range().low < boundary.at && boundary.at < exact.range().high;
    });
    if (view.categories || (nearest > needed + 1 && shows_all)) return exact;
  }
  for (const CurveView::Boundary& boundary : view.boundaries) values.push_back(boundary.at);
  const int most = intervals_in(width, x_label_mm);
  return view.log_x ? Axis::logarithmic(view.x_label, finite_range(values), most)
                    : Axis::rounded(view.x_label, finite_range(values), most);
}

Interval range_of(const CurveView& view) {
  Interval range;
  for (const CurveView::Line& line : view.lines) {
    for (const CurveView::Dot& dot : line.dots)
      for (const double value : {dot.low, dot.mean, dot.high})
        if (!view.log_y || value > 0) range.include(value);
    for (const CurveView::Dot& dot : line.singles)
      if (!view.log_y || dot.mean > 0) range.include(dot.mean);
  }
  return range;
}

constexpr double plot_height_mm = height_mm - top_mm - bottom_mm;

Axis y_axis(const CurveView& view) {
  const int most = intervals_in(plot_height_mm, 9);
  return view.log_y ? Axis::logarithmic(view.y_label, range_of(view), most)
                    : Axis::rounded(view.y_label, range_of(view), most);
}

double labels_mm(const CurveView& view) { return static_cast<double>(view.boundaries.size()) * label_row_mm; }

/// Is there a bar that lies behind its dot?
bool hides_bars(const CurveView& view) {
  const Axis axis = y_axis(view);
  const auto hidden = [&](const CurveView::Dot& dot) {
    const auto away = [&](double end) {
      return plot_height_mm * std::abs(axis.position(end) - axis.position(dot.mean));
    };
    return dot.high > dot.low && away(dot.low) < dot_mm && away(dot.high) < dot_mm;
  };
  return std::ranges::any_of(
      view.lines, [&](const CurveView::Line& line) { return std::ranges::any_of(line.dots, hidden); });
}

class Drawing {
 public:
  Drawing(Canvas& canvas, const CurveView& view)
      : canvas_(canvas),
        view_(view),
        names_mm_(names_width()),
        plot_(canvas, box(), x_axis(view, canvas, box().width), y_axis(view)) {}

  void draw() {
    if (range_of(view_).empty()) say_no_finite_data(canvas_, plot_.box());
    for (std::size_t k = 0; k < view_.boundaries.size(); ++k) draw_boundary(k);
    for (std::size_t k = 0; k < view_.lines.size(); ++k)
      for (const CurveView::Dot& dot : view_.lines[k].singles)
        canvas_.disc(at(dot.place, dot.mean, aside(k) + singles_aside_mm()), single_mm,
                     view_.lines[k].color.faded(0.4));
    std::vector<EndLabel> ends;
    for (std::size_t k = 0; k < view_.lines.size(); ++k) ends.push_back(draw_line(k));
    for (const CurveView::Crossing& crossing : view_.crossings) draw_crossing(crossing);
    plot_.draw_axes(canvas_);
    if (has_infinity(view_)) draw_infinity_axis();
    if (names_mm_ > 0) {
      const double begin = width_mm - right_mm - names_mm_ + label_gap_mm;
      draw_end_labels(canvas_, {begin, box().top, names_mm_, box().height}, ends);
    }
  }

 private:
  double names_width() const {
    double widest = 0;
    for (const CurveView::Line& line : view_.lines)
      widest = std::max(widest, canvas_.text_width(line.label, {.size_pt = 6.5}));
    return widest == 0 ? 0 : std::min(widest, most_label_mm) + label_gap_mm;
  }

  Box box() const {
    const double apart = has_infinity(view_) ? infinity_gap_mm + infinity_mm : 0;
    return {left_mm, top_mm + labels_mm(view_), width_mm - left_mm - right_mm - names_mm_ - apart,
            plot_height_mm};
  }

  /// Below the data: a band of its error, the line, and its name above the plot, a row for each.
  void draw_boundary(std::size_t k) {
    const CurveView::Boundary& boundary = view_.boundaries[k];
    const double x = plot_.at(boundary.at, 0).x;
    if (!std::isfinite(x)) return;  // limits that were asked for leave it out
    const Box& box = plot_.box();
    const auto edge = [&](double value, double end) {  // of the plot, where the band goes beyond it
      const double place = plot_.at(value, 0).x;
      return std::isfinite(place) ? std::clamp(place, box.left, box.right()) : end;
    };
    const double low = edge(boundary.at - boundary.error, box.left);
    const double high = edge(boundary.at + boundary.error, box.right());
    canvas_.box({low, box.top, high - low, box.height}, boundary.color.faded(0.15));
    // Names further to the right stand lower, so that none is crossed on the way to another.
    const auto lower = std::ranges::count_if(view_.boundaries, [&](const CurveView::Boundary& other) {
      return other.at > boundary.at || (other.at == boundary.at && &other > &boundary);
    });
    const double row = box.top - 1.3 - static_cast<double>(lower) * label_row_mm;
    canvas_.line(std::array{Point{x, row - 1.8}, Point{x, box.bottom()}}, {boundary.color, 0.8, true});
    const TextStyle style{.size_pt = 6.5, .color = boundary.color};
    const double room = width_mm - 1 - canvas_.text_width(boundary.label, style);
    canvas_.text({std::min(x + 0.9, room), row}, boundary.label, style);
  }

  double infinity_x() const { return plot_.box().right() + infinity_gap_mm + infinity_mm / 2; }

  double aside(std::size_t line) const {
    if (view_.measured) return 0;
    return (static_cast<double>(line) - static_cast<double>(view_.lines.size() - 1) / 2) * beside_mm;
  }

  /// Right of all bars at their place.
  double singles_aside_mm() const {
    if (view_.measured) return 0;
    return aside(view_.lines.size() - 1) + cap_mm + 0.8;
  }

  Point at(std::size_t place, double y, double shift) const {
    const bool apart = !is_finite_place(view_, place);
    Point point = plot_.at(apart ? 1 : value_at(view_, place), y);
    if (apart) point.x = infinity_x();
    point.x += shift;
    return point;
  }

  EndLabel draw_line(std::size_t k) {
    const CurveView::Line& line = view_.lines[k];
    std::vector<Point> path;
    double end = std::numeric_limits<double>::quiet_NaN();
    for (const CurveView::Dot& dot : line.dots) {
      const Point mean = at(dot.place, dot.mean, aside(k));
      if (!std::isfinite(mean.y)) continue;
      end = mean.y;
      if (is_finite_place(view_, dot.place)) path.push_back(mean);
      draw_bar(at(dot.place, dot.low, aside(k)), at(dot.place, dot.high, aside(k)), mean, line.color);
      canvas_.disc(mean, dot_mm, line.color);
    }
    canvas_.line(path, {line.color, 1.0});
    return {end, line.label, line.color};
  }

  void draw_bar(Point low, Point high, Point mean, const Color& color) {
    if (!std::isfinite(low.y)) low.y = plot_.box().bottom();  // below what a logarithm can show
    if (!(low.y - high.y > 0) || !std::isfinite(high.y)) return;
    canvas_.line(std::array{low, high}, {color, 0.7});
    for (const double y : {low.y, high.y})
      canvas_.line(std::array{Point{mean.x - cap_mm, y}, Point{mean.x + cap_mm, y}}, {color, 0.7});
  }

  void draw_crossing(const CurveView::Crossing& crossing) {
    const Point ring = plot_.at(crossing.at, crossing.height);
    if (!std::isfinite(ring.x) || !std::isfinite(ring.y)) return;  // limits that were asked for leave it out
    const auto end = [&](double x) { return Point{plot_.at(x, crossing.height).x, ring.y}; };
    const Point low = end(crossing.at - crossing.error), high = end(crossing.at + crossing.error);
    if (std::isfinite(low.x) && std::isfinite(high.x)) {
      canvas_.line(std::array{low, high}, {ink, 0.7});
      for (const double x : {low.x, high.x})
        canvas_.line(std::array{Point{x, ring.y - cap_mm}, Point{x, ring.y + cap_mm}}, {ink, 0.7});
    }
    canvas_.disc(ring, 1.6 * dot_mm, ink);
    canvas_.disc(ring, 1.1 * dot_mm, crossing.color);
  }

  void draw_infinity_axis() {
    const Box& box = plot_.box();
    const double left = box.right() + infinity_gap_mm, x = infinity_x();
    canvas_.line(std::array{Point{left, box.bottom()}, Point{left + infinity_mm, box.bottom()}}, {ink, 0.5});
    canvas_.line(std::array{Point{x, box.bottom()}, Point{x, box.bottom() + 0.9}}, {ink, 0.5});
    canvas_.text({x, box.bottom() + 1.7}, "∞", {.size_pt = 6.5, .across = 0.5, .up = 1});
  }

  Canvas& canvas_;
  const CurveView& view_;
  double names_mm_;
  Plot plot_;
};

}  // namespace
}  // namespace of_curve

Figure curve(const CurveView& view) {
  using namespace of_curve;
  for (const CurveView::Line& line : view.lines)
    for (const auto* dots : {&line.dots, &line.singles})
      for (const CurveView::Dot& dot : *dots)
        if (dot.place >= view.places.size())
          throw std::invalid_argument(
              fmt::format("curve: a dot at place {} of {}", dot.place, view.places.size()));
  if (view.categories && !view.boundaries.empty())
    throw std::invalid_argument("curve: a boundary has no place among categories");
  // Said of any bar, so that it stays true where limits are asked for.
  const char* const hidden =
      hides_bars(view) ? " Bars that show only their caps are smaller than the dots." : "";
  return {"curve", view.caption + hidden, width_mm, height_mm + labels_mm(view),
          [view](Canvas& canvas) { Drawing(canvas, view).draw(); }};
}

}  // namespace sluice::figure
