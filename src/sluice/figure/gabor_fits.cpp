#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "sluice/figure/fields.hpp"
#include "sluice/figure/plot.hpp"
#include "sluice/figure/recipes.hpp"
#include "sluice/figure/select.hpp"
#include "sluice/figure/text.hpp"

namespace sluice::figure {
namespace of_gabor_fits {
namespace {

constexpr std::size_t most_panels = 12, columns = 4;
constexpr double width_mm = 180, left_mm = 13, top_mm = 6, panel_mm = 38, panel_height_mm = 20, gap_mm = 3.8,
                 row_gap_mm = 5, bottom_mm = 11;
constexpr int points_per_site = 6;

struct Panel {
  std::string title;
  std::vector<double> weights;
  std::vector<double> fit_x, fit_y;
};

}  // namespace
}  // namespace of_gabor_fits

Figure gabor_fits(const RunView& run, const GaborView& gabor) {
  using namespace of_gabor_fits;
  require_consistent(run);
  const std::vector<std::size_t> units = ordered_by_position(run, some_units(run, most_panels));
  std::vector<Panel> panels;
  Interval range;
  for (const std::size_t k : units) {
    const auto field = run.field(run.times() - 1, k);
    Panel panel{fmt::format("unit {}: s {}, f {}, residual {}", k, fixed(gabor.width[k], 1),
                            fixed(gabor.frequency[k], 1), fixed(gabor.residual[k], 2)),
                {field.begin(), field.end()},
                {},
                {}};
    for (std::size_t i = 0; i + 1 < field.size() * points_per_site; ++i) {
      panel.fit_x.push_back(static_cast<double>(i) / points_per_site);
      panel.fit_y.push_back(gabor.value(k, panel.fit_x.back()));
    }
    for (const float w : field) range.include(w);
    panels.push_back(std::move(panel));
  }
  const std::size_t rows = std::max<std::size_t>(1, (panels.size() + columns - 1) / columns);
  const double height =
      top_mm + static_cast<double>(rows) * (panel_height_mm + row_gap_mm) - row_gap_mm + bottom_mm;
  return {
      "gabor_fits",
      fmt::format(
          "Final weights of {} units of {} (points), {}, ordered by position, and the Gabor function "
          "A exp(−d²/2s²) cos(2πfd/n + φ) nearest to each (line). s in sites, f in periods around the ring, "
          "residual √(Σ(w − g)²/Σw²).",
          panels.size(), run.title, how_chosen(run)),
      width_mm, height,
      [=, sites = static_cast<double>(run.sites),
       scale = 1.08 * scale_for(range.empty() ? std::optional<double>() : std::max(-range.low, range.high))](
          Canvas& canvas) {
        if (range.empty()) return say_no_finite_data(canvas, {0, 0, width_mm, height});
        for (std::size_t i = 0; i < panels.size(); ++i) {
          const std::size_t row = i / columns, column = i % columns;
          const Box box{left_mm + static_cast<double>(column) * (panel_mm + gap_mm),
                        top_mm + static_cast<double>(row) * (panel_height_mm + row_gap_mm), panel_mm,
                        panel_height_mm};
          const Plot plot(canvas, box,
                          Axis::snug("site", {0, std::max(sites - 1, 1.0)}, intervals_in(panel_mm, 7), 1),
                          Axis::snug("weight  w", {-scale, scale}, 3));
          canvas.fitted_text({box.left, box.top - 1}, panels[i].title, {.size_pt = 6}, panel_mm);
          const double zero = plot.at(0, 0).y;
          canvas.line(std::array{Point{box.left, zero}, Point{box.right(), zero}}, {hairline, 0.4});
          plot.curve(canvas, panels[i].fit_x, panels[i].fit_y, {category(1), 0.9});
          for (std::size_t site = 0; site < panels[i].weights.size(); ++site)
            if (std::isfinite(panels[i].weights[site]))
              canvas.disc(plot.at(static_cast<double>(site), panels[i].weights[site]), 0.42, category(0));
          const bool lowest = i + columns >= panels.size();
          plot.draw_axes(canvas, column == 0 ? (lowest ? Plot::Labels::both : Plot::Labels::only_y)
                                             : (lowest ? Plot::Labels::only_x : Plot::Labels::neither));
        }
      }};
}

}  // namespace sluice::figure
