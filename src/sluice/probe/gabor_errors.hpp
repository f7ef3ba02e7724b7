/// Standard errors of a Gabor fit (gabor.hpp), as independent noise of the residual's variance on every site would give:
/// s² = Σr²/(n − 5), Cov = s² (J'J)⁻¹ in (a, b, c, ln s, f); of A and φ by their gradients.
#pragma once

#include <span>

#include "sluice/probe/gabor.hpp"

namespace sluice::probe {

/// Of a field and the function nearest to it. Infinite where a number is not determined (s and f of a bump without side lobes, all on
/// five sites or fewer), NaN where there is no fit. `residual` has none: it is 0.
Gabor standard_errors(const Gabor& fit, std::span<const float> field);

}  // namespace sluice::probe
