/// Recipes as they are drawn where receptive fields are images: those of a torus or of pixels.
#pragma once

#include <span>
#include <vector>

#include "sluice/figure/figure.hpp"
#include "sluice/figure/run_view.hpp"

namespace sluice::figure {

/// `evolution`: a row of images for each of the four most localized units, early on the left.
Figure evolution_of_images(const RunView& run);

/// `unit_map`: the final fields of all units as one mosaic, ordered by position.
Figure map_of_images(const RunView& run);

/// A two-dimensional Gabor function as it is drawn: its envelope falls to e^(−½) on an ellipse. Lengths in sites, angles from the
/// rows downwards.
struct GaborEllipse {
  double x = 0, y = 0;  ///< column and row of the centre
  double width_long = 0, width_short = 0, orientation = 0;
  double frequency = 0;  ///< |f|, in periods per site
  double residual = 0;
};
/// `gabor_fits`: the final fields of up to twelve units with the ellipses of the nearest Gabor functions, [K].
Figure gabor_images(const RunView& run, const std::vector<GaborEllipse>& fits, bool torus);

/// `spectra`: final power over wave vectors, mean over units; over their length during training; of up to eight units, beside their
/// fields. Shares [T, K, h, w/2 + 1] as the probe `power2` has them.
Figure spectra_of_images(const RunView& run, std::span<const float> power, bool torus);

}  // namespace sluice::figure
