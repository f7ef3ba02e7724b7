#include <fmt/format.h>

#include <string>
#include <vector>

#include "sluice/figure/plot.hpp"
#include "sluice/figure/populations.hpp"
#include "sluice/figure/recipes.hpp"

namespace sluice::figure {
namespace of_unit_curves {
namespace {

constexpr std::size_t columns = 3;
constexpr double width_mm = 180, left_mm = 15, top_mm = 6, plot_mm = 42, height_mm = 30, gap_mm = 17,
                 row_gap_mm = 17, bottom_mm = 11;

struct Panel {
  std::string label;
  std::vector<Spread> spreads;  ///< one per population

  Interval range() const {
    Interval range;
    for (const Spread& spread : spreads)
      for (const std::vector<double>* values : {&spread.lower, &spread.mean, &spread.upper})
        for (const double value : *values) range.include(value);
    return range;
  }
};

void draw(Canvas& canvas, const Box& box, const std::vector<double>& steps, const Panel& panel, bool two) {
  const Plot plot(canvas, box, step_axis(finite_range(steps), box.width),
                  Axis::adaptive(panel.label, panel.range(), intervals_in(box.height, y_label_mm)));
  if (panel.range().empty()) say_no_finite_data(canvas, box);
  for (std::size_t p = 0; p < panel.spreads.size(); ++p)
    plot.band(canvas, steps, panel.spreads[p].lower, panel.spreads[p].upper, category(p).faded(0.2));
  for (std::size_t p = 0; p < panel.spreads.size(); ++p)
    plot.curve(canvas, steps, panel.spreads[p].mean, {category(p), 1.1, two && p == 1});
  plot.draw_axes(canvas);
}

}  // namespace
}  // namespace of_unit_curves

Figure unit_curves(const RunView& run, std::span<const UnitNumbers> numbers) {
  using namespace of_unit_curves;
  require_consistent(run);
  const std::vector<Population> both = populations(run.shown_units(), run.localized);
  std::vector<Panel> panels;
  for (const UnitNumbers& each : numbers) {
    Panel& panel = panels.emplace_back(Panel{each.label, {}});
    for (const Population& population : both)
      panel.spreads.push_back(spread_over(each.values, run.times(), population.units));
  }
  const std::size_t rows = (panels.size() + columns - 1) / columns;
  const double height =
      top_mm + static_cast<double>(rows) * (height_mm + row_gap_mm) - row_gap_mm + bottom_mm;
  const bool two = both.size() > 1;
  return {
      "unit_curves",
      fmt::format(
          "Numbers of the units of {} over training: mean (line) and quartiles (band){}.", run.title,
          two ? fmt::format(
                    ", of the {:.0f} % that are localized at the end (blue) and of the others (red, dashed)",
                    100 * both.front().share)
              : std::string()),
      width_mm, height,
      [panels, two, steps = std::vector<double>(run.step.begin(), run.step.end())](Canvas& canvas) {
        for (std::size_t i = 0; i < panels.size(); ++i) {
          const std::size_t row = i / columns, column = i % columns;
          const Box box{left_mm + static_cast<double>(column) * (plot_mm + gap_mm),
                        top_mm + static_cast<double>(row) * (height_mm + row_gap_mm), plot_mm, height_mm};
          draw_panel_letter(canvas, {box.left - left_mm + 1, box.top - top_mm + 1},
                            std::string(1, static_cast<char>('a' + i)));
          draw(canvas, box, steps, panels[i], two);
        }
      }};
}

}  // namespace sluice::figure
