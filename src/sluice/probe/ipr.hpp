/// Inverse participation ratio of a receptive field:  IPR(w) = Σ_i w_i⁴ / (Σ_i w_i²)².
/// 1/n for a flat field, 3/(2n) for a sinusoid, about 3/n for independent normals, 1 for a single site.
/// 1/IPR is the number of sites that carry the field. (conv_emerge's `IPR` is this reciprocal.)
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

namespace sluice::probe {

/// NaN for a field that is zero everywhere.
inline double ipr(std::span<const float> field) {
  double second = 0;
  double fourth = 0;
  for (const float w : field) {
    const double square = static_cast<double>(w) * w;
    second += square;
    fourth += square * square;
  }
  return fourth / (second * second);
}

/// A unit counts as localized when at most an eighth of the sites carry its field: IPR ≥ 8/n (½ on small rings).
/// Random fields sit at 3/n and extended ones below, so the threshold is far from both.
inline double localized_threshold(std::int64_t inputs) {
  return std::min(0.5, 8.0 / static_cast<double>(inputs));
}

}  // namespace sluice::probe
