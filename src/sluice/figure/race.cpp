#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "sluice/figure/plot.hpp"
#include "sluice/figure/race_view.hpp"

namespace sluice::figure {
namespace of_race {
namespace {

constexpr double race_width_mm = 180, race_left_mm = 15, race_top_mm = 7, race_plot_mm = 44, race_gap_mm = 17,
                 race_foot_mm = 11, race_names_mm = 30;

/// Colours repeat after seven: those behind are dashed.
Stroke stroke_of_racer(std::size_t index) { return {category(index), 1.0, index >= 7}; }

std::vector<double> counted(std::size_t size) {
  std::vector<double> numbers(size);
  for (std::size_t i = 0; i < size; ++i) numbers[i] = static_cast<double>(i + 1);
  return numbers;
}

void draw_spectra(Canvas& canvas, const Box& box, const std::vector<Racer>& racers) {
  Interval modes{1, 2}, values;
  for (const Racer& racer : racers) {
    modes.include(static_cast<double>(racer.lambda.size()));
    for (const double lambda : racer.lambda) values.include(lambda);
  }
  const Plot plot(canvas, box, Axis::adaptive("mode", modes, intervals_in(box.width, x_label_mm)),
                  Axis::adaptive("eigenvalue λ of A", values, intervals_in(box.height, y_label_mm)));
  for (std::size_t k = 0; k < racers.size(); ++k) {
    const Racer& racer = racers[k];
    const std::vector<double> mode = counted(racer.lambda.size());
    plot.curve(canvas, mode, racer.lambda, stroke_of_racer(k));
    double all = 0;
    for (const double loss : racer.carried) all += loss;
    for (std::size_t i = 0; i < mode.size(); ++i) {  // an area for the share of what is learned
      const double share = all > 0 ? racer.carried[i] / all : 0;
      if (share > 0.005)
        canvas.disc(plot.at(mode[i], racer.lambda[i]), 2.2 * std::sqrt(share), category(k).faded(0.55));
    }
  }
  plot.draw_axes(canvas);
}

void draw_losses(Canvas& canvas, const Box& box, const std::vector<double>& times,
                 const std::vector<Racer>& racers) {
  Interval losses;
  for (const Racer& racer : racers)
    for (const double loss : racer.loss) losses.include(loss);
  const Plot plot(
      canvas, box,
      Axis::adaptive("time  t = rate × step", finite_range(times), intervals_in(box.width, x_label_mm)),
      Axis::rounded("loss", losses, intervals_in(box.height, y_label_mm)));
  for (std::size_t k = 0; k < racers.size(); ++k)
    plot.curve(canvas, times, racers[k].loss, stroke_of_racer(k));
  plot.draw_axes(canvas);
}

void draw_winners(Canvas& canvas, const Box& box, const std::vector<Racer>& racers) {
  Interval halves, limits;
  for (const Racer& racer : racers) {
    if (!std::isfinite(racer.half_time)) continue;
    halves.include(racer.half_time);
    limits.include(racer.limit);
  }
  if (halves.empty()) return say_no_finite_data(canvas, box);
  const Plot plot(
      canvas, box,
      Axis::adaptive("time to half of the reduction", halves, intervals_in(box.width, x_label_mm)),
      Axis::rounded("limiting loss", limits, intervals_in(box.height, y_label_mm)));
  std::vector<EndLabel> labels;
  for (std::size_t k = 0; k < racers.size(); ++k) {
    if (!std::isfinite(racers[k].half_time)) {  // it learns nothing: named, without a place
      labels.push_back({box.top, racers[k].label + " (never)", category(k)});
      continue;
    }
    const Point at = plot.at(racers[k].half_time, racers[k].limit);
    canvas.disc(at, 1.1, category(k));
    labels.push_back({at.y, racers[k].label, category(k)});
  }
  plot.draw_axes(canvas);
  draw_end_labels(canvas, {box.right() + 1.5, box.top, race_names_mm - 2, box.height}, labels);
}

}  // namespace
}  // namespace of_race

Figure race(std::span<const double> times, std::span<const Racer> racers) {
  using namespace of_race;
  const std::vector<double> t(times.begin(), times.end());
  const std::vector<Racer> all(racers.begin(), racers.end());
  const double width = (race_width_mm - race_left_mm - 2 * race_gap_mm - race_names_mm) / 3;
  return {"race",
          "A race of gating structures. Left: eigenvalues of A, the area of a disc is the share of the "
          "achievable reduction "
          "that the mode carries. Middle: the loss in closed form from w = 0. Right: the time to half of the "
          "achievable "
          "reduction against the limiting loss; the lower left wins both.",
          race_width_mm, race_top_mm + race_plot_mm + race_foot_mm, [t, all, width](Canvas& canvas) {
            const auto panel = [&](int i) {
              return Box{race_left_mm + i * (width + race_gap_mm), race_top_mm, width, race_plot_mm};
            };
            draw_spectra(canvas, panel(0), all);
            draw_losses(canvas, panel(1), t, all);
            draw_winners(canvas, panel(2), all);
            for (const auto& [i, letter] : {std::pair{0, "a"}, std::pair{1, "b"}, std::pair{2, "c"}})
              draw_panel_letter(canvas, {panel(i).left - 11, 1.5}, letter);
          }};
}

}  // namespace sluice::figure
