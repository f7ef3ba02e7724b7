#include "sluice/figure/canvas.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "sluice/figure/pen.hpp"
#include "sluice/figure/shown_line.hpp"
#include "sluice/figure/text.hpp"
#include "sluice/math/stopping.hpp"

namespace sluice::figure {
namespace {

constexpr double recipe_pt = 7;           // of labels, as recipes have them
constexpr double smallest_pt = 5;         // what can still be read in print
constexpr double dejavu_capital = 0.729;  // height of a capital in units of the font size

bool is_finite(Point p) { return std::isfinite(p.x) && std::isfinite(p.y); }

std::string one_line(std::string_view text) {
  std::string line = clean_text(text);
  std::ranges::replace_if(
      line, [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return line;
}

void drop_last_character(std::string& utf8) {
  while (!utf8.empty() && (static_cast<unsigned char>(utf8.back()) & 0xC0) == 0x80) utf8.pop_back();
  if (!utf8.empty()) utf8.pop_back();
}

}  // namespace

Canvas::Canvas(Pen& pen, const Style& style, double across, double down)
    : pen_(pen),
      style_(style),
      across_(across),
      down_(down),
      type_(style.font_pt / recipe_pt * std::clamp(std::min(across, down), smallest_pt / recipe_pt, 1.0)) {}

Color Canvas::paint(const Color& color) {
  if (color.role != Color::Role::fixed) styled_.palette = true;
  return painted(color, style_.palette);
}

Lettering Canvas::lettering(std::string_view text, const TextStyle& style) const {
  return {one_line(text), style_.font, style.size_pt * type_, style.bold};
}

double Canvas::capital_height(const Lettering& text) {
  return text.family == Style{}.font ? dejavu_capital * text.size_pt * mm_per_pt : pen_.capital_height(text);
}

void Canvas::line(std::span<const Point> points, const Stroke& stroke) {
  math::stop_if_asked();
  std::vector<std::vector<Point>> pieces;
  bool pen_down = false;
  for (const Point& p : points) {
    if (!is_finite(p)) {
      pen_down = false;
      continue;
    }
    if (!pen_down) pieces.emplace_back();
    pieces.back().push_back(placed(p));
    pen_down = true;
  }
  for (std::vector<Point>& piece : pieces) piece = shown_line(std::move(piece));
  Stroke painted_stroke = stroke;
  painted_stroke.color = paint(stroke.color);
  if (!pieces.empty()) pen_.stroke(pieces, painted_stroke);
}

void Canvas::polygon(std::span<const Point> corners, const Color& fill) {
  std::vector<Point> finite;
  for (const Point& p : corners)
    if (is_finite(p)) finite.push_back(placed(p));
  if (!finite.empty()) pen_.fill(shown_line(std::move(finite)), paint(fill));
}

void Canvas::box(const Box& box, const Color& fill) {
  const Box at = placed(box);
  const std::vector<Point> corners{
      {at.left, at.top}, {at.right(), at.top}, {at.right(), at.bottom()}, {at.left, at.bottom()}};
  pen_.fill(corners, paint(fill));
}

void Canvas::image(const Box& box, std::span<const Color> pixels, std::size_t across) {
  std::vector<Color> painted_pixels;
  painted_pixels.reserve(pixels.size());
  for (const Color& pixel : pixels) painted_pixels.push_back(paint(pixel));
  pen_.image(placed(box), painted_pixels, across);
}

void Canvas::disc(Point center, double radius, const Color& fill) {
  if (is_finite(center)) pen_.disc(placed(center), radius, paint(fill));
}

void Canvas::text(Point anchor, std::string_view text, const TextStyle& style) {
  const Lettering set = lettering(text, style);
  pen_.text(placed(anchor), set, paint(style.color), style.across,
            style.up == 0 ? 0 : style.up * capital_height(set), style.upward);
}

void Canvas::fitted_text(Point anchor, std::string_view text, TextStyle style, double width) {
  const double natural = text_width(text, style);
  const double smallest = std::min(style.size_pt, smallest_pt / type_);
  if (natural > width) style.size_pt = std::max(smallest, style.size_pt * width / natural);
  std::string line = one_line(text);
  if (text_width(line, style) > width * 1.001) {  // rounding of the line above is not a reason to cut
    const double share = width / text_width(line, style);  // much too long: most of it goes at once
    if (const auto most = static_cast<std::size_t>(2 * share * static_cast<double>(line.size())) + 64;
        most < line.size()) {
      line.resize(most + 1);
      drop_last_character(line);
    }
    while (!line.empty() && text_width(line + "…", style) > width) drop_last_character(line);
    line += "…";
  }
  this->text(anchor, line, style);
}

double Canvas::text_width(std::string_view text, const TextStyle& style) {
  return pen_.width(lettering(text, style)) / (style.upward ? down_ : across_);
}

Canvas::Clip::Clip(Canvas& canvas, const Box& box) : pen_(canvas.pen_) { pen_.clip(canvas.placed(box)); }
Canvas::Clip::~Clip() { pen_.unclip(); }

}  // namespace sluice::figure
