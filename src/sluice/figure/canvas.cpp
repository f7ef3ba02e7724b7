#include "sluice/figure/canvas.hpp"

#include <cairo.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numbers>
#include <string>

#include "sluice/figure/text.hpp"

namespace sluice::figure {
namespace {

constexpr double mm_per_pt = 25.4 / 72;
constexpr double capital_height = 0.729;  // of DejaVu Sans, in units of the font size
constexpr double smallest_pt = 5;         // what can still be read in print

bool is_finite(Point p) { return std::isfinite(p.x) && std::isfinite(p.y); }

void set_color(cairo_t* context, const Color& color) {
  cairo_set_source_rgba(context, color.red, color.green, color.blue, color.alpha);
}

void set_font(cairo_t* context, const TextStyle& style) {
  cairo_select_font_face(context, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                         style.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(context, style.size_pt * mm_per_pt);
}

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

void Canvas::line(std::span<const Point> points, const Stroke& stroke) {
  bool pen_down = false;
  for (const Point& p : points) {
    if (!is_finite(p)) {
      pen_down = false;
      continue;
    }
    if (!pen_down) cairo_move_to(context_, p.x, p.y);
    cairo_line_to(context_, p.x, p.y);  // after move_to: a zero-length piece, which a round cap makes a dot
    pen_down = true;
  }
  set_color(context_, stroke.color);
  cairo_set_line_width(context_, stroke.width_pt * mm_per_pt);
  cairo_set_line_cap(context_, stroke.dashed ? CAIRO_LINE_CAP_BUTT : CAIRO_LINE_CAP_ROUND);
  cairo_set_line_join(context_, CAIRO_LINE_JOIN_ROUND);
  const double dash[] = {3 * mm_per_pt, 2 * mm_per_pt};
  cairo_set_dash(context_, dash, stroke.dashed ? 2 : 0, 0);
  cairo_stroke(context_);
}

void Canvas::polygon(std::span<const Point> corners, const Color& fill) {
  for (const Point& p : corners)
    if (is_finite(p)) cairo_line_to(context_, p.x, p.y);
  cairo_close_path(context_);
  set_color(context_, fill);
  cairo_fill(context_);
}

void Canvas::box(const Box& box, const Color& fill) {
  cairo_rectangle(context_, box.left, box.top, box.width, box.height);
  set_color(context_, fill);
  cairo_fill(context_);
}

void Canvas::image(const Box& box, std::span<const Color> pixels, std::size_t across) {
  const auto width = static_cast<int>(across), height = static_cast<int>(pixels.size() / across);
  cairo_surface_t* surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
  cairo_surface_flush(surface);
  unsigned char* row = cairo_image_surface_get_data(surface);
  const auto channel = [](double value) { return static_cast<std::uint32_t>(std::lround(255 * value)); };
  for (int y = 0; y < height; ++y, row += cairo_image_surface_get_stride(surface)) {
    for (std::size_t x = 0; x < across; ++x) {
      const Color& color = pixels[static_cast<std::size_t>(y) * across + x];
      const std::uint32_t pixel = channel(color.red) << 16 | channel(color.green) << 8 | channel(color.blue);
      std::memcpy(row + 4 * x, &pixel, sizeof pixel);
    }
  }
  cairo_surface_mark_dirty(surface);
  cairo_save(context_);
  cairo_translate(context_, box.left, box.top);
  cairo_scale(context_, box.width / width, box.height / height);
  cairo_set_source_surface(context_, surface, 0, 0);
  cairo_pattern_set_filter(cairo_get_source(context_), CAIRO_FILTER_NEAREST);
  cairo_pattern_set_extend(cairo_get_source(context_), CAIRO_EXTEND_PAD);
  cairo_rectangle(context_, 0, 0, width, height);
  cairo_fill(context_);
  cairo_restore(context_);
  cairo_surface_destroy(surface);
}

void Canvas::disc(Point center, double radius, const Color& fill) {
  if (!is_finite(center)) return;
  cairo_new_sub_path(context_);
  cairo_arc(context_, center.x, center.y, radius, 0, 2 * std::numbers::pi);
  set_color(context_, fill);
  cairo_fill(context_);
}

void Canvas::text(Point anchor, std::string_view text, const TextStyle& style) {
  const std::string line = one_line(text);
  const double shift_left = style.across == 0 ? 0 : style.across * text_width(line, style);
  const double shift_down = style.up * capital_height * style.size_pt * mm_per_pt;
  cairo_save(context_);
  cairo_translate(context_, anchor.x, anchor.y);
  if (style.upward) cairo_rotate(context_, -std::numbers::pi / 2);
  cairo_move_to(context_, -shift_left, shift_down);
  set_font(context_, style);
  set_color(context_, style.color);
  cairo_show_text(context_, line.c_str());
  cairo_restore(context_);
  cairo_new_path(context_);  // show_text leaves a current point, which the next polygon would start from
}

void Canvas::fitted_text(Point anchor, std::string_view text, TextStyle style, double width) {
  const double natural = text_width(text, style);
  if (natural > width) style.size_pt = std::max(smallest_pt, style.size_pt * width / natural);
  std::string line = one_line(text);
  if (text_width(line, style) > width * 1.001) {  // rounding of the line above is not a reason to cut
    while (!line.empty() && text_width(line + "…", style) > width) drop_last_character(line);
    line += "…";
  }
  this->text(anchor, line, style);
}

double Canvas::text_width(std::string_view text, const TextStyle& style) {
  set_font(context_, style);
  cairo_text_extents_t extents;
  cairo_text_extents(context_, one_line(text).c_str(), &extents);
  return extents.x_advance;
}

}  // namespace sluice::figure
