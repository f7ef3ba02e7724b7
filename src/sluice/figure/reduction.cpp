#include <string>
#include <vector>

#include "sluice/figure/plot.hpp"
#include "sluice/figure/reduction_view.hpp"

namespace sluice::figure {
namespace of_reduction {
namespace {

constexpr double width_mm = 180, left_mm = 13, top_mm = 9, plot_mm = 38, gap_mm = 14, foot_mm = 11;

void draw_units(Canvas& canvas, const Box& box, const AlignedUnits& units) {
  // The middle of the ring in the middle of the panel.
  const std::size_t n = units.filter.size();
  const auto turned = [&](const std::vector<double>& field) {
    std::vector<double> out(n);
    for (std::size_t i = 0; i < n; ++i) out[i] = field[(i + n / 2) % n];
    return out;
  };
  std::vector<double> sites(n);
  Interval values{0, 0};
  const std::size_t middle = n - n / 2;
  for (std::size_t i = 0; i < n; ++i) sites[i] = static_cast<double>(i) - static_cast<double>(middle);
  for (const std::vector<double>& field : units.fields)
    for (const double value : field) values.include(value);
  const Plot plot(
      canvas, box,
      Axis::snug("site, aligned", {sites.front(), sites.back()}, intervals_in(box.width, x_label_mm), 1),
      Axis::rounded("weight", values, intervals_in(box.height, y_label_mm)));
  for (const std::vector<double>& field : units.fields)
    plot.curve(canvas, sites, turned(field), {grey.faded(0.35), 0.4});
  plot.curve(canvas, sites, turned(units.filter), {category(0), 1.1});
  plot.draw_axes(canvas);
  canvas.fitted_text({box.center().x, box.top - 1.5}, units.name, {.across = 0.5}, box.width + gap_mm / 2);
}

void draw_answers(Canvas& canvas, const Box& box, const AnswersView& view) {
  Interval x, y;
  for (const double value : view.full) x.include(value);
  for (const double value : view.reduced) y.include(value);
  const Plot plot(canvas, box, Axis::rounded("ŷ, full network", x, intervals_in(box.width, x_label_mm)),
                  Axis::rounded("ŷ, reduced", y, intervals_in(box.height, y_label_mm)));
  for (std::size_t i = 0; i < view.full.size(); ++i)
    canvas.disc(plot.at(view.full[i], view.reduced[i]), 0.4,
                category(view.which_class[i] == 0 ? 1 : 2).faded(0.5));
  plot.draw_axes(canvas);
  canvas.fitted_text({box.center().x, box.top - 1.5}, view.model, {.across = 0.5}, box.width + gap_mm / 2);
}

}  // namespace
}  // namespace of_reduction

Figure reduction(std::span<const AlignedUnits> populations, std::span<const AnswersView> answers) {
  using namespace of_reduction;
  const std::vector<AlignedUnits> units(populations.begin(), populations.end());
  const std::vector<AnswersView> views(answers.begin(), answers.end());
  return {"reduction",
          "The units of each population, moved around the ring and signed to lie on each other (grey), and "
          "the filter that is "
          "their mean (blue); then what reduced models answer against what the full network answers, a dot "
          "per input, "
          "coloured by class.",
          width_mm, top_mm + plot_mm + foot_mm, [units, views](Canvas& canvas) {
            const auto count = static_cast<double>(units.size() + views.size());
            const double width = (width_mm - left_mm - (count - 1) * gap_mm - 3) / count;
            Box box{left_mm, top_mm, width, plot_mm};
            char letter = 'a';
            const auto next = [&] {
              draw_panel_letter(canvas, {box.left - 11, 1.5}, std::string(1, letter++));
              box.left += width + gap_mm;
            };
            for (const AlignedUnits& population : units) {
              draw_units(canvas, box, population);
              next();
            }
            for (const AnswersView& view : views) {
              draw_answers(canvas, box, view);
              next();
            }
          }};
}

}  // namespace sluice::figure
