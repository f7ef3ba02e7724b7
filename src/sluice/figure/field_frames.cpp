#include "sluice/figure/field_frames.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "sluice/figure/fields.hpp"
#include "sluice/figure/plot.hpp"
#include "sluice/figure/select.hpp"
#include "sluice/figure/text.hpp"

namespace sluice::figure {
namespace of_field_frames {
namespace {

constexpr std::size_t most_frames = 6;
constexpr double left_mm = 22, top_mm = 7, tile_mm = 22, gap_mm = 2, bottom_mm = 11, right_mm = 3;

struct Row {
  std::string title, ipr;
  std::vector<std::vector<float>> frames;
};

std::vector<Color> pixels_of(const std::vector<float>& field, double scale) {
  std::vector<Color> pixels;
  for (const float w : field) pixels.push_back(diverging(w / scale));
  return pixels;
}

}  // namespace
}  // namespace of_field_frames

Figure field_frames(const RunView& run, const std::vector<std::size_t>& units) {
  using namespace of_field_frames;
  const std::vector<std::size_t> times = times_of_equal_progress(run, units, most_frames);
  std::vector<Row> rows;
  std::optional<double> largest;
  for (const std::size_t k : units) {
    Row& row = rows.emplace_back(Row{fmt::format("unit {}", k), "", {}});
    if (std::isfinite(run.final_ipr(k))) row.ipr = "IPR " + fixed(run.final_ipr(k), 3);
    for (const std::size_t t : times) {
      const auto field = run.field(t, k);
      row.frames.emplace_back(field.begin(), field.end());
      for (const float w : field)
        if (std::isfinite(w)) largest = std::max(largest, std::optional(std::abs(double{w})));
    }
  }
  std::vector<std::string> steps;
  for (const std::size_t t : times) steps.push_back(grouped(run.step[t]));
  const auto place = [](std::size_t i) { return static_cast<double>(i) * (tile_mm + gap_mm); };
  const double width = left_mm + place(std::max<std::size_t>(times.size(), 1)) - gap_mm + right_mm;
  const double bottom = top_mm + place(std::max<std::size_t>(rows.size(), 1)) - gap_mm;
  return {
      "evolution",
      fmt::format("Weights of {}, of {}, at training steps from left to right, those at which the distance "
                  "to the final weights has fallen by equal parts; units are counted from 0. Blue below "
                  "zero, vermilion above, all on one scale.",
                  most_localized_in_words(run, units.size()), run.title),
      width, bottom + bottom_mm,
      [=, side = static_cast<std::size_t>(run.side), scale = scale_for(largest)](Canvas& canvas) {
        if (!largest) return say_no_finite_data(canvas, {0, 0, width, bottom});
        for (std::size_t t = 0; t < steps.size(); ++t)
          canvas.text({left_mm + place(t) + tile_mm / 2, top_mm - 1.5},
                      t == 0 ? "step " + steps[t] : steps[t], {.across = 0.5});
        for (std::size_t i = 0; i < rows.size(); ++i) {
          const double middle = top_mm + place(i) + tile_mm / 2;
          canvas.text({left_mm - 2, middle}, rows[i].title, {.across = 1});
          canvas.text({left_mm - 2, middle + 1}, rows[i].ipr,
                      {.size_pt = 6.5, .color = grey, .across = 1, .up = 1});
          for (std::size_t t = 0; t < rows[i].frames.size(); ++t)
            canvas.image({left_mm + place(t), top_mm + place(i), tile_mm, tile_mm},
                         pixels_of(rows[i].frames[t], scale), side);
        }
        std::vector<Color> bar;
        for (int i = -10; i <= 10; ++i) bar.push_back(diverging(i / 10.0));
        canvas.image({left_mm, bottom + 3, 20, 2}, bar, bar.size());
        canvas.text({left_mm + 22, bottom + 4}, "w = ±" + fixed(scale, 2), {.up = 0.5});
      }};
}

}  // namespace sluice::figure
