#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "sluice/figure/heat_map.hpp"
#include "sluice/figure/table_view.hpp"

namespace sluice::figure {
namespace of_table_matrix {
namespace {

constexpr double left_mm = 14, top_mm = 12, side_mm = 78, bottom_mm = 11, bar_gap_mm = 2, bar_room_mm = 16;

}  // namespace
}  // namespace of_table_matrix

Figure table_matrix(const MatrixView& view) {
  using namespace of_table_matrix;
  if (view.values.size() != view.rows * view.columns)
    throw std::invalid_argument(
        fmt::format("{}: expected {} × {} numbers", view.name, view.rows, view.columns));
  double most = 0;
  for (const double value : view.values)
    if (std::isfinite(value)) most = std::max(most, std::abs(value));
  const double width = left_mm + side_mm + bar_gap_mm + bar_room_mm;
  return {view.name, fmt::format("{}.", view.title), width, top_mm + side_mm + bottom_mm,
          [view, width, most](Canvas& canvas) {
            const Box box{left_mm, top_mm, side_mm, side_mm};
            canvas.fitted_text({left_mm, 2}, view.title, {.size_pt = 8, .up = 1, .bold = true},
                               width - left_mm - 2);
            if (most == 0) return say_no_finite_data(canvas, box);
            const ColorScale scale{ColorScale::Kind::diverging, most, view.value_label};
            draw_heat_map(canvas, box, {view.columns, view.rows, {view.values.begin(), view.values.end()}},
                          scale, pixel_axis(view.x_label, view.columns, box.width),
                          pixel_axis(view.y_label, view.rows, box.height));
            draw_color_bar(canvas, {box.right() + bar_gap_mm, box.top}, box.height, scale);
          }};
}

}  // namespace sluice::figure
