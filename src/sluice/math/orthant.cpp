#include "sluice/math/orthant.hpp"

#include <algorithm>
#include <boost/math/quadrature/tanh_sinh.hpp>
#include <cmath>
#include <numbers>

#include "sluice/math/stopping.hpp"

namespace sluice::math {
namespace {

constexpr double kPi = std::numbers::pi;

/// The pair (a,b) that is integrated and the four correlations that tie it to the other two, c and d.
struct Split {
  double ab, cd, ac, ad, bc, bd;
};

/// Partial correlation of U_c and U_d given U_a and U_b when every correlation is multiplied by t (B.5).
double partial_correlation(const Split& r, double t) {
  const double det = 1 - t * t * r.ab * r.ab;
  const double var_c = 1 - t * t * (r.ac * r.ac + r.bc * r.bc - 2 * t * r.ab * r.ac * r.bc) / det;
  const double var_d = 1 - t * t * (r.ad * r.ad + r.bd * r.bd - 2 * t * r.ab * r.ad * r.bd) / det;
  const double cov =
      t * r.cd - t * t * (r.ac * r.ad + r.bc * r.bd - t * r.ab * (r.ac * r.bd + r.bc * r.ad)) / det;
  const double scale = var_c * var_d;
  return scale > 0 ? std::clamp(cov / std::sqrt(scale), -1.0, 1.0) : 0.0;
}

}  // namespace

double sign_pair_moment(double rho) { return 2 / kPi * std::asin(rho); }

double sign_quadruple_moment(const FourCorrelations& r) {
  const auto& [r12, r13, r14, r23, r24, r34] = r;
  const std::array<Split, 6> splits{{{r12, r34, r13, r14, r23, r24},
                                     {r13, r24, r12, r14, r23, r34},
                                     {r14, r23, r12, r13, r24, r34},
                                     {r23, r14, r12, r24, r13, r34},
                                     {r24, r13, r12, r23, r14, r34},
                                     {r34, r12, r13, r23, r14, r24}}};
  stop_if_asked();  // who asks for all of a covariance of products asks for millions
  boost::math::quadrature::tanh_sinh<double> integrator;
  double sum = 0;
  for (const Split& split : splits) {
    if (split.ab == 0) continue;
    const double size = std::abs(split.ab);
    const auto integrand = [&](double phi) {
      return std::asin(partial_correlation(split, std::sin(phi) / size));
    };
    sum += (split.ab > 0 ? 1 : -1) * integrator.integrate(integrand, 0.0, std::asin(size));
  }
  return 4 / (kPi * kPi) * sum;
}

}  // namespace sluice::math
