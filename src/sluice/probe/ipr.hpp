/// Inverse participation ratio of a receptive field:  IPR(w) = Σ_i w_i⁴ / (Σ_i w_i²)².
/// 1/n for a flat field, 3/(2n) for a sinusoid, about 3/n for independent normals, 1 for a single site.
/// 1/IPR is the number of sites that carry the field. (conv_emerge's `IPR` is this reciprocal.)
#pragma once

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

}  // namespace sluice::probe
