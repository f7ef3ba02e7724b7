#include "sluice/figure/pixels.hpp"

#include <cairo.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <stdexcept>

namespace sluice::figure {
namespace {

cairo_status_t append_bytes(void* bytes, const unsigned char* data, unsigned length) {
  try {
    static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), length);
    return CAIRO_STATUS_SUCCESS;
  } catch (const std::bad_alloc&) {  // an exception must not unwind through C
    return CAIRO_STATUS_NO_MEMORY;
  }
}

}  // namespace

void DestroyCairo::operator()(_cairo_surface* surface) const { cairo_surface_destroy(surface); }
void DestroyCairo::operator()(_cairo* context) const { cairo_destroy(context); }

Context context_on(_cairo_surface* surface, double units_per_mm) {
  Context context(cairo_create(surface));
  cairo_scale(context.get(), units_per_mm, units_per_mm);
  cairo_font_options_t* options = cairo_font_options_create();
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  cairo_set_font_options(context.get(), options);
  cairo_font_options_destroy(options);
  return context;
}

Surface surface_of(std::span<const Color> pixels, std::size_t across) {
  const auto width = static_cast<int>(across), height = static_cast<int>(pixels.size() / across);
  Surface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height));
  cairo_surface_flush(surface.get());
  unsigned char* row = cairo_image_surface_get_data(surface.get());
  const auto channel = [](double value) { return static_cast<std::uint32_t>(std::lround(255 * value)); };
  for (int y = 0; y < height; ++y, row += cairo_image_surface_get_stride(surface.get())) {
    for (std::size_t x = 0; x < across; ++x) {
      const Color& color = pixels[static_cast<std::size_t>(y) * across + x];
      const std::uint32_t pixel = channel(color.red) << 16 | channel(color.green) << 8 | channel(color.blue);
      std::memcpy(row + 4 * x, &pixel, sizeof pixel);
    }
  }
  cairo_surface_mark_dirty(surface.get());
  return surface;
}

std::string png_of(_cairo_surface* surface) {
  std::string bytes;
  const cairo_status_t status = cairo_surface_write_to_png_stream(surface, append_bytes, &bytes);
  if (status != CAIRO_STATUS_SUCCESS) throw std::runtime_error(cairo_status_to_string(status));
  return bytes;
}

}  // namespace sluice::figure
