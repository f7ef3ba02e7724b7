#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "sluice/figure/branches_view.hpp"
#include "sluice/figure/plot.hpp"

namespace sluice::figure {
namespace of_branches {
namespace {

constexpr double whole_mm = 180, left_mm = 16, top_mm = 7, panel_mm = 42, across_mm = 60, gap_mm = 18,
                 names_mm = 20, between_mm = 17, foot_mm = 11;
constexpr double visible_rate = 0.05;  // beyond it the curves would hide what happens at 0

Axis parameter_axis(const BranchesView& view, double width) {
  Interval range;
  for (const BranchCurve& curve : view.curves)
    for (const double value : curve.parameter) range.include(value);
  const int most = intervals_in(width, x_label_mm);
  return view.logarithmic ? Axis::logarithmic(view.parameter, range, most)
                          : Axis::snug(view.parameter, range, most);
}

/// Stable stretches solid, the others dashed; a stretch ends where the next begins.
void draw_stretches(Canvas& canvas, const Plot& plot, const BranchCurve& curve, const std::vector<double>& y,
                    const Color& color) {
  for (std::size_t first = 0; first + 1 < y.size();) {
    std::size_t last = first + 1;
    while (last + 1 < y.size() && curve.stable[last] == curve.stable[first]) ++last;
    const std::span<const double> x(curve.parameter);
    plot.curve(canvas, x.subspan(first, last - first + 1), std::span(y).subspan(first, last - first + 1),
               {color, curve.stable[first] ? 1.4 : 0.8, !curve.stable[first]});
    first = last;
  }
}

void draw_marks(Canvas& canvas, const Plot& plot, const BranchesView& view, bool named) {
  const Box& box = plot.box();
  double baseline = box.bottom() - 1.5;
  for (const BranchMark& mark : view.marks) {
    const double x = plot.at(mark.parameter, 0).x;
    if (!std::isfinite(x) || x < box.left || x > box.right()) continue;
    canvas.line(std::array{Point{x, box.top}, Point{x, box.bottom()}}, {grey, 0.5, true});
    if (!named) continue;
    canvas.text({x + 0.8, baseline}, mark.label, {.size_pt = 6, .color = grey});
    baseline -= 2.8;
  }
}

/// One quantity of all branches.
struct Panel {
  Box box;
  Axis y;
  const std::vector<double> BranchCurve::*values;
  bool named = false;  ///< curves and marks
};

void draw_panel(Canvas& canvas, const BranchesView& view, const Panel& panel) {
  const Plot plot(canvas, panel.box, parameter_axis(view, panel.box.width), panel.y);
  draw_marks(canvas, plot, view, panel.named);
  if (panel.y.range().low < 0) plot.reference(canvas, 0);
  std::vector<EndLabel> labels;
  for (std::size_t k = 0; k < view.curves.size(); ++k) {
    const BranchCurve& curve = view.curves[k];
    std::vector<double> y = curve.*panel.values;
    for (double& value : y) {
      if (value < panel.y.range().low || value > panel.y.range().high)
        value = std::numeric_limits<double>::quiet_NaN();
    }
    draw_stretches(canvas, plot, curve, y, category(k));
    const auto end = std::ranges::max_element(curve.parameter) - curve.parameter.begin();
    labels.push_back({plot.at(curve.parameter[static_cast<std::size_t>(end)],
                              (curve.*panel.values)[static_cast<std::size_t>(end)])
                          .y,
                      curve.name, category(k)});
  }
  if (panel.named)
    draw_end_labels(canvas, {panel.box.right() + 1.5, panel.box.top, names_mm - 2, panel.box.height}, labels);
  plot.draw_axes(canvas);
}

void draw_trained(Canvas& canvas, const BranchesView& view, const Box& box, const Axis& y) {
  const Plot plot(canvas, box, parameter_axis(view, box.width), y);
  for (const BranchesView::Share& share : view.trained) {
    const Point at = plot.at(share.parameter, share.share);
    if (!std::isfinite(at.x) || at.x < box.left || at.x > box.right()) continue;
    const double half = at.y - plot.at(share.parameter, share.share + share.error).y;
    canvas.line(std::array{Point{at.x, std::min(at.y + half, box.bottom())},
                           Point{at.x, std::max(at.y - half, box.top)}},
                {ink, 0.5});
    canvas.disc(at, 0.7, ink);
  }
}

void draw_shapes(Canvas& canvas, const BranchesView& view, const Box& box) {
  if (view.fields.empty()) return say_no_finite_data(canvas, box);
  const BranchField& first = view.fields.front();
  const std::size_t n = first.weights.size() / static_cast<std::size_t>(first.units);
  std::vector<double> site(n);
  const auto middle = static_cast<std::ptrdiff_t>(n / 2);
  for (std::size_t i = 0; i < n; ++i) site[i] = static_cast<double>(static_cast<std::ptrdiff_t>(i) - middle);
  Interval range{0, 0};
  for (const BranchField& field : view.fields)
    for (const double w : field.weights) range.include(w);
  const Plot plot(canvas, box, Axis::snug("site", finite_range(site), intervals_in(box.width, x_label_mm)),
                  Axis::rounded("weight", range, intervals_in(box.height, y_label_mm)));
  std::vector<EndLabel> labels;
  for (std::size_t k = 0; k < view.fields.size(); ++k) {
    const Color color = sequential(0.85 * static_cast<double>(k) /
                                   static_cast<double>(std::max<std::size_t>(view.fields.size() - 1, 1)));
    const std::vector<double>& weights = view.fields[k].weights;
    for (std::size_t at = 0; at < weights.size(); at += n) {
      std::vector<double> centred(n);
      for (std::size_t i = 0; i < n; ++i) centred[i] = weights[at + (i + n - n / 2) % n];
      plot.curve(canvas, site, centred, {color, 1.0, at > 0});
    }
    labels.push_back(
        {box.top + 3 + 4 * static_cast<double>(k), fmt::format("{:.3g}", view.fields[k].parameter), color});
  }
  draw_end_labels(canvas, {box.right() + 1.5, box.top, names_mm - 2, box.height}, labels);
  plot.draw_axes(canvas);
}

Axis axis_of(const BranchesView& view, const std::string& label,
             const std::vector<double> BranchCurve::*values, double height) {
  Interval range;
  for (const BranchCurve& curve : view.curves)
    for (const double value : curve.*values) range.include(value);
  return Axis::rounded(label, range, intervals_in(height, y_label_mm));
}

}  // namespace
}  // namespace of_branches

Figure branches(const BranchesView& view) {
  using namespace of_branches;
  const double height = top_mm + 2 * panel_mm + between_mm + foot_mm;
  std::string caption = fmt::format(
      "Branches of fixed points of {}; solid, stable; dashed, unstable. a, concentration R₁ of the energy w² "
      "(0: flat, 1: one site)",
      view.units);
  if (!view.trained.empty())
    caption += ", and the share of trained units that are localized (discs, ± one standard error)";
  caption += fmt::format(
      "; b, loss; c, rate of the fastest perturbation, cut at ±{}; d, fields of the site-centred branch, or "
      "of what is stable, "
      "by {}.",
      visible_rate, view.parameter);
  return {
      "branches", caption, whole_mm, height, [view](Canvas& canvas) {
        const auto box = [](int column, int row) {
          return Box{left_mm + column * (across_mm + gap_mm), top_mm + row * (panel_mm + between_mm),
                     across_mm, panel_mm};
        };
        const Axis share = Axis::rounded(view.trained.empty() ? "concentration R₁" : "R₁, share localized",
                                         {0, 1}, intervals_in(panel_mm, y_label_mm));
        draw_panel(canvas, view, {box(0, 0), share, &BranchCurve::concentration});
        draw_trained(canvas, view, box(0, 0), share);
        draw_panel(
            canvas, view,
            {box(1, 0), axis_of(view, "loss", &BranchCurve::loss, panel_mm), &BranchCurve::loss, true});
        draw_panel(
            canvas, view,
            {box(0, 1),
             Axis::rounded("fastest rate", {-visible_rate, visible_rate}, intervals_in(panel_mm, y_label_mm)),
             &BranchCurve::fastest});
        draw_shapes(canvas, view, box(1, 1));
        for (const auto& [i, letter] :
             {std::pair{0, "a"}, std::pair{1, "b"}, std::pair{2, "c"}, std::pair{3, "d"}}) {
          const Box at = box(i % 2, i / 2);
          draw_panel_letter(canvas, {at.left - 12, at.top - 5.5}, letter);
        }
      }};
}

}  // namespace sluice::figure
