/// Three kinds of receptive field, by the criterion of localized.hpp and the power shares P_j (spectrum.hpp):
///   localized     its energy is concentrated, and more than random phases would do it
///   oscillatory   not localized, and three neighbouring frequencies from 2 on hold half of the power:
///                 max over j ≥ 3 of P_(j−1) + P_j + P_(j+1) ≥ ½; a broad bump has its power at 0 and 1
///   flat          the rest: constant fields, broad bumps, and noise without a frequency of its own
/// Independent normal weights on 40 sites are flat: their best three of twenty frequencies hold about 0.35.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

namespace sluice::probe {

/// The numbers stand in the record: add, do not renumber.
enum class FieldKind : std::int64_t { flat = 0, oscillatory = 1, localized = 2 };

constexpr float kOscillatoryPower = 0.5F;
constexpr std::size_t kLeastOscillation = 2;  // periods around the ring

inline FieldKind kind_of(bool localized, std::span<const float> power_shares) {
  if (localized) return FieldKind::localized;
  float most = 0;
  for (std::size_t j = kLeastOscillation; j < power_shares.size(); ++j) {
    float sum = 0;
    for (std::size_t i = j; i < std::min(j + 3, power_shares.size()); ++i) sum += power_shares[i];
    most = std::max(most, sum);
  }
  return most >= kOscillatoryPower ? FieldKind::oscillatory : FieldKind::flat;
}

}  // namespace sluice::probe
