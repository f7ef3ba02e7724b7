#include "sluice/figure/cairo_pen.hpp"

#include <cairo.h>

#include <cmath>
#include <numbers>

#include "sluice/figure/pixels.hpp"

namespace sluice::figure {
namespace {

void set_color(cairo_t* context, const Color& color) {
  cairo_set_source_rgba(context, color.red, color.green, color.blue, color.alpha);
}

void set_font(cairo_t* context, const Lettering& text) {
  cairo_select_font_face(context, text.family.c_str(), CAIRO_FONT_SLANT_NORMAL,
                         text.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(context, text.size_pt * mm_per_pt);
}

}  // namespace

void CairoPen::stroke(const std::vector<std::vector<Point>>& pieces, const Stroke& stroke) {
  for (const std::vector<Point>& piece : pieces) {
    cairo_move_to(context_, piece.front().x, piece.front().y);
    // The first point again: a zero-length piece, which a round cap makes a dot.
    for (const Point& p : piece) cairo_line_to(context_, p.x, p.y);
  }
  set_color(context_, stroke.color);
  cairo_set_line_width(context_, stroke.width_pt * mm_per_pt);
  cairo_set_line_cap(context_, stroke.dashed ? CAIRO_LINE_CAP_BUTT : CAIRO_LINE_CAP_ROUND);
  cairo_set_line_join(context_, CAIRO_LINE_JOIN_ROUND);
  const double dash[] = {3 * mm_per_pt, 2 * mm_per_pt};
  cairo_set_dash(context_, dash, stroke.dashed ? 2 : 0, 0);
  cairo_stroke(context_);
}

void CairoPen::fill(std::span<const Point> corners, const Color& color) {
  for (const Point& p : corners) cairo_line_to(context_, p.x, p.y);
  cairo_close_path(context_);
  set_color(context_, color);
  cairo_fill(context_);
}

void CairoPen::disc(Point center, double radius, const Color& color) {
  cairo_new_sub_path(context_);
  cairo_arc(context_, center.x, center.y, radius, 0, 2 * std::numbers::pi);
  set_color(context_, color);
  cairo_fill(context_);
}

void CairoPen::image(const Box& box, std::span<const Color> pixels, std::size_t across) {
  const Surface surface = surface_of(pixels, across);
  const int width = cairo_image_surface_get_width(surface.get()),
            height = cairo_image_surface_get_height(surface.get());
  cairo_save(context_);
  cairo_translate(context_, box.left, box.top);
  cairo_scale(context_, box.width / width, box.height / height);
  cairo_set_source_surface(context_, surface.get(), 0, 0);
  cairo_pattern_set_filter(cairo_get_source(context_), CAIRO_FILTER_NEAREST);
  cairo_pattern_set_extend(cairo_get_source(context_), CAIRO_EXTEND_PAD);
  cairo_rectangle(context_, 0, 0, width, height);
  cairo_fill(context_);
  cairo_restore(context_);
}

void CairoPen::text(Point anchor, const Lettering& text, const Color& color, double across, double down,
                    bool upward) {
  const double left = across == 0 ? 0 : across * width(text);
  cairo_save(context_);
  cairo_translate(context_, anchor.x, anchor.y);
  if (upward) cairo_rotate(context_, -std::numbers::pi / 2);
  cairo_move_to(context_, -left, down);
  set_font(context_, text);
  set_color(context_, color);
  cairo_show_text(context_, text.line.c_str());
  cairo_restore(context_);
  cairo_new_path(context_);  // show_text leaves a current point, which the next polygon would start from
}

void CairoPen::clip(const Box& box) {
  cairo_save(context_);
  cairo_rectangle(context_, box.left, box.top, box.width, box.height);
  cairo_clip(context_);
}

void CairoPen::unclip() { cairo_restore(context_); }

double CairoPen::width(const Lettering& text) {
  set_font(context_, text);
  cairo_text_extents_t extents;
  cairo_text_extents(context_, text.line.c_str(), &extents);
  return extents.x_advance;
}

double CairoPen::capital_height(const Lettering& text) {
  set_font(context_, text);
  cairo_text_extents_t extents;
  cairo_text_extents(context_, "H", &extents);
  return extents.height;
}

}  // namespace sluice::figure
