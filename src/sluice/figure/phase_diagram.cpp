#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "sluice/figure/color.hpp"
#include "sluice/figure/heat_map.hpp"
#include "sluice/figure/sweep_view.hpp"
#include "sluice/figure/text.hpp"

namespace sluice::figure {
namespace of_phase_diagram {
namespace {

constexpr double left_mm = 16, top_mm = 7, bottom_mm = 11, gap_mm = 6, least_cell_mm = 7.5, most_cell_mm = 13;

struct Layout {
  double cell, width, height;  // of a cell; of a panel's cells
};

Layout layout_of(const PhaseView& view) {
  const auto panels = static_cast<double>(view.panels.size()), columns = static_cast<double>(view.x.size());
  const double room = (180 - left_mm - (panels - 1) * gap_mm) / (panels * columns);
  const double cell = std::clamp(room, least_cell_mm, most_cell_mm);
  return {cell, cell * columns, 0.7 * cell * static_cast<double>(view.y.size())};
}

void draw_cells(Canvas& canvas, const Box& box, const PhaseView& view, const PhaseView::Panel& panel) {
  const Interval range = finite_range(panel.value);
  const double width = box.width / static_cast<double>(view.x.size());
  const double height = box.height / static_cast<double>(view.y.size());
  for (std::size_t i = 0; i < view.x.size(); ++i) {
    for (std::size_t j = 0; j < view.y.size(); ++j) {
      const double value = panel.value[i * view.y.size() + j];
      const Box cell{box.left + static_cast<double>(i) * width,
                     box.bottom() - static_cast<double>(j + 1) * height, width, height};
      if (!std::isfinite(value)) continue;
      const double part = range.length() > 0 ? (value - range.low) / range.length() : 0.5;
      const Color fill = sequential(part);
      canvas.box(cell, fill);
      const Color text = luminance(fill) < 0.18 ? Color{1, 1, 1} : ink;
      canvas.text(cell.center(), fixed(value, panel.decimals),
                  {.size_pt = 6.5, .color = text, .across = 0.5, .up = 0.5});
    }
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
  const Layout layout = layout_of(view);
  const auto panels = static_cast<double>(view.panels.size());
  const double width = left_mm + panels * (layout.width + gap_mm) - gap_mm + 3;
  return {
      "phase_diagram",
      fmt::format("Numbers of the runs at their end over {} and {}{}{}. Each panel has its own colours, from "
                  "its least (dark) to its largest value (light).",
                  view.x_label, view.y_label, view.title.empty() ? "" : ", ", view.title),
      width, top_mm + layout.height + bottom_mm, [=](Canvas& canvas) {
        for (std::size_t i = 0; i < view.panels.size(); ++i) {
          const Box box{left_mm + static_cast<double>(i) * (layout.width + gap_mm), top_mm, layout.width,
                        layout.height};
          canvas.fitted_text({box.left, top_mm - 1.5}, view.panels[i].name, {}, layout.width);
          draw_cells(canvas, box, view, view.panels[i]);
          draw_names(canvas, box, view, i == 0);
        }
      }};
}

}  // namespace sluice::figure
