#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "sluice/figure/plot.hpp"
#include "sluice/figure/recipes.hpp"

namespace sluice::figure {
namespace of_kinds {
namespace {

constexpr double width_mm = 86, left_mm = 14, top_mm = 4, plot_mm = 40, bottom_mm = 11, names_mm = 19;
constexpr std::array names{"flat", "oscillatory", "localized"};

}  // namespace
}  // namespace of_kinds

Figure kinds(const RunView& run, std::span<const std::int64_t> kind) {
  using namespace of_kinds;
  require_consistent(run);
  const std::vector<double> steps(run.step.begin(), run.step.end());
  std::array<std::vector<double>, names.size()> shares;
  const std::size_t units = run.shown_units();
  for (std::size_t t = 0; t < run.times(); ++t) {
    const auto now = kind.subspan(t * units, units);
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto count = std::ranges::count(now, static_cast<std::int64_t>(i));
      shares[i].push_back(100 * static_cast<double>(count) / static_cast<double>(units));
    }
  }
  return {"kinds",
          fmt::format("Kinds of receptive field of {} over training. Localized: its energy is concentrated, "
                      "more than random "
                      "phases would do; oscillatory: not localized, three "
                      "neighbouring frequencies from 2 on hold half of the power; flat: the rest.",
                      run.title),
          width_mm, top_mm + plot_mm + bottom_mm, [=](Canvas& canvas) {
            const Box box{left_mm, top_mm, width_mm - left_mm - names_mm, plot_mm};
            if (steps.empty()) return say_no_finite_data(canvas, box);
            const Plot plot(canvas, box, step_axis(finite_range(steps), box.width),
                            Axis::snug("share of units  (%)", {0, 100}, 5));
            std::vector<EndLabel> labels;
            for (std::size_t i = 0; i < names.size(); ++i) {
              plot.curve(canvas, steps, shares[i], {category(i), 1.1});
              labels.push_back({plot.at(steps.back(), shares[i].back()).y, names[i], category(i)});
            }
            plot.draw_axes(canvas);
            draw_end_labels(canvas, {box.right() + 1.5, box.top, names_mm - 2, box.height}, labels);
          }};
}

}  // namespace sluice::figure
