/// The symmetry of a field, and what respects it.
///
/// On a ring every landscape here is invariant under shifts, reflections and w → −w: 4n moves. Those that leave a field as it is make up its isotropy
/// group Γ. The fields that all of Γ leave alone are a subspace that the flow never leaves ("inside"); the Jacobian maps it and
/// its complement ("outside") to themselves. A rate that crosses zero inside is a fold (or a crossing of two branches of one symmetry), one
/// that does so outside breaks the symmetry: new branches begin there.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sluice::flow {

struct Sectors {
  std::size_t size = 0;         ///< n
  std::vector<double> inside;   ///< [d, n], orthonormal rows
  std::vector<double> outside;  ///< [n − d, n]

  /// No symmetry: all is inside.
  static Sectors none(std::size_t size);
  std::size_t dimensions() const { return inside.size() / size; }
};

/// Of a field on a ring; values that differ by less than `tolerance` of the largest weight are equal.
Sectors isotropy(std::span<const double> field, double tolerance = 1e-4);

/// The part of a field with w_i = sign · w_(twice_axis − i): even (1) or odd (−1) about a site (twice_axis even) or the middle between two (odd).
std::vector<double> mirrored_part(std::span<const double> field, std::int64_t twice_axis, double sign);

}  // namespace sluice::flow
