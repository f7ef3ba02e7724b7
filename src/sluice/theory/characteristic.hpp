/// The characteristic function of a unit's pre-activation, χ_c(t) = E_c cos(t⟨w,X⟩/s_c), s_c² = w'C_c w, for laws with X ~ −X. All that a
/// unit can know of its field's law is in it: the kurtosis is its fourth derivative at 0, κ = E|S|/s an integral of it
/// (probe/preactivation_law.hpp).
#pragma once

#include "sluice/theory/quantity.hpp"

namespace sluice::theory {

/// For t = 0, 0.2, … 6 and the first units of the spec, at most four.
Table characteristic_functions(const Request& request);

}  // namespace sluice::theory
