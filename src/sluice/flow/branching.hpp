/// Branches that begin where another one loses its symmetry.
///
/// Where a rate outside of a branch's symmetry crosses zero at (w_c, x_c), every critical direction φ with a mirror symmetry of its own carries a branch
/// (the equivariant branching lemma). It is entered by asking for fixed points with ⟨φ, w − w_c⟩ = ε|w_c|: along it
///   x(ε) = x_c + c ε² + O(ε⁴),
/// and the sign of c against the side on which the old branch is unstable decides: the new branch lies on that side (supercritical, a continuous
/// transition), or on the other (subcritical: it begins unstable and jumps are to be expected). c is measured at ε and at ε/2; where the
/// two do not agree within half of c nothing is said.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sluice/flow/continuation.hpp"

namespace sluice::flow {

enum class Criticality { supercritical, subcritical, undecided };

struct Offshoot {
  std::string name;      ///< "site", "bond": the centre of the direction; "tilted" where it has none
  Sectors sectors;       ///< what is left of the symmetry
  FixedPoint start;      ///< at ε
  Direction along;       ///< φ
  double curvature = 0;  ///< c at ε/2
  double coarser = 0;    ///< c at ε
  Criticality criticality = Criticality::undecided;
};

/// Those with a mirror through site 0 and through the middle of sites 0 and 1; of a direction without either, itself. On a ring. Two units that are
/// each other's negative stay so: elsewhere L has kinks of third order (unit_landscape.hpp), and x(ε) is no parabola.
std::vector<Offshoot> branch_off(const Family& family, const Critical& critical,
                                 const ContinuationOptions& options, std::size_t units = 1);

/// The same for a given direction and symmetry.
std::optional<Offshoot> branch_off(const Family& family, const Critical& critical,
                                   std::vector<double> direction, const Sectors& sectors,
                                   const ContinuationOptions& options);

}  // namespace sluice::flow
