/// Moments of rows that somebody else made. The mean of each site is taken off: sites of real data differ.
#pragma once

#include <cstdint>
#include <span>

#include "sluice/task/task.hpp"

namespace sluice::task {

/// Of these rows of x [P, layout.inputs()].
Moments empirical_moments(const Layout& layout, std::span<const float> x, std::span<const std::int64_t> rows);

}  // namespace sluice::task
