/// The symmetry of a field, and what respects it.
///
/// On a ring every landscape here is invariant under shifts, reflections and w → −w: 4n moves. With two units, one field after the other, a move
/// does the same to both, and they may change places: 8n moves. Those that leave a field as it is make up its isotropy
/// group Γ. The fields that all of Γ leave alone are a subspace that the flow never leaves ("inside"); the Jacobian maps it and
/// its complement ("outside") to themselves. A rate that crosses zero inside is a fold (or a crossing of two branches of one symmetry), one
/// that does so outside breaks the symmetry: new branches begin there.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sluice::flow {

struct Sectors {
  std::size_t size = 0;         ///< n, of all units together
  std::vector<double> inside;   ///< [d, n], orthonormal rows
  std::vector<double> outside;  ///< [n − d, n]
  std::size_t units = 1;        ///< fields on a ring that share n

  /// No symmetry: all is inside.
  static Sectors none(std::size_t size);
  std::size_t dimensions() const { return inside.size() / size; }
};

/// Of one field on a ring, or of two; values that differ by less than `tolerance` of the largest weight are equal.
Sectors isotropy(std::span<const double> field, std::size_t units = 1, double tolerance = 1e-4);

/// The part of a field with w_i = sign · w_(twice_axis − i): even (1) or odd (−1) about a site (twice_axis even) or the middle between two (odd);
/// of several fields, each on its ring.
std::vector<double> mirrored_part(std::span<const double> field, std::int64_t twice_axis, double sign,
                                  std::size_t units = 1);

/// The part of two fields with (w, v) = sign · (v, w).
std::vector<double> exchanged_part(std::span<const double> fields, double sign);

}  // namespace sluice::flow
