#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "sluice/figure/fields.hpp"
#include "sluice/figure/image_recipes.hpp"
#include "sluice/figure/plot.hpp"
#include "sluice/figure/recipes.hpp"
#include "sluice/figure/select.hpp"
#include "sluice/figure/text.hpp"

namespace sluice::figure {
namespace of_evolution {
namespace {

constexpr std::size_t most_units = 4, most_times = 8;
constexpr double height_mm = 47, left_mm = 14, right_mm = 21, panel_mm = 32, gap_mm = 4.5, top_mm = 7,
                 plot_mm = 31;

struct Panel {
  std::string title;
  std::vector<std::vector<double>> weights;  // one receptive field per chosen time
};

struct Content {
  std::vector<Panel> panels;
  std::vector<double> sites;
  std::vector<std::int64_t> steps;  // of the chosen times
  std::optional<double> largest;    // finite |w| of them all
};

Content chosen(const RunView& run) {
  Content content;
  content.sites.resize(static_cast<std::size_t>(run.sites));
  std::iota(content.sites.begin(), content.sites.end(), 0.0);
  const std::vector<std::size_t> units = most_localized(run, most_units);
  const std::vector<std::size_t> times = times_of_equal_progress(run, units, most_times);
  for (const std::size_t t : times) content.steps.push_back(run.step[t]);
  for (const std::size_t k : units) {
    Panel panel{fmt::format("unit {}", k), {}};
    if (std::isfinite(run.final_ipr(k))) panel.title += fmt::format(", IPR {}", fixed(run.final_ipr(k), 2));
    for (const std::size_t t : times) {
      const auto field = run.field(t, k);
      panel.weights.emplace_back(field.begin(), field.end());
      for (const float w : field)
        if (std::isfinite(w)) content.largest = std::max(content.largest, std::optional(std::abs(double{w})));
    }
    content.panels.push_back(std::move(panel));
  }
  return content;
}

// By rank, so that neighbouring times stay apart however close their steps are. Late is dark: the last field
// lies on top and must be the easiest to see on white.
Color time_color(std::size_t rank, std::size_t times) {
  constexpr double lightest = 0.95;
  return times > 1
             ? sequential(lightest * static_cast<double>(times - 1 - rank) / static_cast<double>(times - 1))
             : sequential(0);
}

Box panel_box(std::size_t index) {
  return {left_mm + static_cast<double>(index) * (panel_mm + gap_mm), top_mm, panel_mm, plot_mm};
}

void draw_panel(Canvas& canvas, const Content& content, std::size_t index) {
  const Panel& panel = content.panels[index];
  const double scale = 1.05 * scale_for(content.largest);
  const Plot plot(canvas, panel_box(index),
                  Axis::snug("site", finite_range(content.sites), intervals_in(panel_mm, 7), 1),
                  Axis::snug("weight  w", {-scale, scale}, intervals_in(plot_mm, y_label_mm)));
  canvas.fitted_text({plot.box().left, top_mm - 2}, panel.title, {}, panel_mm);
  const double zero = plot.at(0, 0).y;
  canvas.line(std::array{Point{plot.box().left, zero}, Point{plot.box().right(), zero}}, {hairline, 0.4});
  for (std::size_t t = 0; t < panel.weights.size(); ++t) {
    const bool is_last = t + 1 == panel.weights.size();
    plot.curve(canvas, content.sites, panel.weights[t],
               {time_color(t, panel.weights.size()), is_last ? 1.1 : 0.75});
  }
  plot.draw_axes(canvas, index == 0 ? Plot::Labels::both : Plot::Labels::only_x);
}

void draw_color_bar(Canvas& canvas, const std::vector<std::int64_t>& steps, double left) {
  canvas.text({left, top_mm - 2}, "step", {});
  const double block = plot_mm / most_times;
  double bottom = top_mm + block * static_cast<double>(steps.size());
  for (std::size_t t = 0; t < steps.size(); ++t, bottom -= block) {
    canvas.box({left, bottom - block, 2.5, block}, time_color(t, steps.size()));
    canvas.fitted_text({left + 3.5, bottom - block / 2}, grouped(steps[t]), {.size_pt = 6.5, .up = 0.5},
                       right_mm - gap_mm - 4);
  }
}

}  // namespace
}  // namespace of_evolution

Figure evolution(const RunView& run) {
  using namespace of_evolution;
  require_consistent(run);
  if (run.columns > 0) return evolution_of_images(run);
  Content content = chosen(run);
  const std::size_t panels = content.panels.size();
  const double bar_left = panel_box(std::max<std::size_t>(panels, 1) - 1).right() + gap_mm;
  const double width = bar_left - gap_mm + right_mm;
  return {"evolution",
          fmt::format("Weights of {}, of {}, during training, early light, late dark; units are counted from "
                      "0. The times "
                      "drawn are those at which the distance to the final weights has fallen by equal parts.",
                      most_localized_in_words(run, panels), run.title),
          width, height_mm, [content = std::move(content), bar_left, width](Canvas& canvas) {
            if (!content.largest) return say_no_finite_data(canvas, {0, 0, width, height_mm});
            for (std::size_t i = 0; i < content.panels.size(); ++i) draw_panel(canvas, content, i);
            draw_color_bar(canvas, content.steps, bar_left);
          }};
}

}  // namespace sluice::figure
