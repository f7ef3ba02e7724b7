#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sluice/figure/canvas.hpp"
#include "sluice/figure/field_panel_view.hpp"
#include "sluice/figure/text.hpp"

namespace sluice::figure {
namespace of_field_panel {
namespace {

using Section = FieldPanelView::Section;
using Kind = FieldPanelView::Kind;
using Example = FieldPanelView::Example;

constexpr std::size_t most_examples = 5;
constexpr double width_mm = 180, margin_mm = 2, right_half_mm = 81;
constexpr double name_mm = 33, example_mm = 7.6, number_mm = 10;
constexpr double title_mm = 6, heads_mm = 5, row_mm = 6.2, section_gap_mm = 4;

/// Left those that must count, right the others.
std::vector<const Kind*> side_of(const Section& section, bool counts) {
  std::vector<const Kind*> kinds;
  for (const Kind& kind : section.kinds)
    if (kind.counts == counts) kinds.push_back(&kind);
  return kinds;
}

double rows_of(const Section& section) {
  return static_cast<double>(std::max(side_of(section, true).size(), side_of(section, false).size()));
}

double height_of(const Section& section) { return title_mm + heads_mm + rows_of(section) * row_mm; }

/// "100 %", "0.2 %": enough to tell it from none.
std::string percent(double share) {
  if (!std::isfinite(share)) return "";
  const double value = 100 * share;
  return fixed(value, value == std::round(value) ? 0 : 1) + " %";
}

double largest(const std::vector<float>& field) {
  double most = 0;
  for (const float w : field)
    if (std::isfinite(w)) most = std::max(most, std::abs(static_cast<double>(w)));
  return most > 0 ? most : 1;
}

void draw_curve(Canvas& canvas, const Box& box, const Example& example) {
  const double middle = box.center().y;
  canvas.line(std::vector<Point>{{box.left, middle}, {box.right(), middle}}, {hairline, 0.4});
  const double scale = 0.45 * box.height / largest(example.field);
  std::vector<Point> points;
  for (std::size_t i = 0; i < example.field.size(); ++i) {
    const double x = (static_cast<double>(i) + 0.5) / static_cast<double>(example.field.size());
    points.push_back({box.left + x * box.width, middle - scale * static_cast<double>(example.field[i])});
  }
  canvas.line(points, {example.localized ? category(0) : grey, 0.7});
}

void draw_image(Canvas& canvas, const Box& box, const Example& example, std::size_t across) {
  const double size = std::min(box.width, box.height), scale = largest(example.field);
  const Box image{box.center().x - size / 2, box.center().y - size / 2, size, size};
  std::vector<Color> pixels;
  for (const float w : example.field) pixels.push_back(diverging(static_cast<double>(w) / scale));
  canvas.image(image, pixels, across);
  const Stroke frame{example.localized ? category(0) : grey, example.localized ? 0.9 : 0.4};
  canvas.line(std::vector<Point>{{image.left, image.top},
                                 {image.right(), image.top},
                                 {image.right(), image.bottom()},
                                 {image.left, image.bottom()},
                                 {image.left, image.top}},
              frame);
}

void draw_kind(Canvas& canvas, Point corner, const Kind& kind, std::size_t side) {
  const double middle = corner.y + row_mm / 2;
  canvas.fitted_text({corner.x, middle}, kind.name, {.size_pt = 6.5, .up = 0.5}, name_mm - 1);
  for (std::size_t i = 0; i < std::min(most_examples, kind.examples.size()); ++i) {
    const Box box{corner.x + name_mm + static_cast<double>(i) * example_mm, corner.y + 0.4, example_mm - 0.8,
                  row_mm - 0.8};
    if (side > 0)
      draw_image(canvas, box, kind.examples[i], side);
    else
      draw_curve(canvas, box, kind.examples[i]);
  }
  const double numbers = corner.x + name_mm + most_examples * example_mm;
  canvas.text({numbers + number_mm - 1, middle}, percent(kind.share),
              {.size_pt = 6.5, .across = 1, .up = 0.5, .bold = true});
  canvas.text({numbers + 2 * number_mm - 1, middle}, percent(kind.shuffled),
              {.size_pt = 6.5, .color = grey, .across = 1, .up = 0.5});
}

void draw_half(Canvas& canvas, Point corner, const Section& section, bool counts) {
  const std::vector<const Kind*> kinds = side_of(section, counts);
  const double numbers = corner.x + name_mm + most_examples * example_mm;
  const double heads = corner.y + heads_mm - 1.5;
  canvas.text({corner.x, heads}, counts ? "must count" : "must not count", {.size_pt = 7, .bold = true});
  canvas.text({numbers + number_mm - 1, heads}, "localized", {.size_pt = 6, .across = 1, .bold = true});
  const bool shuffled =
      std::ranges::any_of(kinds, [](const Kind* kind) { return std::isfinite(kind->shuffled); });
  if (shuffled)
    canvas.text({numbers + 2 * number_mm - 1, heads}, "shuffled", {.size_pt = 6, .color = grey, .across = 1});
  for (std::size_t i = 0; i < kinds.size(); ++i)
    draw_kind(canvas, {corner.x, corner.y + heads_mm + static_cast<double>(i) * row_mm}, *kinds[i],
              section.side);
}

}  // namespace
}  // namespace of_field_panel

Figure field_panel(const FieldPanelView& view) {
  using namespace of_field_panel;
  double height = margin_mm;
  for (const Section& section : view.sections) height += height_of(section) + section_gap_mm;
  return {view.name,
          "Which receptive fields are localized. Drawn fields at random places, each on its own scale; in "
          "blue those that are "
          "localized, "
          "else grey. Numbers: percent of each kind that is localized and, in grey, of the same fields with "
          "their phases "
          "drawn at random.",
          width_mm, std::max(height, 2 * margin_mm), [view](Canvas& canvas) {
            double top = margin_mm;
            for (const Section& section : view.sections) {
              canvas.text({margin_mm, top + 1}, section.title, {.size_pt = 8, .up = 1, .bold = true});
              draw_half(canvas, {margin_mm, top + title_mm}, section, true);
              draw_half(canvas, {width_mm - margin_mm - right_half_mm, top + title_mm}, section, false);
              top += height_of(section) + section_gap_mm;
            }
          }};
}

}  // namespace sluice::figure
