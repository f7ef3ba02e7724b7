/// What happened to a receptive field since the probe time before.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

namespace sluice::probe {

/// How fast the shape u = w/|w| moves:  |u(t) − u(t')| / (t − t'), per step. Growth alone does not count; turning into the
/// negative of itself within one step is 2. NaN when either field is zero.
inline double shape_change(std::span<const float> now, std::span<const float> before, std::int64_t steps) {
  double ww = 0;
  double vv = 0;
  for (std::size_t i = 0; i < now.size(); ++i) {
    ww += static_cast<double>(now[i]) * now[i];
    vv += static_cast<double>(before[i]) * before[i];
  }
  const double scale = 1 / std::sqrt(ww);
  const double scale_before = 1 / std::sqrt(vv);
  double square = 0;
  for (std::size_t i = 0; i < now.size(); ++i) {
    const double moved = scale * now[i] - scale_before * before[i];
    square += moved * moved;
  }
  return std::sqrt(square) / static_cast<double>(steps);
}

/// The number of sites with w_i(t) w_i(t') < 0.
inline std::int64_t weight_sign_changes(std::span<const float> now, std::span<const float> before) {
  std::int64_t changes = 0;
  for (std::size_t i = 0; i < now.size(); ++i) changes += static_cast<double>(now[i]) * before[i] < 0 ? 1 : 0;
  return changes;
}

}  // namespace sluice::probe
