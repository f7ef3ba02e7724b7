#include "sluice/theory/bump_gates.hpp"

#include <numbers>
#include <vector>

#include "sluice/flow/bumps.hpp"
#include "sluice/math/orthant.hpp"
#include "sluice/task/nlgp.hpp"
#include "sluice/theory/fourier.hpp"
#include "sluice/theory/respond.hpp"

namespace sluice::theory {
namespace {

constexpr double kPi = std::numbers::pi;

/// F.5 for the gates e_i, e_j.
double gaussian_two_gates(const Ring& r, std::size_t i, std::size_t j, std::size_t k, std::size_t l) {
  const double gamma = r(i, j);
  return (0.25 + std::asin(gamma) / (2 * kPi)) * r(k, l) +
         (r(i, k) * r(j, l) + r(j, k) * r(i, l) - gamma * r(i, k) * r(i, l) - gamma * r(j, k) * r(j, l)) /
             (2 * kPi * std::sqrt(1 - gamma * gamma));
}

/// E[sgn Z_i sgn Z_j sgn Z_k sgn Z_l], equal indices cancelled first.
double sign_moment(const Ring& r, const std::vector<std::size_t>& sites) {
  std::vector<std::size_t> left;
  for (const std::size_t site : sites) {
    if (std::erase(left, site) == 0) left.push_back(site);
  }
  if (left.empty()) return 1;
  if (left.size() == 2) return math::sign_pair_moment(r(left[0], left[1]));
  const auto c = [&](std::size_t a, std::size_t b) { return r(left[a], left[b]); };
  return math::sign_quadruple_moment({c(0, 1), c(0, 2), c(0, 3), c(1, 2), c(1, 3), c(2, 3)});
}

double covariance(double r, double gain) { return gain == 0 ? r : task::nlgp_correlation(r, gain); }

}  // namespace

double two_gate_moment(const Ring& r, double gain, std::size_t i, std::size_t j, std::size_t k,
                       std::size_t l) {
  if (gain == 0) return gaussian_two_gates(r, i, j, k, l);
  if (std::isinf(gain)) return (task::nlgp_correlation(r(k, l), gain) + sign_moment(r, {i, j, k, l})) / 4;
  const double q = task::nlgp_q(gain);
  const double root = std::sqrt(q);
  const double m4 = math::sign_quadruple_moment(
      {r(i, j), root * r(i, k), root * r(i, l), root * r(j, k), root * r(j, l), q * r(k, l)});
  return (task::nlgp_correlation(r(k, l), gain) + m4 / task::nlgp_variance(gain)) / 4;
}

double printed_gate_covariance(const Ring& r, double gain, std::size_t i, std::size_t k, std::size_t l) {
  const double ik = r(i, k), il = r(i, l), kl = r(k, l);
  const double open = 1 - ik * ik;
  const double sigma = 1 - (il * il - 2 * ik * il * kl + kl * kl) / open;
  const double c = gain / std::sqrt(1 + 2 * gain * gain * sigma);
  const double a_i = (kl - il * ik) / open * c, a_k = (il - kl * ik) / open * c;  // ledger: N3.9, N3.10
  return std::atan(std::numbers::sqrt2 * (ik + a_i) / std::sqrt(1 + 2 * a_k * a_k * open)) / kPi;
}

BumpSolution bump_solution(std::int64_t n, double xi_one, double xi_zero, double gain) {
  const Ring latent = latent_covariance(n, xi_one);
  const Ring other = latent_covariance(n, xi_zero);
  Ring sum{Vector(latent.size())};  // C₀ + C₁
  for (std::size_t d = 0; d < sum.size(); ++d) {
    sum.row[d] = covariance(latent.row[d], gain) + covariance(other.row[d], gain);
  }
  const flow::BumpResponse response({std::begin(latent.row), std::end(latent.row)}, gain);
  const Vector f = respond(response, unit(sum.size(), 0));
  const Vector solved = inverse(sum) * f;
  const double gained = dot(f, solved);
  return {2.0 * solved, 0.25 - gained / 2, 0.25 - gained};
}

}  // namespace sluice::theory
