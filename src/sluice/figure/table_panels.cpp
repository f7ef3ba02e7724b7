#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "sluice/figure/plot.hpp"
#include "sluice/figure/table_view.hpp"

namespace sluice::figure {
namespace of_table_panels {
namespace {

constexpr double left_mm = 15, title_mm = 8, letter_mm = 4, bottom_mm = 11, right_mm = 2;
constexpr double most_label_mm = 32, label_gap_mm = 1.5;
constexpr std::size_t palette = 7;  // colours before category() repeats

struct Size {
  double width, height;
};
/// One panel takes a column and a quarter, several the width of a page.
Size size_of(std::size_t panels) {
  if (panels == 1) return {110, 66};
  return {180, panels == 2 ? 66.0 : 58.0};
}

/// Letters stand between the title and several panels.
double top_of(std::size_t panels) { return panels == 1 ? title_mm : title_mm + letter_mm; }

Stroke stroke_of(const TableCurve& curve, std::size_t index) {
  return {curve.color.value_or(category(index)), 1.0, !curve.color && index >= palette};
}

/// What an axis must show: bands as well, where they do not reach below a logarithm.
Interval range_of(const PanelsView::Panel& panel) {
  Interval means, all;
  for (const TableCurve& curve : panel.curves) {
    for (std::size_t i = 0; i < curve.y.size(); ++i) {
      const double error = curve.error.empty() ? 0 : curve.error[i];
      means.include(curve.y[i]);
      all.include(curve.y[i] - error);
      all.include(curve.y[i] + error);
    }
  }
  return panel.adaptive && means.low > 0 && means.high > 100 * means.low ? means : all;
}

Axis y_axis(const PanelsView::Panel& panel, double height) {
  const int most = intervals_in(height, y_label_mm);
  return panel.adaptive ? Axis::adaptive(panel.y_label, range_of(panel), most)
                        : Axis::rounded(panel.y_label, range_of(panel), most);
}

void draw_bands(Canvas& canvas, const Plot& plot, const Interval& shown, const PanelsView::Panel& panel,
                std::span<const double> x) {
  for (std::size_t k = 0; k < panel.curves.size(); ++k) {
    const TableCurve& curve = panel.curves[k];
    if (curve.error.empty()) continue;
    std::vector<double> low, high;
    for (std::size_t i = 0; i < curve.y.size(); ++i) {  // a NaN stays one
      low.push_back(std::max(curve.y[i] - curve.error[i], shown.low));
      high.push_back(std::min(curve.y[i] + curve.error[i], shown.high));
    }
    plot.band(canvas, x, low, high, stroke_of(curve, k).color.faded(0.22));
  }
}

/// Returns where the curves end, with their names.
std::vector<EndLabel> draw_panel(Canvas& canvas, const Box& box, const PanelsView& view,
                                 const PanelsView::Panel& panel) {
  const Axis y = y_axis(panel, box.height);
  const Interval shown = y.range();
  const Plot plot(canvas, box,
                  Axis::snug(view.x_label, finite_range(view.x), intervals_in(box.width, x_label_mm), 1), y);
  if (range_of(panel).empty()) say_no_finite_data(canvas, box);
  draw_bands(canvas, plot, shown, panel, view.x);
  std::vector<EndLabel> ends;
  for (std::size_t k = 0; k < panel.curves.size(); ++k) {
    const TableCurve& curve = panel.curves[k];
    plot.curve(canvas, view.x, curve.y, stroke_of(curve, k));
    ends.push_back({plot.at(view.x.back(), curve.y.back()).y, curve.name, stroke_of(curve, k).color});
  }
  plot.draw_axes(canvas);
  return ends;
}

double names_mm(Canvas& canvas, const PanelsView& view) {
  double widest = 0;
  const std::vector<TableCurve>& curves = view.panels.front().curves;
  if (curves.size() > 1)
    for (const TableCurve& curve : curves)
      widest = std::max(widest, canvas.text_width(curve.name, {.size_pt = 6.5}));
  return widest == 0 ? 0 : std::min(widest, most_label_mm) + label_gap_mm;
}

void require_consistent_panels(const PanelsView& view) {
  if (view.panels.empty() || view.panels.size() > 4 || view.x.empty())
    throw std::invalid_argument(fmt::format("{}: expected one to four panels over some x", view.name));
  for (const PanelsView::Panel& panel : view.panels) {
    if (panel.curves.size() != view.panels.front().curves.size())
      throw std::invalid_argument(fmt::format("{}: expected the same curves in every panel", panel.y_label));
    for (const TableCurve& curve : panel.curves)
      if (curve.y.size() != view.x.size() || (!curve.error.empty() && curve.error.size() != view.x.size()))
        throw std::invalid_argument(fmt::format("{}: expected {} numbers", curve.name, view.x.size()));
  }
}

}  // namespace
}  // namespace of_table_panels

Figure table_panels(const PanelsView& view) {
  using namespace of_table_panels;
  require_consistent_panels(view);
  const Size size = size_of(view.panels.size());
  const bool spread = std::ranges::any_of(view.panels.front().curves,
                                          [](const TableCurve& curve) { return !curve.error.empty(); });
  return {view.name, fmt::format("{}.{}", view.title, spread ? " Bands, one standard error." : ""),
          size.width, size.height, [view, size](Canvas& canvas) {
            const double names = names_mm(canvas, view);
            const auto count = static_cast<double>(view.panels.size());
            const double top = top_of(view.panels.size());
            const double panel = (size.width - right_mm - names) / count - left_mm;
            canvas.fitted_text({left_mm, 2}, view.title, {.size_pt = 8, .up = 1, .bold = true},
                               size.width - left_mm - right_mm);
            for (std::size_t i = 0; i < view.panels.size(); ++i) {
              const Box box{left_mm + static_cast<double>(i) * (panel + left_mm), top, panel,
                            size.height - top - bottom_mm};
              if (view.panels.size() > 1)
                draw_panel_letter(canvas, {box.left - left_mm + 1, 6},
                                  std::string(1, static_cast<char>('a' + i)));
              const std::vector<EndLabel> ends = draw_panel(canvas, box, view, view.panels[i]);
              if (names > 0 && i + 1 == view.panels.size())
                draw_end_labels(canvas, {box.right() + label_gap_mm, box.top, names, box.height}, ends);
            }
          }};
}

}  // namespace sluice::figure
