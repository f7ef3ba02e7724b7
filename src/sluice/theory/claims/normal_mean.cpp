#include "sluice/theory/claims/normal_mean.hpp"

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <numbers>

namespace sluice::theory::claims {

double normal_mean(const std::function<double(double)>& h) {
  const auto weighted = [&](double z) {
    return h(z) * std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
  };
  return boost::math::quadrature::gauss_kronrod<double, 61>::integrate(weighted, -12.0, 12.0, 15, 1e-13);
}

}  // namespace sluice::theory::claims
