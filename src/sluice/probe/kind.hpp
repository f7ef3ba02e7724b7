/// Three kinds of receptive field, by two thresholds on IPR (ipr.hpp) and power shares P_j (spectrum.hpp):
///   localized     IPR ≥ 8/n (½ on rings below 16 sites)
///   oscillatory   not localized, and three neighbouring frequencies hold half of the power:
///                 max over j ≥ 1 of P_(j−1) + P_j + P_(j+1) ≥ ½, P_0 left out
///   flat          the rest: constant fields, and noise without a frequency of its own
/// Independent normal weights on 40 sites are flat: their best three of twenty frequencies hold about 0.35.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "sluice/probe/ipr.hpp"

namespace sluice::probe {

/// The numbers stand in the record: add, do not renumber.
enum class FieldKind : std::int64_t { flat = 0, oscillatory = 1, localized = 2 };

constexpr float kOscillatoryPower = 0.5F;

inline FieldKind kind_of(double ipr, std::span<const float> power_shares, std::int64_t sites) {
  if (ipr >= localized_threshold(sites)) return FieldKind::localized;
  float most = 0;
  for (std::size_t j = 1; j < power_shares.size(); ++j) {
    float sum = power_shares[j];
    if (j > 1) sum += power_shares[j - 1];
    if (j + 1 < power_shares.size()) sum += power_shares[j + 1];
    most = std::max(most, sum);
  }
  return most >= kOscillatoryPower ? FieldKind::oscillatory : FieldKind::flat;
}

}  // namespace sluice::probe
