/// Where a flow comes to rest from many starts: its attractors, and how large a share of the starts goes to each.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sluice/flow/curved.hpp"
#include "sluice/math/workers.hpp"

namespace sluice::lab {

/// What all units of a state have in common, or two of them.
struct Arrangement {
  double ipr = 0;            ///< mean over units
  double concentration = 0;  ///< R_1 of the energy (theory/localized.hpp), mean over units
  std::optional<double>
      apart;  ///< of two units with R_1 ≥ ½: the distance of the centres of their energy, in sites
  bool opposite = false;  ///< of two units: their largest weights differ in sign
};
Arrangement arrangement_of(const std::vector<double>& fields, std::int64_t units);

struct Basin {
  double parameter = 0;
  std::int64_t starts = 0;  ///< that ended here,
  std::int64_t of = 0;      ///< of so many
  double loss = 0;
  double fastest = 0;        ///< rate
  std::int64_t growing = 0;  ///< perturbations that grow faster than `still`
  bool at_rest = true;       ///< else it was still moving when time was up
  Arrangement arrangement;
  std::vector<double> fields;  ///< [units, n], of the first start that came here
};

/// `workers` may not be those of the landscape. Ends with one loss (to 10⁻⁶), as many growing perturbations and one arrangement (R_1 to 0.02, distance to half a site) are one. The largest share first.
std::vector<Basin> basins_of(const flow::CurvedLandscape& landscape, std::int64_t units,
                             const std::vector<std::vector<double>>& starts, double still,
                             math::Workers& workers);

}  // namespace sluice::lab
