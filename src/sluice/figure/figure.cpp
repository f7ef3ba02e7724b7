#include "sluice/figure/figure.hpp"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <stdexcept>

#include "sluice/figure/canvas.hpp"
#include "sluice/figure/svg.hpp"
#include "sluice/figure/text.hpp"

namespace sluice::figure {
namespace {

constexpr double mm_per_inch = 25.4;
constexpr double pt_per_mm = 72 / mm_per_inch;

struct Destroy {
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
  void operator()(cairo_t* context) const { cairo_destroy(context); }
};
using Surface = std::unique_ptr<cairo_surface_t, Destroy>;
using Context = std::unique_ptr<cairo_t, Destroy>;

void check(cairo_status_t status, const Figure& figure) {
  if (status != CAIRO_STATUS_SUCCESS)
    throw std::runtime_error(fmt::format("figure {}: {}", figure.name, cairo_status_to_string(status)));
}

cairo_status_t append(void* bytes, const unsigned char* data, unsigned length) {
  try {
    static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), length);
    return CAIRO_STATUS_SUCCESS;
  } catch (const std::bad_alloc&) {  // an exception must not unwind through C
    return CAIRO_STATUS_NO_MEMORY;
  }
}

Surface svg_surface(const Figure& figure, std::string& bytes) {
  return Surface(cairo_svg_surface_create_for_stream(append, &bytes, figure.width_mm * pt_per_mm,
                                                     figure.height_mm * pt_per_mm));
}

Surface pdf_surface(const Figure& figure, std::string& bytes) {
  Surface surface(cairo_pdf_surface_create_for_stream(append, &bytes, figure.width_mm * pt_per_mm,
                                                      figure.height_mm * pt_per_mm));
  const auto note = [&](cairo_pdf_metadata_t key, const std::string& value) {
    cairo_pdf_surface_set_metadata(surface.get(), key, value.c_str());
  };
  note(CAIRO_PDF_METADATA_TITLE, clean_text(figure.name));
  note(CAIRO_PDF_METADATA_SUBJECT, clean_text(figure.caption));
  note(CAIRO_PDF_METADATA_CREATE_DATE, "");  // the clock must not decide the bytes
  return surface;
}

Surface png_surface(const Figure& figure, double dpi) {
  const auto pixels = [&](double mm) { return static_cast<int>(std::lround(mm / mm_per_inch * dpi)); };
  return Surface(
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, pixels(figure.width_mm), pixels(figure.height_mm)));
}

void draw(const Figure& figure, cairo_surface_t* surface, double units_per_mm) {
  const Context context(cairo_create(surface));
  cairo_scale(context.get(), units_per_mm, units_per_mm);
  // Without hinting, text is as wide on the screen as in print, so one layout serves every format.
  cairo_font_options_t* options = cairo_font_options_create();
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  cairo_set_font_options(context.get(), options);
  cairo_font_options_destroy(options);

  cairo_set_source_rgb(context.get(), 1, 1, 1);  // not transparent: readers have dark pages
  cairo_paint(context.get());
  Canvas canvas(context.get());
  if (figure.draw) figure.draw(canvas);
  check(cairo_status(context.get()), figure);
}

}  // namespace

std::optional<Format> format_of(std::string_view ending) {
  if (ending == ".svg") return Format::svg;
  if (ending == ".pdf") return Format::pdf;
  if (ending == ".png") return Format::png;
  return std::nullopt;
}

std::string render(const Figure& figure, Format format, double png_dpi) {
  for (const double length : {figure.width_mm, figure.height_mm, png_dpi})
    if (!(length > 0 && length < 1e5))
      throw std::invalid_argument(fmt::format("figure {}: {} mm × {} mm at {} dpi is not a size", figure.name,
                                              figure.width_mm, figure.height_mm, png_dpi));
  std::string bytes;  // before the surface, which may write to it until it is gone
  const Surface surface = format == Format::svg   ? svg_surface(figure, bytes)
                          : format == Format::pdf ? pdf_surface(figure, bytes)
                                                  : png_surface(figure, png_dpi);
  check(cairo_surface_status(surface.get()), figure);
  draw(figure, surface.get(), format == Format::png ? png_dpi / mm_per_inch : pt_per_mm);
  if (format == Format::png) check(cairo_surface_write_to_png_stream(surface.get(), append, &bytes), figure);
  cairo_surface_finish(surface.get());
  check(cairo_surface_status(surface.get()), figure);
  return format == Format::svg ? with_ids(bytes, "") : bytes;
}

}  // namespace sluice::figure
