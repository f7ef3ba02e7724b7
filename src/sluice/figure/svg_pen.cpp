#include "sluice/figure/svg_pen.hpp"

#include <cairo.h>
#include <fmt/format.h>

#include <cmath>
#include <string_view>
#include <utility>

#include "sluice/figure/html.hpp"
#include "sluice/figure/page_data.hpp"

namespace sluice::figure {
namespace {

/// Millimetres as points, to a thousandth, without a tail of zeros.
std::string pt(double mm) {
  std::string text = fmt::format("{:.3f}", mm / mm_per_pt);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string number(double value) { return fmt::format("{:.3g}", value); }

/// fill="#0072b2" fill-opacity="0.2"
std::string paint(std::string_view what, const Color& color) {
  const auto channel = [](double value) { return std::lround(255 * value); };
  std::string text = fmt::format(R"({}="#{:02x}{:02x}{:02x}")", what, channel(color.red),
                                 channel(color.green), channel(color.blue));
  if (color.alpha < 1) text += fmt::format(R"( {}-opacity="{}")", what, number(color.alpha));
  return text;
}

std::string path(std::span<const Point> points) {
  std::string d;
  for (const Point& p : points) d += fmt::format("{}{} {}", d.empty() ? "M" : "L", pt(p.x), pt(p.y));
  return d;
}

constexpr double kPixelsPerMm = 40;  // fine enough that widths do not depend on it

}  // namespace

SvgPen::SvgPen(double width_mm, double height_mm)
    : paper_(cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1)),
      context_(context_on(paper_.get(), kPixelsPerMm)),
      ruler_(context_.get()) {
  svg_ = fmt::format(
      R"(<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="{0}pt" height="{1}pt" viewBox="0 0 {0} {1}" version="1.1">
<rect width="{0}" height="{1}" fill="#ffffff"/>
)",
      pt(width_mm), pt(height_mm));
}

void SvgPen::stroke(const std::vector<std::vector<Point>>& pieces, const Stroke& stroke) {
  std::string d;
  for (const std::vector<Point>& piece : pieces) {
    d += path(piece);
    if (piece.size() == 1) d += "h0";  // a round cap makes it a dot
  }
  if (d.empty()) return;
  svg_ += fmt::format(
      R"(<path d="{}" fill="none" {} stroke-width="{}" stroke-linejoin="round" stroke-linecap="{}"{}/>)"
      "\n",
      d, paint("stroke", stroke.color), number(stroke.width_pt), stroke.dashed ? "butt" : "round",
      stroke.dashed ? R"( stroke-dasharray="3,2")" : "");
}

void SvgPen::fill(std::span<const Point> corners, const Color& color) {
  if (corners.empty()) return;
  svg_ += fmt::format("<path d=\"{}Z\" {}/>\n", path(corners), paint("fill", color));
}

void SvgPen::disc(Point center, double radius, const Color& color) {
  svg_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" {}/>\n", pt(center.x), pt(center.y), pt(radius),
                      paint("fill", color));
}

void SvgPen::image(const Box& box, std::span<const Color> pixels, std::size_t across) {
  svg_ += fmt::format(
      R"(<image x="{}" y="{}" width="{}" height="{}" preserveAspectRatio="none" )"
      R"(style="image-rendering:optimizeSpeed;image-rendering:pixelated" xlink:href="data:image/png;base64,{}"/>)"
      "\n",
      pt(box.left), pt(box.top), pt(box.width), pt(box.height),
      base64(png_of(surface_of(pixels, across).get())));
}

void SvgPen::text(Point anchor, const Lettering& text, const Color& color, double across, double down,
                  bool upward) {
  if (text.line.empty()) return;
  // Anchored where it is aligned, so that it stays there in another font.
  const bool end = across == 1, middle = across == 0.5, start = !end && !middle;
  const double left = start ? across * width(text) : 0;
  svg_ += fmt::format(R"(<text x="{}" y="{}" font-family="{}, Verdana, sans-serif" font-size="{}" {})",
                      pt(anchor.x - left), pt(anchor.y + down), escaped(text.family), number(text.size_pt),
                      paint("fill", color));
  if (text.bold) svg_ += R"( font-weight="bold")";
  if (!start) svg_ += fmt::format(R"( text-anchor="{}")", end ? "end" : "middle");
  if (upward) svg_ += fmt::format(" transform=\"rotate(-90 {} {})\"", pt(anchor.x), pt(anchor.y));
  if (text.line.find("  ") != std::string::npos) svg_ += R"( xml:space="preserve")";
  svg_ += fmt::format(">{}</text>\n", escaped(text.line));
}

void SvgPen::clip(const Box& box) {
  svg_ += fmt::format(
      "<clipPath id=\"clip{0}\"><rect x=\"{1}\" y=\"{2}\" width=\"{3}\" height=\"{4}\"/></clipPath>"
      "<g clip-path=\"url(#clip{0})\">\n",
      ++clips_, pt(box.left), pt(box.top), pt(box.width), pt(box.height));
}

void SvgPen::unclip() { svg_ += "</g>\n"; }

std::string SvgPen::finish() && { return std::move(svg_) + "</svg>\n"; }

}  // namespace sluice::figure
