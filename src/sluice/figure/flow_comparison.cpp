#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "sluice/figure/plot.hpp"
#include "sluice/figure/recipes.hpp"
#include "sluice/figure/select.hpp"
#include "sluice/figure/text.hpp"
#include "sluice/math/fourier_basis.hpp"
#include "sluice/math/relative_distance.hpp"

namespace sluice::figure {
namespace of_flow_comparison {
namespace {

constexpr double width_mm = 180, height_mm = 58;
constexpr double left_mm = 15, top_mm = 7, plot_mm = 40, panel_mm = 42, gap_mm = 17;
constexpr std::size_t most_times = 3;  // more of one unit cover each other

struct Content {
  std::size_t unit = 0;
  std::vector<double> sites;
  std::vector<std::int64_t> drawn_steps;
  std::vector<std::vector<double>> trained, flowing;  // fields of the unit at the drawn times
  std::vector<double> frequencies, trained_power, flowing_power;
  std::vector<double> steps, distance;  // in per cent
};

std::vector<double> doubles(std::span<const float> values) { return {values.begin(), values.end()}; }

/// Σ over units of the squared amplitude at each frequency of the ring.
std::vector<double> power(std::span<const float> fields, std::size_t sites) {
  const math::FourierBasis basis(static_cast<std::int64_t>(sites));
  std::vector<double> sum(sites / 2 + 1);
  for (std::size_t first = 0; first < fields.size(); first += sites) {
    const std::vector<double> modes = basis.analyse(doubles(fields.subspan(first, sites)));
    for (std::size_t mode = 0; mode < modes.size(); ++mode) {
      sum[static_cast<std::size_t>(math::FourierBasis::frequency(static_cast<std::int64_t>(mode)))] +=
          modes[mode] * modes[mode];
    }
  }
  return sum;
}

Content content_of(const RunView& run) {
  Content content;
  const auto n = static_cast<std::size_t>(run.sites), all = n * static_cast<std::size_t>(run.units);
  const std::vector<std::size_t> units = most_localized(run, 1);
  content.unit = units.empty() ? 0 : units.front();
  content.sites.resize(n);
  std::iota(content.sites.begin(), content.sites.end(), 0.0);
  for (const std::size_t t : times_of_equal_progress(run, units, most_times)) {
    content.drawn_steps.push_back(run.step[t]);
    content.trained.push_back(doubles(run.field(t, content.unit)));
    content.flowing.push_back(doubles(run.flow.subspan(t * all + content.unit * n, n)));
  }
  for (std::size_t t = 0; t < run.times(); ++t) {
    content.steps.push_back(static_cast<double>(run.step[t]));
    content.distance.push_back(
        100 * math::relative_distance(run.weights.subspan(t * all, all), run.flow.subspan(t * all, all)));
  }
  if (run.times() > 0) {
    content.trained_power = power(run.weights.last(all), n);
    content.flowing_power = power(run.flow.last(all), n);
    content.frequencies.resize(content.trained_power.size());
    std::iota(content.frequencies.begin(), content.frequencies.end(), 0.0);
  }
  return content;
}

void draw_fields(Canvas& canvas, const Box& box, const Content& content) {
  Interval range;
  for (const auto* fields : {&content.trained, &content.flowing}) {
    for (const auto& field : *fields)
      for (const double w : field) range.include(w);
  }
  const Plot plot(canvas, box, Axis::snug("site", finite_range(content.sites), intervals_in(box.width, 7), 1),
                  Axis::rounded("weight  w", range, intervals_in(box.height, y_label_mm)));
  const std::size_t times = content.trained.size();
  for (std::size_t t = 0; t < times; ++t) {
    const double light =
        times > 1 ? 0.75 * static_cast<double>(times - 1 - t) / static_cast<double>(times - 1) : 0;
    canvas.text({box.right(), box.top - 1 + 2.9 * static_cast<double>(t)},
                "step " + grouped(content.drawn_steps[t]),
                {.size_pt = 6.5, .color = sequential(light), .across = 1});
    plot.curve(canvas, content.sites, content.trained[t], {sequential(light), 1.6});
    plot.curve(canvas, content.sites, content.flowing[t], {ink, 0.6, true});
  }
  plot.draw_axes(canvas);
}

void draw_spectrum(Canvas& canvas, const Box& box, const Content& content) {
  Interval range;
  range.include(0);
  for (const double p : content.trained_power) range.include(p);
  for (const double p : content.flowing_power) range.include(p);
  const Plot plot(canvas, box,
                  Axis::snug("frequency", finite_range(content.frequencies), intervals_in(box.width, 7), 1),
                  Axis::rounded("power  Σ û²", range, intervals_in(box.height, y_label_mm)));
  plot.curve(canvas, content.frequencies, content.flowing_power, {ink, 0.8});
  for (std::size_t k = 0; k < content.frequencies.size(); ++k)
    canvas.disc(plot.at(content.frequencies[k], content.trained_power[k]), 0.75, category(0));
  plot.draw_axes(canvas);
}

void draw_distance(Canvas& canvas, const Box& box, const Content& content) {
  Interval range;
  range.include(0);
  for (const double d : content.distance) range.include(d);
  const Plot plot(canvas, box, step_axis(finite_range(content.steps), box.width),
                  Axis::rounded("distance to the flow  (%)", range, intervals_in(box.height, y_label_mm)));
  plot.curve(canvas, content.steps, content.distance, {category(0), 0.9});
  plot.draw_axes(canvas);
}

}  // namespace
}  // namespace of_flow_comparison

Figure flow_comparison(const RunView& run) {
  using namespace of_flow_comparison;
  require_consistent(run);
  Content content = content_of(run);
  double worst = 0;
  for (const double distance : content.distance)
    if (std::isfinite(distance)) worst = std::max(worst, distance);  // from weights of 0 it begins as 0/0
  return {
      "flow_comparison",
      fmt::format(
          "Training of {} against its gradient flow, t = rate × step. a, Weights of unit {} during training "
          "(colour, early light, late dark) and on the flow (dashed). b, Final power spectrum, summed over "
          "units: training (points), flow (line). c, Relative distance ‖w − w_flow‖/‖w_flow‖ over all units; "
          "largest {} %.",
          run.title, content.unit, fixed(worst, 2)),
      width_mm, height_mm, [content = std::move(content)](Canvas& canvas) {
        if (content.trained.empty()) return say_no_finite_data(canvas, {0, 0, width_mm, height_mm});
        const auto box = [](int index) {
          return Box{left_mm + index * (panel_mm + gap_mm), top_mm, panel_mm, plot_mm};
        };
        for (int i = 0; i < 3; ++i) {
          draw_panel_letter(canvas, {box(i).left - left_mm + 1, 1},
                            std::string(1, static_cast<char>('a' + i)));
        }
        draw_fields(canvas, box(0), content);
        draw_spectrum(canvas, box(1), content);
        draw_distance(canvas, box(2), content);
      }};
}

}  // namespace sluice::figure
