#include "sluice/figure/plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

namespace sluice::figure {
namespace {

constexpr double tick_mm = 0.9;
constexpr double tick_to_label_mm = 0.8;
constexpr double line_height_mm = 2.9;  // of 6.5 pt text, with air
constexpr Stroke spine{ink, 0.5};

void segment(Canvas& canvas, Point from, Point to, const Stroke& stroke) {
  canvas.line(std::array{from, to}, stroke);
}

// Moves sorted heights apart to at least `gap`, each group about its own mean, and keeps them above `bottom`.
void spread(std::vector<EndLabel>& sorted, double gap, double bottom) {
  struct Group {
    double center;
    int count;
  };
  std::vector<Group> groups;
  for (const EndLabel& label : sorted) {
    groups.push_back({label.y_mm, 1});
    while (groups.size() > 1) {
      const Group below = groups.back();
      Group& above = groups[groups.size() - 2];
      const int count = above.count + below.count;
      if (below.center - above.center >= gap * count / 2) break;
      above = {(above.center * above.count + below.center * below.count) / count, count};
      groups.pop_back();
    }
  }
  auto label = sorted.begin();
  for (const Group& group : groups)
    for (int i = 0; i < group.count; ++i, ++label)
      label->y_mm = group.center + (i - (group.count - 1) / 2.0) * gap;
  for (auto lowest = sorted.rbegin(); lowest != sorted.rend(); ++lowest, bottom -= gap)
    lowest->y_mm = std::min(lowest->y_mm, bottom);
}

}  // namespace

Axis step_axis(const Interval& steps, double width_mm) {
  return Axis::snug("training step", steps, intervals_in(width_mm, x_label_mm), 1);
}

Plot::Plot(const Box& box, Axis x, Axis y) : box_(box), x_(std::move(x)), y_(std::move(y)) {}

Plot::Plot(Canvas& canvas, const Box& box, const Axis& x, const Axis& y) : box_(box), x_(x), y_(y) {
  const Style& style = canvas.style();
  canvas.styled().x_axes.insert(x.title());
  canvas.styled().y_axes.insert(y.title());
  if (style.x) x_ = x_.limited_to(*style.x);
  if (style.y) y_ = y_.limited_to(*style.y);
  x_ = x_.with_room(canvas.room_across());
  y_ = y_.with_room(canvas.room_down());
  limited_ = style.x || style.y;
}

Point Plot::at(double x, double y) const {
  Point point = place(x, y);
  const auto within = [](double value, const Interval& range) {
    return value >= range.low && value <= range.high;
  };
  if (limited_ && !within(x, x_.range())) point.x = std::nan("");
  if (limited_ && !within(y, y_.range())) point.y = std::nan("");
  return point;
}

Point Plot::place(double x, double y) const {
  return {box_.left + x_.position(x) * box_.width, box_.bottom() - y_.position(y) * box_.height};
}

void Plot::draw_axes(Canvas& canvas, Labels labels) const {
  segment(canvas, {box_.left, box_.top}, {box_.left, box_.bottom()}, spine);
  segment(canvas, {box_.left, box_.bottom()}, {box_.right(), box_.bottom()}, spine);

  const bool along_x = labels == Labels::both || labels == Labels::only_x;
  const bool along_y = labels == Labels::both || labels == Labels::only_y;

  const double tick_bottom = box_.bottom() + tick_mm, label_top = tick_bottom + tick_to_label_mm;
  for (std::size_t i = 0; i < x_.ticks().size(); ++i) {
    const double x = at(x_.ticks()[i], y_.range().low).x;
    segment(canvas, {x, box_.bottom()}, {x, tick_bottom}, spine);
    if (!along_x) continue;
    canvas.text({x, label_top}, x_.tick_labels().text[i], {.size_pt = 6.5, .across = 0.5, .up = 1});
  }
  if (along_x)
    canvas.text({box_.center().x, label_top + 1.3 * line_height_mm}, x_.title(), {.across = 0.5, .up = 1});

  const double tick_left = box_.left - tick_mm, label_right = tick_left - tick_to_label_mm;
  double widest = 0;
  for (std::size_t i = 0; i < y_.ticks().size(); ++i) {
    const double y = at(x_.range().low, y_.ticks()[i]).y;
    segment(canvas, {tick_left, y}, {box_.left, y}, spine);
    if (!along_y) continue;
    const TextStyle style{.size_pt = 6.5, .across = 1, .up = 0.5};
    canvas.text({label_right, y}, y_.tick_labels().text[i], style);
    widest = std::max(widest, canvas.text_width(y_.tick_labels().text[i], style));
  }
  if (along_y)
    canvas.text({label_right - widest - 1.5, box_.center().y}, y_.title(), {.across = 0.5, .upward = true});
}

void Plot::curve(Canvas& canvas, std::span<const double> x, std::span<const double> y,
                 const Stroke& stroke) const {
  std::vector<Point> points;
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) points.push_back(place(x[i], y[i]));
  std::optional<Canvas::Clip> clip;
  if (limited_) clip.emplace(canvas, box_);
  if (points.size() == 1)
    canvas.disc(points.front(), 0.7 * stroke.width_pt, stroke.color);
  else
    canvas.line(points, stroke);
}

void Plot::band(Canvas& canvas, std::span<const double> x, std::span<const double> low,
                std::span<const double> high, const Color& fill) const {
  std::vector<Point> outline;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (std::isfinite(high[i])) outline.push_back(place(x[i], high[i]));
  for (std::size_t i = x.size(); i-- > 0;)
    if (std::isfinite(low[i])) outline.push_back(place(x[i], low[i]));
  std::optional<Canvas::Clip> clip;
  if (limited_) clip.emplace(canvas, box_);
  canvas.polygon(outline, fill);
}

void Plot::reference(Canvas& canvas, double y) const {
  const double height = at(x_.range().low, y).y;
  if (std::isfinite(height)) segment(canvas, {box_.left, height}, {box_.right(), height}, {grey, 0.5, true});
}

void draw_end_labels(Canvas& canvas, const Box& beside, std::vector<EndLabel> labels) {
  std::erase_if(labels, [](const EndLabel& label) { return !std::isfinite(label.y_mm); });
  std::ranges::stable_sort(labels, {}, &EndLabel::y_mm);
  spread(labels, line_height_mm, beside.bottom());
  for (const EndLabel& label : labels)
    canvas.fitted_text({beside.left, label.y_mm}, label.text,
                       {.size_pt = 6.5, .color = label.color, .up = 0.5}, beside.width);
}

void draw_panel_letter(Canvas& canvas, Point top_left, std::string_view letter) {
  canvas.text(top_left, letter, {.size_pt = 8, .up = 1, .bold = true});
}

void say_no_finite_data(Canvas& canvas, const Box& box) {
  canvas.fitted_text(box.center(), "no finite data", {.color = grey, .across = 0.5, .up = 0.5}, box.width);
}

}  // namespace sluice::figure
