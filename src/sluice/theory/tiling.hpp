/// How far are the units of a population one filter, shifted and signed?                                       ledger: N2.4
///
/// Units are aligned to a common filter by the shift and sign of largest correlation; the filter is the mean of the aligned units, and is
/// found by doing both in turn, from the longest unit. What is then measured:
///   similarity   the mean correlation of a unit with the filter: 1, they are copies
///   coverage     how evenly the shifts lie on the ring: e^H/min(K, n), H the entropy of their histogram; 1, as evenly as can be
///   filters      (Σλ)²/Σλ² over the eigenvalues λ of the aligned units' correlations: 1, one filter; K, all different
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sluice::theory {

/// A field w(i) ≈ sign · scale · filter(i − shift).
struct Placement {
  std::int64_t shift = 0;
  double sign = 1;
  double similarity = 0;  ///< ⟨w, shifted filter⟩·sign/(|w||filter|)
};
Placement placement(std::span<const double> field, std::span<const double> filter);

struct Tiling {
  std::vector<double>
      filter;  ///< [n], as long as the units are in the mean; its largest weight is at site 0, and positive
  std::vector<Placement> placements;  ///< of every unit
  double similarity = 0, coverage = 0, filters = 0;
};
/// Of fields [K, n] on a ring, K ≥ 1, none of them zero everywhere.
Tiling tile(std::span<const double> fields, std::int64_t n);

}  // namespace sluice::theory
