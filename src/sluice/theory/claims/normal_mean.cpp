#include "sluice/theory/claims/normal_mean.hpp"

#include <array>
#include <boost/math/quadrature/gauss.hpp>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <numbers>

namespace sluice::theory::claims {
namespace {

using Rule = boost::math::quadrature::gauss<double, 30>;

/// Two panels of 30 points from 0 to 12: r e^(−r²/2) is below 1e-30 beyond.
double over_radius(const std::function<double(double)>& h) {
  const auto weighted = [&](double r) { return r * std::exp(-r * r / 2) * h(r); };
  return Rule::integrate(weighted, 0.0, 4.0) + Rule::integrate(weighted, 4.0, 12.0);
}

}  // namespace

double normal_mean(const std::function<double(double)>& h) {
  const auto weighted = [&](double z) {
    return h(z) * std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
  };
  return boost::math::quadrature::gauss_kronrod<double, 61>::integrate(weighted, -12.0, 12.0, 15, 1e-13);
}

NormalPair pair_of(const Ring& c, const Vector& w, const Vector& v) {
  return {form(w, c, w), form(w, c, v), form(v, c, v)};
}

double normal_mean(const NormalPair& law, const PairFunction& h) {
  // S = a r cos φ, T = r (b cos φ + e sin φ).
  const double a = std::sqrt(law.ss);
  const double b = law.st / a;
  const double e = std::sqrt(law.tt - b * b);
  const auto at_angle = [&](double angle) {
    const double cosine = std::cos(angle);
    const double other = b * cosine + e * std::sin(angle);
    return over_radius([&](double r) { return h(a * r * cosine, r * other); });
  };
  constexpr double kTurn = 2 * std::numbers::pi;
  const double closes = std::atan2(-b, e);  // where T = 0: between −π/2 and π/2
  const std::array<double, 5> ends{-kTurn / 4, closes, kTurn / 4, closes + kTurn / 2, 3 * kTurn / 4};
  double sum = 0;
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) sum += Rule::integrate(at_angle, ends[i], ends[i + 1]);
  return sum / kTurn;
}

Vector normal_response(const Ring& c, const Vector& w, const Vector& v, const PairFunction& h) {
  const NormalPair law = pair_of(c, w, v);
  const double along_s = normal_mean(law, [&](double s, double t) { return s * h(s, t); });
  const double along_t = normal_mean(law, [&](double s, double t) { return t * h(s, t); });
  const double determinant = law.ss * law.tt - law.st * law.st;
  return (law.tt * along_s - law.st * along_t) / determinant * (c * w) +
         (law.ss * along_t - law.st * along_s) / determinant * (c * v);
}

Vector normal_response(const Ring& c, const Vector& w, const std::function<double(double)>& h) {
  const double deviation = std::sqrt(form(w, c, w));
  const double along = normal_mean([&](double z) { return z * h(deviation * z); });
  return along / deviation * (c * w);
}

}  // namespace sluice::theory::claims
