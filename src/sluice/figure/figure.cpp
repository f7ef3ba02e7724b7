#include "sluice/figure/figure.hpp"

#include <cairo-pdf.h>
#include <cairo.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <stdexcept>
#include <utility>

#include "sluice/figure/cairo_pen.hpp"
#include "sluice/figure/canvas.hpp"
#include "sluice/figure/svg_pen.hpp"
#include "sluice/figure/text.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/math/memory.hpp"

namespace sluice::figure {
namespace {

constexpr double mm_per_inch = 25.4;
constexpr double pt_per_mm = 72 / mm_per_inch;

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

/// The finished figure over the recipe's own size.
struct Stretch {
  double across = 1, down = 1;
};

Stretch stretch_of(const Figure& figure, const Style& style) {
  constexpr double least = 0.5, most = 3;  // below, labels run into each other; above, they are lost
  Stretch stretch;
  if (style.width_mm > 0) stretch.across = stretch.down = style.width_mm / figure.width_mm;
  if (style.height_mm > 0) stretch.down = style.height_mm / figure.height_mm;
  if (style.height_mm > 0 && !(style.width_mm > 0)) stretch.across = stretch.down;
  const auto require = [&](const char* what, double share, double own) {
    if (!(share >= least && share <= most))
      throw InputError(fmt::format("{}: {:.4g} mm {}, expected {:.0f} to {:.0f}: it is made for {:.0f}",
                                   figure.name, share * own, what, least * own, most * own, own));
  };
  require("wide", stretch.across, figure.width_mm);
  require("high", stretch.down, figure.height_mm);
  return stretch;
}

/// What is asked for must have happened.
void require_honoured(const Figure& figure, const Style& style, const Styled& styled) {
  const auto require_one = [&](const char* which, const std::optional<Interval>& limits,
                               const std::set<std::string>& axes) {
    if (!limits || axes.size() == 1) return;
    throw InputError(axes.empty()
                         ? fmt::format("{}: has no {} axis whose limits could be set", figure.name, which)
                         : fmt::format("{}: limits of {} are of no use to different axes: {}", figure.name,
                                       which, fmt::join(axes, ", ")));
  };
  require_one("x", style.x, styled.x_axes);
  require_one("y", style.y, styled.y_axes);
  if (style.palette != Palette::okabe_ito && !styled.palette)
    throw InputError(fmt::format("{}: has no colours of a palette", figure.name));
}

void draw(const Figure& figure, const Style& style, const Stretch& stretch, Pen& pen) {
  Canvas canvas(pen, style, stretch.across, stretch.down);
  if (figure.draw) figure.draw(canvas);
  require_honoured(figure, style, canvas.styled());
}

std::string svg_of(const Figure& figure, const Style& style, const Stretch& stretch) {
  SvgPen pen(figure.width_mm * stretch.across, figure.height_mm * stretch.down);
  draw(figure, style, stretch, pen);
  return std::move(pen).finish();
}

}  // namespace

std::optional<Format> format_of(std::string_view ending) {
  if (ending == ".svg") return Format::svg;
  if (ending == ".pdf") return Format::pdf;
  if (ending == ".png") return Format::png;
  return std::nullopt;
}

std::string render(const Figure& figure, Format format, double png_dpi, const Style& style) {
  // fontconfig reads its files at the first text, and crashes where it cannot keep them.
  math::require_room(std::size_t{32} << 20);
  for (const double length : {figure.width_mm, figure.height_mm, png_dpi})
    if (!(length > 0 && length < 1e5))
      throw std::invalid_argument(fmt::format("figure {}: {} mm × {} mm at {} dpi is not a size", figure.name,
                                              figure.width_mm, figure.height_mm, png_dpi));
  if (style.font != Style{}.font && !has_font(style.font))
    throw InputError(fmt::format("{}: no font of this name is installed", style.font));
  const Stretch stretch = stretch_of(figure, style);
  if (format == Format::svg) return svg_of(figure, style, stretch);
  Figure sized = figure;
  sized.width_mm *= stretch.across;
  sized.height_mm *= stretch.down;
  std::string bytes;  // before the surface, which may write to it until it is gone
  const Surface surface = format == Format::pdf ? pdf_surface(sized, bytes) : png_surface(sized, png_dpi);
  check(cairo_surface_status(surface.get()), figure);
  {
    const Context context =
        context_on(surface.get(), format == Format::png ? png_dpi / mm_per_inch : pt_per_mm);
    cairo_set_source_rgb(context.get(), 1, 1, 1);  // not transparent: readers have dark pages
    cairo_paint(context.get());
    CairoPen pen(context.get());
    draw(figure, style, stretch, pen);
    check(cairo_status(context.get()), figure);
  }
  if (format == Format::png) bytes = png_of(surface.get());
  cairo_surface_finish(surface.get());
  check(cairo_surface_status(surface.get()), figure);
  return bytes;
}

}  // namespace sluice::figure
