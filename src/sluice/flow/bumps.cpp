#include "sluice/flow/bumps.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "sluice/math/orthant.hpp"
#include "sluice/task/nlgp.hpp"

namespace sluice::flow {
namespace {

using std::numbers::pi;
constexpr double kTie = 1e-12;       // of Σ|w|
constexpr std::size_t kSeen = 4;     // most sites that the gate may see
constexpr std::size_t kNone = 1000;  // more than can be seen

/// The largest entries of w, in order of size.
struct Largest {
  std::array<std::size_t, kSeen> site{};
  std::size_t count = 0;
  double total = 0;  // Σ|w|
};
Largest largest_of(std::span<const double> w) {
  Largest result;
  for (std::size_t i = 0; i < w.size(); ++i) {
    const double size = std::abs(w[i]);
    result.total += size;
    if (size == 0) continue;
    std::size_t at = result.count;
    while (at > 0 && size > std::abs(w[result.site[at - 1]])) --at;
    if (at == kSeen) continue;
    if (result.count < kSeen) ++result.count;
    for (std::size_t later = result.count - 1; later > at; --later) {
      result.site[later] = result.site[later - 1];
    }
    result.site[at] = i;
  }
  return result;
}

bool bit(std::size_t state, std::size_t a) { return (state >> a & 1U) != 0; }

/// Σ_a w_a x_a, x_a = ±1 the bits of `state`.
double sum_of(std::span<const double> w, std::span<const std::size_t> sites, std::size_t state) {
  double sum = 0;
  for (std::size_t a = 0; a < sites.size(); ++a) sum += bit(state, a) ? w[sites[a]] : -w[sites[a]];
  return sum;
}

/// How many of the largest entries decide the sign of ⟨w,x⟩ for every x = ±1 (N1.13).
std::size_t sites_that_decide(std::span<const double> w, const Largest& largest) {
  double rest = largest.total;
  for (std::size_t k = 1; k <= largest.count; ++k) {
    const std::span<const std::size_t> sites(largest.site.data(), k);
    rest -= std::abs(w[sites.back()]);
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t state = 0; state < std::size_t{1} << k; ++state) {
      smallest = std::min(smallest, std::abs(sum_of(w, sites, state)));
    }
    if (rest <= kTie * largest.total || rest + kTie * largest.total < smallest) return k;
  }
  return kNone;
}

/// How many equal entries w has, all others being zero: one or two, or too many.
std::size_t equal_bumps(std::span<const double> w, const Largest& largest) {
  double rest = largest.total;
  for (std::size_t k = 1; k <= std::min<std::size_t>(largest.count, 2); ++k) {
    rest -= std::abs(w[largest.site[k - 1]]);
    if (rest > kTie * largest.total) continue;
    const double gap = std::abs(w[largest.site[0]]) - std::abs(w[largest.site[k - 1]]);
    return gap <= kTie * largest.total ? k : kNone;
  }
  return kNone;
}

}  // namespace

BumpResponse::BumpResponse(std::vector<double> correlation, double gain, double deviation)
    : r_(std::move(correlation)), gain_(gain), deviation_(deviation) {}

bool BumpResponse::covers(std::span<const double> w) const {
  const Largest largest = largest_of(w);
  if (largest.count == 0) return true;
  return (std::isinf(gain_) ? sites_that_decide(w, largest) : equal_bumps(w, largest)) != kNone;
}

double BumpResponse::sign_covariance(std::size_t i, std::size_t j) const {
  return i == j ? 1.0 : math::sign_pair_moment(r(i, j));
}

/// E[x_i x_j x_k x_l] for different i, j, k and any l.
double BumpResponse::triple_moment(std::size_t i, std::size_t j, std::size_t k, std::size_t l) const {
  if (l == i) return sign_covariance(j, k);
  if (l == j) return sign_covariance(i, k);
  if (l == k) return sign_covariance(i, j);
  return math::sign_quadruple_moment({r(i, j), r(i, k), r(i, l), r(j, k), r(j, l), r(k, l)});
}

/// Sign data: f from the Walsh coefficients of sgn Σ_a w_a x_a, sgn 0 = 0.
void BumpResponse::add_sites(std::span<const double> w, std::span<const std::size_t> sites,
                             std::span<double> f) const {
  const std::size_t k = sites.size();
  const std::size_t states = std::size_t{1} << k;
  double size = 0;
  for (const std::size_t site : sites) size += std::abs(w[site]);
  for (std::size_t subset = 1; subset < states; ++subset) {
    std::array<std::size_t, kSeen> in{};
    std::size_t count = 0;
    for (std::size_t a = 0; a < k; ++a) {
      if (bit(subset, a)) in[count++] = sites[a];
    }
    if (count % 2 == 0) continue;  // the gate is odd
    double coefficient = 0;
    for (std::size_t state = 0; state < states; ++state) {
      const double sum = sum_of(w, sites, state);
      if (std::abs(sum) <= kTie * size) continue;
      bool positive = sum > 0;  // sgn(sum) · x_T
      for (std::size_t a = 0; a < k; ++a) {
        if (bit(subset, a) && !bit(state, a)) positive = !positive;
      }
      coefficient += positive ? 1 : -1;
    }
    coefficient *= deviation_ / (2 * static_cast<double>(states));
    if (coefficient == 0) continue;
    for (std::size_t l = 0; l < f.size(); ++l) {
      f[l] += coefficient * (count == 1 ? sign_covariance(in[0], l) : triple_moment(in[0], in[1], in[2], l));
    }
  }
}

void BumpResponse::single(std::span<const double> w, std::span<double> f) const {
  std::fill(f.begin(), f.end(), 0.0);
  const Largest largest = largest_of(w);
  if (largest.count == 0) return;
  const std::size_t seen = std::isinf(gain_) ? sites_that_decide(w, largest) : equal_bumps(w, largest);
  if (seen == kNone) throw std::invalid_argument("no closed response for these weights");
  if (std::isinf(gain_)) return add_sites(w, {largest.site.data(), seen}, f);

  const std::size_t i = largest.site[0];
  const std::size_t j = largest.site[seen - 1];
  const double sign_i = w[i] > 0 ? 1 : -1;
  const double sign_j = w[j] > 0 ? 1 : -1;
  const double length = seen == 1 ? 1 : std::sqrt(2 * (1 + sign_i * sign_j * r(i, j)));
  const double q = task::nlgp_q(gain_);
  for (std::size_t l = 0; l < f.size(); ++l) {
    double rho = sign_i * r(i, l);
    if (seen == 2) rho = (rho + sign_j * r(j, l)) / length;
    rho = std::clamp(rho, -1.0, 1.0);
    f[l] = deviation_ * (q > 0 ? std::asin(std::sqrt(q) * rho) / (pi * std::sqrt(2 / pi * std::asin(q)))
                               : rho / std::sqrt(2 * pi));
  }
}

}  // namespace sluice::flow
