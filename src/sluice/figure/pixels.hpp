/// Pixels as a surface of cairo's.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "sluice/figure/color.hpp"

struct _cairo;          // NOLINT(bugprone-reserved-identifier)
struct _cairo_surface;  // NOLINT(bugprone-reserved-identifier)

namespace sluice::figure {

struct DestroyCairo {
  void operator()(_cairo_surface* surface) const;
  void operator()(_cairo* context) const;
};
using Surface = std::unique_ptr<_cairo_surface, DestroyCairo>;
using Context = std::unique_ptr<_cairo, DestroyCairo>;

/// A context on a surface, its unit the millimetre. Without hinting, text is as wide on the screen as in print, so one layout serves
/// every format.
Context context_on(_cairo_surface* surface, double units_per_mm);

/// Row by row from the top left, `across` in a row; opaque.
Surface surface_of(std::span<const Color> pixels, std::size_t across);

/// The bytes of a PNG; throws std::runtime_error when cairo fails.
std::string png_of(_cairo_surface* surface);

}  // namespace sluice::figure
