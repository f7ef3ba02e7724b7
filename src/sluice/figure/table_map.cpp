#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "sluice/figure/plot.hpp"
#include "sluice/figure/table_view.hpp"

namespace sluice::figure {
namespace of_table_map {
namespace {

constexpr double panel_mm = 60;  // what a panel takes with everything around it
constexpr double left_mm = 12, top_mm = 14, plot_mm = 34, bar_gap_mm = 1.5, bar_mm = 2.5, bottom_mm = 11;
constexpr std::size_t bar_steps = 128;
constexpr Color missing{1, 1, 1};

/// From half a step before the first to half a step after the last.
Interval edges(const std::vector<double>& places) {
  if (places.size() < 2) return places.empty() ? Interval{} : Interval{places[0] - 0.5, places[0] + 0.5};
  const double half = (places[1] - places[0]) / 2;
  return {places.front() - half, places.back() + half};
}

/// Colours by the place on an axis, so that bar and map cannot differ.
Color color_of(const Axis& scale, double value) {
  const double position = std::isfinite(value) ? scale.position(value) : value;
  return std::isfinite(position) ? sequential(position) : missing;
}

void draw_bar(Canvas& canvas, const Box& box, const Axis& scale) {
  std::vector<Color> colors;
  for (std::size_t i = bar_steps; i-- > 0;)
    colors.push_back(sequential((static_cast<double>(i) + 0.5) / bar_steps));
  canvas.image(box, colors, 1);
  for (std::size_t i = 0; i < scale.ticks().size(); ++i) {
    const double y = box.bottom() - scale.position(scale.ticks()[i]) * box.height;
    canvas.text({box.right() + 1, y}, scale.tick_labels().text[i], {.size_pt = 6.5, .up = 0.5});
  }
}

void draw_panel(Canvas& canvas, double left, const MapView& view, const MapView::Panel& panel) {
  const Box box{left + left_mm, top_mm, plot_mm, plot_mm};
  const Axis scale = Axis::adaptive(panel.name, finite_range(panel.value), 5);
  std::vector<Color> pixels;
  for (std::size_t row = view.y.size(); row-- > 0;)
    for (std::size_t column = 0; column < view.x.size(); ++column)
      pixels.push_back(color_of(scale, panel.value[column * view.y.size() + row]));
  if (finite_range(panel.value).empty())
    say_no_finite_data(canvas, box);
  else
    canvas.image(box, pixels, view.x.size());
  const int most = intervals_in(plot_mm, 8);
  Plot(box, Axis::snug(view.x_label, edges(view.x), most), Axis::snug(view.y_label, edges(view.y), most))
      .draw_axes(canvas);
  canvas.text({box.left, top_mm - 1.5}, scale.title(), {});
  draw_bar(canvas, {box.right() + bar_gap_mm, box.top, bar_mm, box.height}, scale);
}

}  // namespace
}  // namespace of_table_map

Figure table_map(const MapView& view) {
  using namespace of_table_map;
  if (view.panels.empty() || view.panels.size() > 3)
    throw std::invalid_argument(fmt::format("{} panels: expected one to three", view.panels.size()));
  for (const MapView::Panel& panel : view.panels)
    if (panel.value.size() != view.x.size() * view.y.size())
      throw std::invalid_argument(
          fmt::format("{}: expected {} × {} numbers", panel.name, view.x.size(), view.y.size()));
  const double width = panel_mm * static_cast<double>(view.panels.size());
  return {view.name, fmt::format("{}.", view.title), width, top_mm + plot_mm + bottom_mm,
          [view, width](Canvas& canvas) {
            canvas.fitted_text({left_mm, 2}, view.title, {.size_pt = 8, .up = 1, .bold = true},
                               width - left_mm - 2);
            for (std::size_t i = 0; i < view.panels.size(); ++i)
              draw_panel(canvas, panel_mm * static_cast<double>(i), view, view.panels[i]);
          }};
}

}  // namespace sluice::figure
