#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sluice/figure/fields.hpp"
#include "sluice/figure/image_recipes.hpp"
#include "sluice/figure/plane_power.hpp"
#include "sluice/figure/select.hpp"
#include "sluice/figure/text.hpp"

namespace sluice::figure {
namespace of_plane_spectra {
namespace {

constexpr std::size_t most_panels = 8, most_rows = 300;
constexpr double width_mm = 180, left_mm = 16, top_mm = 7, map_mm = 44, time_mm = 58, bottom_mm = 13;
constexpr double below_mm = top_mm + map_mm + bottom_mm;  // where panel c begins
constexpr double cell_mm = 17, gap_mm = 1.5, between_mm = 5.5, tallest_mm = 34, margin_mm = 2;

struct Panel {
  Tile field;
  HeatMap power;
  std::string title;
};

ColorScale scale_of(std::span<const HeatMap> maps) {
  Interval range;
  for (const HeatMap& map : maps)
    for (const float value : map.values) range.include(value);
  return {ColorScale::Kind::sequential, !range.empty() && range.high > 0 ? range.high : 1, "share", true};
}

}  // namespace
}  // namespace of_plane_spectra

Figure spectra_of_images(const RunView& run, std::span<const float> power, bool torus) {
  using namespace of_plane_spectra;
  require_consistent(run);
  const auto rows = static_cast<std::size_t>(run.rows()), columns = static_cast<std::size_t>(run.columns);
  const std::size_t waves = rows * (columns / 2 + 1), fields = run.shown_units();
  const auto at_time = [&](std::size_t t) {
    return mean_power(power.subspan(t * fields * waves, fields * waves), rows, columns);
  };
  const PlanePower last = fields > 0 ? at_time(run.times() - 1) : mean_power({}, rows, columns);
  const std::size_t most = periods_with_power(last);
  const HeatMap mean = power_map(last, most);
  HeatMap lengths{most + 1, run.times(), {}};
  for (std::size_t t = 0; t < run.times(); ++t) {
    const std::vector<float> row = power_of_lengths(at_time(t), most);
    lengths.values.insert(lengths.values.end(), row.begin(), row.end());
  }
  const std::vector<std::size_t> units = ordered_by_position(run, some_units(run, most_panels));
  const std::vector<Tile> tiles = final_tiles(run, units);
  std::vector<Panel> panels;
  std::vector<HeatMap> maps;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const auto shares = power.subspan(((run.times() - 1) * fields + units[i]) * waves, waves);
    maps.push_back(power_map({rows, columns, {shares.begin(), shares.end()}}, most));
    panels.push_back({tiles[i], maps.back(), fmt::format("unit {}", units[i])});
  }
  const double tall = static_cast<double>(rows) / static_cast<double>(columns);
  const double field_mm = std::min(cell_mm * tall, tallest_mm);
  const double powers_top = below_mm + top_mm + field_mm + between_mm;
  const std::size_t side = last.side();
  const Periods across = periods_along(columns, most, side), up = periods_along(rows, most, side);
  return {
      "spectra",
      fmt::format(
          "Power of the fields of {} over wave vectors, as shares of Σw². a, Mean over units at the end, "
          "over "
          "periods across and up the {}. b, Mean over units and over all waves of one length |k|, in periods "
          "per {} sites, during training, from bottom to top. c, Final weights of {} units, {}, ordered by "
          "position, and their power as in a. Colours go with the square root.{}{}",
          run.title, torus ? "torus" : "image", side, panels.size(), how_chosen(run),
          most < side / 2
              ? fmt::format(" At most {} periods of {} are shown: those with 95 % of the final power and one "
                            "more, at least a third of all.",
                            most, side / 2)
              : "",
          torus ? ""
                : " Images are taken as they are, continued periodically without a window: borders that do "
                  "not match add power along the axes."),
      width_mm, powers_top + cell_mm + margin_mm,
      [=, times = with_fewer_rows(lengths, most_rows), steps = std::vector(run.step.begin(), run.step.end()),
       powers = scale_of(maps),
       weights = ColorScale{ColorScale::Kind::diverging, scale_for(largest_weight(tiles)), "weight  w"}](
          Canvas& canvas) {
        if (finite_range(mean.values).empty()) return say_no_finite_data(canvas, {0, 0, width_mm, below_mm});
        const Box first{left_mm, top_mm, map_mm, map_mm},
            second{width_mm / 2 + left_mm, top_mm, time_mm, map_mm};
        draw_panel_letter(canvas, {1, 1}, "a");
        draw_panel_letter(canvas, {width_mm / 2 + 1, 1}, "b");
        draw_panel_letter(canvas, {1, below_mm + 1}, "c");
        draw_heat_map(canvas, first, mean, scale_of({&mean, 1}),
                      pixel_axis("periods across", across.count(), map_mm, across.first),
                      pixel_axis("periods up", up.count(), map_mm, up.first));
        draw_color_bar(canvas, {first.right() + 2, top_mm}, map_mm, scale_of({&mean, 1}));
        draw_heat_map(canvas, second, times, scale_of({&times, 1}),
                      pixel_axis("periods  |k|", times.columns, time_mm), time_axis(steps, map_mm));
        draw_color_bar(canvas, {second.right() + 2, top_mm}, map_mm, scale_of({&times, 1}));
        const double fields_top = below_mm + top_mm;
        canvas.text({left_mm - 2, fields_top + field_mm / 2}, "field", {.across = 1, .up = 0.5});
        canvas.text({left_mm - 2, powers_top + cell_mm / 2}, "power", {.across = 1, .up = 0.5});
        for (std::size_t i = 0; i < panels.size(); ++i) {
          const double left = left_mm + static_cast<double>(i) * (cell_mm + gap_mm);
          canvas.fitted_text({left, fields_top - 1.5}, panels[i].title, {.size_pt = 6.5}, cell_mm);
          draw_frame(canvas, draw_image(canvas, {left, fields_top, cell_mm, field_mm},
                                        panels[i].field.weights, columns, weights.most));
          draw_pixels(canvas, {left, powers_top, cell_mm, cell_mm}, panels[i].power, powers);
        }
        const double right = left_mm + static_cast<double>(panels.size()) * (cell_mm + gap_mm) + 0.5;
        draw_color_bar(canvas, {right, fields_top}, field_mm, weights);
        draw_color_bar(canvas, {right, powers_top}, cell_mm, powers);
      }};
}

}  // namespace sluice::figure
