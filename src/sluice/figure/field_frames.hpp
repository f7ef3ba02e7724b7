/// Square fields over training: an image for every unit and time.
#pragma once

#include <cstddef>
#include <vector>

#include "sluice/figure/figure.hpp"
#include "sluice/figure/run_view.hpp"

namespace sluice::figure {

/// What `evolution` shows of a torus, where a line through all sites would show nothing.
Figure field_frames(const RunView& run, const std::vector<std::size_t>& units);

}  // namespace sluice::figure
