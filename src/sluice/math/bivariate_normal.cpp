#include "sluice/math/bivariate_normal.hpp"

#include <boost/math/special_functions/owens_t.hpp>
#include <cmath>
#include <numbers>

#include "sluice/math/orthant.hpp"

namespace sluice::math {
namespace {

double normal_cdf(double h) { return std::erfc(-h / std::numbers::sqrt2) / 2; }

/// T(h, (k − ρh)/(h√(1−ρ²))), with its limit ±¼ as h → 0.
double owen(double h, double k, double rho) {
  if (h == 0) return k > 0 ? 0.25 : -0.25;
  return boost::math::owens_t(h, (k - rho * h) / (h * std::sqrt((1 - rho) * (1 + rho))));
}

}  // namespace

double shifted_sign_moment(double h, double k, double rho) {
  if (h == 0 && k == 0) return sign_pair_moment(rho);
  const bool opposite = h * k < 0 || (h * k == 0 && h + k < 0);
  return 1 - 4 * owen(h, k, rho) - 4 * owen(k, h, rho) - (opposite ? 2 : 0);
}

double bivariate_normal_cdf(double h, double k, double rho) {
  return (shifted_sign_moment(h, k, rho) + 2 * normal_cdf(h) + 2 * normal_cdf(k) - 1) / 4;
}

}  // namespace sluice::math
