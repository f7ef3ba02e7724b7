#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "sluice/figure/color.hpp"
#include "sluice/figure/heat_map.hpp"
#include "sluice/figure/sweep_view.hpp"
#include "sluice/figure/text.hpp"

namespace sluice::figure {
namespace of_phase_diagram {
namespace {

constexpr double left_mm = 16, right_mm = 3, top_mm = 7, bottom_mm = 11, gap_mm = 6, least_cell_mm = 7.5,
                 most_cell_mm = 13;
constexpr double spread_pt = 5, label_row_mm = 3.4;
constexpr Color halo{1, 1, 1}, boundary_ink{0.80, 0.08, 0.32};  // a red that no cell has

struct Layout {
  double cell, width, height;  // of a cell; of a panel's cells
  double top;                  // above the cells: the panel's name, a row for each boundary's
};

Layout layout_of(const PhaseView& view) {
  const auto panels = static_cast<double>(view.panels.size()), columns = static_cast<double>(view.x.size());
  const double room = (180 - left_mm - (panels - 1) * gap_mm) / (panels * columns);
  const double cell = std::clamp(room, least_cell_mm, most_cell_mm);
  const auto rows = static_cast<double>(view.boundaries.size());
  return {cell, cell * columns, 0.7 * cell * static_cast<double>(view.y.size()),
          top_mm + rows * label_row_mm};
}

/// A cell of a panel: where it is, what stands in it.
struct Cell {
  Box box;
  double value, spread;
  Color fill;
};

std::vector<Cell> cells_of(const Box& box, const PhaseView& view, const PhaseView::Panel& panel) {
  const Interval range = finite_range(panel.value);
  const double width = box.width / static_cast<double>(view.x.size());
  const double height = box.height / static_cast<double>(view.y.size());
  std::vector<Cell> cells;
  for (std::size_t i = 0; i < view.x.size(); ++i) {
    for (std::size_t j = 0; j < view.y.size(); ++j) {
      const std::size_t at = i * view.y.size() + j;
      const double value = panel.value[at];
      if (!std::isfinite(value)) continue;
      const double part = range.length() > 0 ? (value - range.low) / range.length() : 0.5;
      cells.push_back({{box.left + static_cast<double>(i) * width,
                        box.bottom() - static_cast<double>(j + 1) * height, width, height},
                       value,
                       panel.spread.empty() ? std::numeric_limits<double>::quiet_NaN() : panel.spread[at],
                       sequential(part)});
    }
  }
  return cells;
}

/// So many that the largest spread has a digit to show.
int spread_decimals(const PhaseView::Panel& panel) {
  const double most = finite_range(panel.spread).high;
  if (!(most > 0)) return panel.decimals;
  return std::clamp(-static_cast<int>(std::floor(std::log10(most))), panel.decimals, panel.decimals + 2);
}

/// On a patch of the cell's colour, which breaks a boundary there as that of a contour line is broken by its number.
void write_number(Canvas& canvas, Point middle, const std::string& text, double size_pt, const Cell& cell) {
  const TextStyle style{.size_pt = size_pt,
                        .color = luminance(cell.fill) < 0.18 ? Color{1, 1, 1} : ink,
                        .across = 0.5,
                        .up = 0.5};
  const double width = std::min(canvas.text_width(text, style) + 1.6, cell.box.width);
  const double height = 0.36 * size_pt;  // a capital and some air, in mm
  canvas.box({middle.x - width / 2, middle.y - height / 2, width, height}, cell.fill);
  canvas.fitted_text(middle, text, style, cell.box.width - 0.4);
}

void write_numbers(Canvas& canvas, const Cell& cell, const PhaseView::Panel& panel) {
  const Point middle = cell.box.center();
  const bool with_spread = std::isfinite(cell.spread);
  const double lift = with_spread ? 0.14 * cell.box.height : 0;
  write_number(canvas, {middle.x, middle.y - lift}, fixed(cell.value, panel.decimals), 6.5, cell);
  if (with_spread)
    write_number(canvas, {middle.x, middle.y + 0.26 * cell.box.height},
                 "±" + fixed(cell.spread, spread_decimals(panel)), spread_pt, cell);
}

/// A boundary of one panel: its way, and where it leaves at the top.
struct Way {
  std::vector<Point> points{};
  Point end{std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()};
};

Point point_at(const PhaseView::Boundary::Place& place, const Box& box, const PhaseView& view) {
  return {box.left + place.x * box.width / static_cast<double>(view.x.size()),
          box.bottom() - place.y * box.height / static_cast<double>(view.y.size())};
}

Way way_of(const PhaseView::Boundary& boundary, const Box& box, const PhaseView& view) {
  Way way;
  for (const PhaseView::Boundary::Place& place : boundary.places) {
    way.points.push_back(point_at(place, box, view));
    if (way.points.back().y < way.end.y && std::isfinite(way.points.back().x)) way.end = way.points.back();
  }
  return way;
}

/// Over the colours and below the numbers, white beside them so that they show on any colour. Names stand above, those further to the right
/// lower, so that none is crossed on the way to another.
void draw_boundaries(Canvas& canvas, const Box& box, const PhaseView& view) {
  std::vector<Way> ways;
  for (const PhaseView::Boundary& boundary : view.boundaries) ways.push_back(way_of(boundary, box, view));
  for (std::size_t i = 0; i < ways.size(); ++i) {
    const bool dashed = i > 0;
    {
      const Canvas::Clip clip(canvas, box);
      canvas.line(ways[i].points, {halo, 2.4});
      canvas.line(ways[i].points, {boundary_ink, 1.3, dashed});
    }
    const Point& end = ways[i].end;
    if (!std::isfinite(end.y)) continue;  // it is nowhere on the grid
    const auto lower = std::ranges::count_if(ways, [&](const Way& way) { return way.end.x > end.x; });
    const double row = box.top - 1.3 - static_cast<double>(lower) * label_row_mm;
    canvas.line(std::array{Point{end.x, row - 1.8}, end}, {boundary_ink, 0.5, dashed});
    const TextStyle style{.size_pt = 6.5, .color = boundary_ink};
    const double room = box.width + right_mm;
    const double width = std::min(canvas.text_width(view.boundaries[i].label, style), room);
    canvas.fitted_text({std::min(end.x + 0.9, box.left + room - width), row}, view.boundaries[i].label, style,
                       room);
  }
}

void draw_panel(Canvas& canvas, const Box& box, const PhaseView& view, const PhaseView::Panel& panel) {
  const std::vector<Cell> cells = cells_of(box, view, panel);
  for (const Cell& cell : cells) canvas.box(cell.box, cell.fill);
  draw_boundaries(canvas, box, view);
  for (const Cell& cell : cells) write_numbers(canvas, cell, panel);
  for (const PhaseView::Boundary::Place& dot : view.dots) {
    const Point middle = point_at(dot, box, view);
    if (!std::isfinite(middle.x) || !std::isfinite(middle.y)) continue;
    canvas.disc(middle, 0.95, halo);
    canvas.disc(middle, 0.6, ink);
  }
}

void draw_names(Canvas& canvas, const Box& box, const PhaseView& view, bool with_y) {
  const double width = box.width / static_cast<double>(view.x.size());
  const double height = box.height / static_cast<double>(view.y.size());
  for (std::size_t i = 0; i < view.x.size(); ++i)
    canvas.fitted_text({box.left + (static_cast<double>(i) + 0.5) * width, box.bottom() + 1.2}, view.x[i],
                       {.size_pt = 6.5, .across = 0.5, .up = 1}, width - 0.5);
  canvas.text({box.center().x, box.bottom() + 5.2}, view.x_label, {.across = 0.5, .up = 1});
  if (!with_y) return;
  double widest = 0;
  for (std::size_t j = 0; j < view.y.size(); ++j) {
    const TextStyle style{.size_pt = 6.5, .across = 1, .up = 0.5};
    canvas.fitted_text({box.left - 1.2, box.bottom() - (static_cast<double>(j) + 0.5) * height}, view.y[j],
                       style, 9);
    widest = std::max(widest, std::min(9.0, canvas.text_width(view.y[j], style)));
  }
  canvas.text({box.left - widest - 2.7, box.center().y}, view.y_label, {.across = 0.5, .upward = true});
}

}  // namespace
}  // namespace of_phase_diagram

Figure phase_diagram(const PhaseView& view) {
  using namespace of_phase_diagram;
  if (view.panels.empty() || view.panels.size() > 3)
    throw std::invalid_argument(fmt::format("{} panels: expected one to three", view.panels.size()));
  for (const PhaseView::Panel& panel : view.panels)
    if (panel.value.size() != view.x.size() * view.y.size())
      throw std::invalid_argument(
          fmt::format("{}: expected {} × {} numbers", panel.name, view.x.size(), view.y.size()));
  for (const PhaseView::Panel& panel : view.panels)
    if (!panel.spread.empty() && panel.spread.size() != panel.value.size())
      throw std::invalid_argument(fmt::format("{}: expected a spread for every cell, or none", panel.name));
  const Layout layout = layout_of(view);
  const auto panels = static_cast<double>(view.panels.size());
  const double width = left_mm + panels * (layout.width + gap_mm) - gap_mm + right_mm;
  return {
      "phase_diagram",
      fmt::format("Numbers of the runs at their end over {} and {}{}{}. Each panel has its own colours, from "
                  "its least (dark) to its largest value (light).{}{}",
                  view.x_label, view.y_label, view.title.empty() ? "" : ", ", view.title,
                  view.note.empty() ? "" : " ", view.note),
      width, layout.top + layout.height + bottom_mm, [=](Canvas& canvas) {
        for (std::size_t i = 0; i < view.panels.size(); ++i) {
          const Box box{left_mm + static_cast<double>(i) * (layout.width + gap_mm), layout.top, layout.width,
                        layout.height};
          canvas.fitted_text({box.left, top_mm - 1.5}, view.panels[i].name, {}, layout.width);
          draw_panel(canvas, box, view, view.panels[i]);
          draw_names(canvas, box, view, i == 0);
        }
      }};
}

}  // namespace sluice::figure
