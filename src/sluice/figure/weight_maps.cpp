#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "sluice/figure/heat_map.hpp"
#include "sluice/figure/image_recipes.hpp"
#include "sluice/figure/recipes.hpp"
#include "sluice/figure/select.hpp"
#include "sluice/figure/text.hpp"

namespace sluice::figure {
namespace of_weight_maps {
namespace {

constexpr double column_mm = 86;  // one column of a journal
constexpr double left_mm = 14, top_mm = 7, bottom_mm = 11, bar_room_mm = 15;
constexpr std::size_t most_rows = 300;
constexpr std::size_t most_panels = 4;
constexpr double panel_mm = 32, panel_gap_mm = 4.5, panel_height_mm = 36;

ColorScale weight_scale(const std::vector<HeatMap>& maps) {
  double most = 0;
  for (const HeatMap& map : maps)
    for (const float w : map.values)
      if (std::isfinite(w)) most = std::max(most, std::abs(double{w}));
  return {ColorScale::Kind::diverging, most > 0 ? most : 1, "weight  w"};
}

}  // namespace
}  // namespace of_weight_maps

Figure unit_map(const RunView& run) {
  using namespace of_weight_maps;
  require_consistent(run);
  if (run.columns > 0) return map_of_images(run);
  std::vector<std::size_t> units(run.shown_units());
  std::iota(units.begin(), units.end(), std::size_t{0});
  units = ordered_by_position(run, units);
  HeatMap map{static_cast<std::size_t>(run.sites), units.size(), {}};
  for (const std::size_t k : units) {
    const auto field = run.field(run.times() - 1, k);
    map.values.insert(map.values.end(), field.begin(), field.end());
  }
  const double plot_mm = std::clamp(0.6 * static_cast<double>(units.size()), 24.0, 72.0);
  const bool averaged = units.size() > most_rows;
  return {"unit_map",
          fmt::format("Final weights of all {} units of {}, one row each, ordered from bottom to top by the "
                      "site of their "
                      "largest |w|.{}",
                      grouped(run.units), run.title,
                      averaged ? " Neighbouring rows are averaged for print." : ""),
          column_mm, top_mm + plot_mm + bottom_mm,
          [=, scale = weight_scale({map}), map = with_fewer_rows(map, most_rows),
           all = units.size()](Canvas& canvas) {
            const Box box{left_mm, top_mm, column_mm - left_mm - bar_room_mm, plot_mm};
            if (finite_range(map.values).empty()) return say_no_finite_data(canvas, box);
            draw_heat_map(canvas, box, map, scale, pixel_axis("site", map.columns, box.width),
                          pixel_axis("unit, by position", all, box.height));
            draw_color_bar(canvas, {box.right() + 2, box.top}, box.height, scale);
          }};
}

Figure time_map(const RunView& run) {
  using namespace of_weight_maps;
  require_consistent(run);
  const std::vector<std::size_t> units = most_localized(run, most_panels);
  std::vector<HeatMap> maps;
  std::vector<std::string> titles;
  for (const std::size_t k : units) {
    HeatMap map{static_cast<std::size_t>(run.sites), run.times(), {}};
    for (std::size_t t = 0; t < run.times(); ++t) {
      const auto field = run.field(t, k);
      map.values.insert(map.values.end(), field.begin(), field.end());
    }
    maps.push_back(with_fewer_rows(map, most_rows));
    std::string title = fmt::format("unit {}", k);
    if (std::isfinite(run.final_ipr(k))) title += fmt::format(", IPR {}", fixed(run.final_ipr(k), 2));
    titles.push_back(title);
  }
  const auto panels = static_cast<double>(std::max<std::size_t>(maps.size(), 1));
  const double width = left_mm + 2 + panels * (panel_mm + panel_gap_mm) + bar_room_mm - 2;
  return {
      "time_map",
      fmt::format("Weights of {}, of {}, over training, from bottom to top; units are counted from 0.",
                  most_localized_in_words(run, maps.size()), run.title),
      width, top_mm + panel_height_mm + bottom_mm,
      [=, scale = weight_scale(maps), steps = std::vector(run.step.begin(), run.step.end())](Canvas& canvas) {
        if (std::ranges::all_of(maps, [](const HeatMap& map) { return finite_range(map.values).empty(); }))
          return say_no_finite_data(canvas, {0, 0, width, panel_height_mm});
        for (std::size_t i = 0; i < maps.size(); ++i) {
          const Box box{left_mm + 2 + static_cast<double>(i) * (panel_mm + panel_gap_mm), top_mm, panel_mm,
                        panel_height_mm};
          canvas.fitted_text({box.left, top_mm - 2}, titles[i], {}, panel_mm);
          draw_heat_map(canvas, box, maps[i], scale, pixel_axis("site", maps[i].columns, panel_mm),
                        time_axis(steps, panel_height_mm),
                        i == 0 ? Plot::Labels::both : Plot::Labels::only_x);
        }
        const double right = left_mm + 2 + panels * (panel_mm + panel_gap_mm) - panel_gap_mm;
        draw_color_bar(canvas, {right + 2, top_mm}, panel_height_mm, scale);
      }};
}

namespace of_weight_maps {
namespace {

/// How many frequencies from 0 on hold 95 % of the power at the end, all units together, and one more; at least a third of them.
std::size_t frequencies_with_power(const PowerView& power, std::size_t units, std::size_t frequencies) {
  std::vector<double> sums(frequencies);
  double all = 0;
  const auto last = power.shares.last(std::min(power.shares.size(), units * frequencies));
  for (std::size_t i = 0; i < last.size(); ++i) {
    if (!std::isfinite(last[i])) continue;
    sums[i % frequencies] += last[i];
    all += last[i];
  }
  std::size_t shown = 0;
  for (double below = 0; shown < frequencies && !(below >= 0.95 * all && all > 0); ++shown)
    below += sums[shown];
  return std::min(frequencies, std::max(shown + 1, (frequencies + 2) / 3));
}

}  // namespace
}  // namespace of_weight_maps

Figure spectra(const RunView& run, const PowerView& power) {
  using namespace of_weight_maps;
  require_consistent(run);
  const std::size_t frequencies = static_cast<std::size_t>(run.sites / 2 + 1);
  const std::size_t units = run.shown_units();
  const std::size_t shown = frequencies_with_power(power, units, frequencies);
  HeatMap final_powers{shown, units, {}};
  HeatMap mean_powers{shown, run.times(), {}};
  if (units > 0) {
    const auto shares = [&](std::size_t t, std::size_t k) {
      return power.shares.subspan((t * units + k) * frequencies, frequencies);
    };
    const auto mean_frequency = [&](std::size_t k) {
      double mean = 0;
      const auto last = shares(run.times() - 1, k);
      for (std::size_t j = 0; j < frequencies; ++j) mean += static_cast<double>(j) * last[j];
      return mean;
    };
    std::vector<std::size_t> order(units);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, mean_frequency);
    for (const std::size_t k : order) {
      const auto last = shares(run.times() - 1, k);
      final_powers.values.insert(final_powers.values.end(), last.begin(),
                                 last.begin() + static_cast<std::ptrdiff_t>(shown));
    }
    for (std::size_t t = 0; t < run.times(); ++t) {
      std::vector<double> mean(frequencies);
      for (std::size_t k = 0; k < units; ++k)
        for (std::size_t j = 0; j < frequencies; ++j) mean[j] += shares(t, k)[j] / static_cast<double>(units);
      mean_powers.values.insert(mean_powers.values.end(), mean.begin(),
                                mean.begin() + static_cast<std::ptrdiff_t>(shown));
    }
  }
  const auto scale_of = [](const HeatMap& map) {
    const Interval range = finite_range(map.values);
    return ColorScale{ColorScale::Kind::sequential, !range.empty() && range.high > 0 ? range.high : 1,
                      "share"};
  };
  constexpr double width = 180, plot_mm = 58, height_mm = 44;
  return {
      "spectra",
      fmt::format(
          "Power in the real Fourier basis, {}. a, Mean over units during training, from bottom to top. b, "
          "Every "
          "unit at the end, ordered by mean frequency. Shares of Σw²; frequency in periods around the "
          "ring{}.",
          run.title,
          shown < frequencies
              ? fmt::format(
                    ", the lowest {} of {}: those with 95 % of the final power and one more, at least a "
                    "third of all",
                    shown, frequencies)
              : ""),
      width, top_mm + height_mm + bottom_mm,
      [=, mean = with_fewer_rows(mean_powers, most_rows), last = with_fewer_rows(final_powers, most_rows),
       steps = std::vector(run.step.begin(), run.step.end())](Canvas& canvas) {
        if (finite_range(last.values).empty()) return say_no_finite_data(canvas, {0, 0, width, height_mm});
        const Box first{left_mm + 2, top_mm, plot_mm, height_mm};
        const Box second{width / 2 + left_mm + 2, top_mm, plot_mm, height_mm};
        draw_panel_letter(canvas, {1, 1}, "a");
        draw_panel_letter(canvas, {width / 2 + 1, 1}, "b");
        draw_heat_map(canvas, first, mean, scale_of(mean), pixel_axis("frequency", shown, plot_mm),
                      time_axis(steps, height_mm));
        draw_color_bar(canvas, {first.right() + 2, top_mm}, height_mm, scale_of(mean));
        draw_heat_map(canvas, second, last, scale_of(last), pixel_axis("frequency", shown, plot_mm),
                      pixel_axis("unit, by mean frequency", units, height_mm));
        draw_color_bar(canvas, {second.right() + 2, top_mm}, height_mm, scale_of(last));
      }};
}

}  // namespace sluice::figure
