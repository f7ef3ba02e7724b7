/// Means over a standard normal variable, by quadrature.
#pragma once

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <numbers>

namespace sluice::theory::claims {

/// E h(Z).
template <class H>
double normal_mean(const H& h) {
  const auto weighted = [&](double z) {
    return h(z) * std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
  };
  return boost::math::quadrature::gauss_kronrod<double, 61>::integrate(weighted, -12.0, 12.0, 15, 1e-13);
}

}  // namespace sluice::theory::claims
