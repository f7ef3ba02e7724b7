/// Means over a standard normal variable, by quadrature.
#pragma once

#include <functional>

namespace sluice::theory::claims {

/// E h(Z).
double normal_mean(const std::function<double(double)>& h);

}  // namespace sluice::theory::claims
