#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "sluice/figure/heat_map.hpp"
#include "sluice/figure/plot.hpp"
#include "sluice/figure/recipes.hpp"
#include "sluice/figure/text.hpp"

namespace sluice::figure {
namespace of_gate_structure {
namespace {

constexpr double gate_width_mm = 180, gate_top_mm = 7, gate_panel_mm = 33, gate_row_mm = 50;
constexpr std::array<double, 3> gate_columns_mm{14, 75, 133};
constexpr double gate_names_mm = 14;

/// One curve over the sites.
struct SiteCurve {
  std::string name;
  std::vector<double> values;
  Stroke stroke;
};

/// The sites that are shown: all of a small ring, else those around the gate's centre, as far as the ring does not end there.
Interval sites_around(const std::vector<double>& gate) {
  constexpr double reach = 10;
  const auto last = static_cast<double>(gate.size()) - 1;
  const auto peak = static_cast<double>(
      std::ranges::max_element(gate, {}, [](double v) { return std::abs(v); }) - gate.begin());
  if (peak - reach < 0 || peak + reach > last) return {0, last};
  return {peak - reach, peak + reach};
}

void draw_site_curves(Canvas& canvas, const Box& box, const std::string& label,
                      const std::vector<SiteCurve>& curves, const Interval& shown) {
  Interval range;
  range.include(0);
  for (const SiteCurve& curve : curves)
    for (const double value : curve.values) range.include(value);
  const Plot plot(canvas, box, Axis::snug("site", shown, intervals_in(box.width, 7), 1),
                  Axis::rounded(label, range, intervals_in(box.height, y_label_mm)));
  const double zero = plot.at(shown.low, 0).y;
  canvas.line(std::array{Point{box.left, zero}, Point{box.right(), zero}}, {hairline, 0.4});
  const auto first = static_cast<std::size_t>(shown.low),
             count = static_cast<std::size_t>(shown.length()) + 1;
  std::vector<double> sites(count);
  std::iota(sites.begin(), sites.end(), shown.low);
  for (const SiteCurve& curve : curves)
    plot.curve(canvas, sites, std::span(curve.values).subspan(first, count), curve.stroke);
  plot.draw_axes(canvas);
  double row = box.top + 1;
  for (const SiteCurve& curve : curves) {  // a legend: the curves end at one place
    if (curve.name.empty()) continue;
    canvas.fitted_text({box.right() + 1, row}, curve.name,
                       {.size_pt = 6.5, .color = curve.stroke.color, .up = 0.5}, gate_names_mm);
    row += 3;
  }
}

void draw_matrix(Canvas& canvas, const Box& box, const std::vector<double>& matrix, std::size_t n,
                 const std::string& label) {
  double most = 0;
  for (const double value : matrix) most = std::max(most, std::abs(value));
  const ColorScale scale{ColorScale::Kind::diverging, most > 0 ? most : 1, label};
  draw_heat_map(canvas, box, {n, n, {matrix.begin(), matrix.end()}}, scale, pixel_axis("site", n, box.width),
                pixel_axis("site", n, box.height));
  draw_color_bar(canvas, {box.right() + 2, box.top}, box.height, scale);
}

std::vector<double> to_one(std::vector<double> values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::abs(value));
  for (double& value : values) value /= most > 0 ? most : 1;
  return values;
}

std::vector<SiteCurve> curves_of(const GateStructureView& view,
                                 std::vector<double> GateStructureView::Case::*values) {
  std::vector<SiteCurve> curves;
  for (std::size_t i = 0; i < view.cases.size(); ++i)
    curves.push_back({view.cases[i].label, view.cases[i].*values, {category(i), i == view.own ? 1.4 : 0.8}});
  return curves;
}

}  // namespace
}  // namespace of_gate_structure

Figure gate_structure(const GateStructureView& view) {
  using namespace of_gate_structure;
  const std::size_t n = view.gate.size();
  std::string iprs;
  for (const GateStructureView::Case& each : view.cases)
    iprs += fmt::format("{}{}{}", iprs.empty() ? "" : ", ", fixed(each.ipr, 2),
                        each.label.empty() ? "" : fmt::format(" ({})", each.label));
  const std::string row =
      n >= 3 ? fmt::format(", {} on the diagonal, {} beside it and {} at two sites",
                           fixed(view.inverse[0], 2), fixed(view.inverse[1], 2), fixed(view.inverse[2], 2))
             : "";
  return {"gate_structure",
          fmt::format(
              "One linear unit behind a fixed gate, {}. a, Σʸˣ = b = E[gYX]. b, Σˣˣ = A = E[gXXᵀ]. c, Its "
              "inverse takes differences of neighbours{}. d, The field v of the gate 1(⟨v, x⟩ ≥ 0). e, How "
              "A⁻¹ shapes b (blue) into the limit of learning w(∞) = A⁻¹b (red), each divided by its largest "
              "value. f, w(∞). Its IPR: {}.",
              view.title, row, iprs),
          gate_width_mm, 2 * gate_row_mm + 2, [view, n](Canvas& canvas) {
            const auto box = [](std::size_t column, int line) {
              return Box{gate_columns_mm.at(column), gate_top_mm + line * gate_row_mm, gate_panel_mm,
                         gate_panel_mm};
            };
            const GateStructureView::Case& own = view.cases[view.own];
            if (n == 0 || finite_range(own.limit).empty())
              return say_no_finite_data(canvas, {0, 0, gate_width_mm, gate_row_mm});
            const Interval shown = sites_around(view.gate);
            draw_site_curves(canvas, box(0, 0), "Σʸˣ", curves_of(view, &GateStructureView::Case::response),
                             shown);
            draw_matrix(canvas, box(1, 0), view.covariance, n, "Σˣˣ");
            draw_matrix(canvas, box(2, 0), view.inverse, n, "inverse");
            draw_site_curves(canvas, box(0, 1), "gate  v", {{"", view.gate, {ink, 1.0}}}, shown);
            draw_site_curves(canvas, box(1, 1), "share of the largest",
                             {{"b", to_one(own.response), {category(0), 1.0}},
                              {"w(∞)", to_one(own.limit), {category(1), 1.0}}},
                             shown);
            draw_site_curves(canvas, box(2, 1), "w(∞)", curves_of(view, &GateStructureView::Case::limit),
                             shown);
            for (std::size_t i = 0; i < 6; ++i)
              draw_panel_letter(canvas, {gate_columns_mm.at(i % 3) - 12, box(i % 3, i < 3 ? 0 : 1).top - 6},
                                std::string(1, static_cast<char>('a' + i)));
          }};
}

}  // namespace sluice::figure
