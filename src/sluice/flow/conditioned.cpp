#include "sluice/flow/conditioned.hpp"

#include <algorithm>
#include <array>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <numbers>

#include "sluice/task/nlgp.hpp"

namespace sluice::flow {
namespace {

using std::numbers::pi;

struct Node {
  double at;
  double weight;
};

/// Gauss–Legendre on [0, 1].
template <unsigned kPoints>
std::array<Node, kPoints> unit_nodes() {
  using Rule = boost::math::quadrature::gauss<double, kPoints>;
  static_assert(kPoints % 2 == 0);
  std::array<Node, kPoints> nodes{};
  for (std::size_t k = 0; k < kPoints / 2; ++k) {
    const double x = Rule::abscissa()[k];
    const double weight = Rule::weights()[k] / 2;
    nodes[2 * k] = {(1 + x) / 2, weight};
    nodes[2 * k + 1] = {(1 - x) / 2, weight};
  }
  return nodes;
}

/// E over u, as twice the half line: u = 6.5 t² crowds the nodes where steep gains turn.
constexpr unsigned kDirectionNodes = 30;
std::array<Node, kDirectionNodes> direction_nodes() {
  constexpr double kFarthest = 6.5;
  auto nodes = unit_nodes<kDirectionNodes>();
  for (auto& [t, weight] : nodes) {
    const double u = kFarthest * t * t;
    weight *= 2 * kFarthest * t * 2 * std::exp(-u * u / 2) / std::sqrt(2 * pi);
    t = u;
  }
  return nodes;
}

constexpr unsigned kVarianceNodes = 10;

struct Scratch {
  std::vector<double> b, before, pull;                      // the direction
  std::vector<double> slope, h, spread, y;                  // per site
  std::vector<std::array<double, kVarianceNodes>> inverse;  // 1/(1 + sin θ)
  std::vector<double> arc;                                  // arcsin R_ii
  std::vector<double> alike;  // [n, n], arcsin R_ij/√(arcsin R_ii · arcsin R_jj)

  void fit(std::size_t n) {
    for (auto* v : {&b, &before, &pull, &slope, &h, &spread, &y, &arc}) v->resize(n);
    inverse.resize(n);
    alike.resize(n * n);
  }
};
Scratch& scratch_of_thread(std::size_t n) {
  thread_local Scratch scratch;
  scratch.fit(n);
  return scratch;
}

}  // namespace

ConditionedResponse::ConditionedResponse(std::vector<double> correlation, double gain, double deviation)
    : r_(std::move(correlation)),
      gain_(std::max(gain, 1e-8)),  // X = Z to double precision: the error is O(g²)
      q_(task::nlgp_q(gain_)),
      deviation_(deviation) {}

/// b = Sa/√(aᵀSa)
void ConditionedResponse::correlate(std::span<const double> a, std::span<double> b) const {
  double square = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    b[i] = 0;
    for (std::size_t j = 0; j < a.size(); ++j) b[i] += r(i, j) * a[j];
    square += a[i] * b[i];
  }
  for (double& value : b) value = std::clamp(value / std::sqrt(square), -1.0, 1.0);
}

void ConditionedResponse::direction(std::span<const double> w, std::span<double> b) const {
  constexpr int kMostRounds = 200;
  constexpr double kStill = 1e-12;
  constexpr double kFloor = 1e-12;  // of 1 − q²b⁴, which is 0 where sign data hang on one site
  Scratch& scratch = scratch_of_thread(w.size());
  double largest = 0;
  for (const double value : w) largest = std::max(largest, std::abs(value));
  for (std::size_t i = 0; i < w.size(); ++i) scratch.pull[i] = w[i] / largest;
  correlate(scratch.pull, b);
  for (int round = 0; round < kMostRounds; ++round) {
    std::copy(b.begin(), b.end(), scratch.before.begin());
    const std::vector<double>& from = scratch.before;
    std::fill(scratch.pull.begin(), scratch.pull.end(), 0.0);
    for (std::size_t i = 0; i < w.size(); ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        const double both = q_ * from[i] * from[j];
        const double by = w[i] / largest * (w[j] / largest) / std::sqrt(std::max(kFloor, 1 - both * both));
        scratch.pull[i] += by * from[j];
        if (j < i) scratch.pull[j] += by * from[i];
      }
    }
    correlate(scratch.pull, b);
    double moved = 0;
    for (std::size_t i = 0; i < w.size(); ++i) moved = std::max(moved, std::abs(b[i] - from[i]));
    if (moved < kStill) return;
  }
}

void ConditionedResponse::single(std::span<const double> w, std::span<double> f) const {
  static const auto kDirection = direction_nodes();
  static const auto kVariance = unit_nodes<kVarianceNodes>();
  std::fill(f.begin(), f.end(), 0.0);
  double largest = 0;
  for (const double value : w) largest = std::max(largest, std::abs(value));
  if (largest == 0) return;

  const std::size_t n = w.size();
  Scratch& s = scratch_of_thread(n);
  direction(w, s.b);
  // What is left of the latents: V_ij, and noise 1/2g² that the gain adds to each variance (B.3).
  const double noise = 1 / (2 * gain_ * gain_);
  const auto left = [&](std::size_t i, std::size_t j) { return r(i, j) - s.b[i] * s.b[j]; };
  for (std::size_t i = 0; i < n; ++i) {
    const double own = std::max(left(i, i), 0.0);
    s.slope[i] = s.b[i] / std::sqrt(own + noise);  // t = slope · u; infinite where u alone decides the site
    s.arc[i] = own > 0 ? std::asin(std::min(own / (own + noise), 1.0)) : 0;
    for (std::size_t k = 0; k < kVarianceNodes; ++k) {
      s.inverse[i][k] = 1 / (1 + std::sin(s.arc[i] * kVariance[k].at));
    }
  }
  constexpr double kDecided = 1e-14;  // arcs below this carry no variance
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double value = 0;
      const double scale = std::sqrt(s.arc[i] * s.arc[j]);
      if (i == j) {
        value = 1;
      } else if (scale > kDecided * std::asin(q_)) {
        const double size =
            std::sqrt((std::max(left(i, i), 0.0) + noise) * (std::max(left(j, j), 0.0) + noise));
        value = std::asin(std::clamp(left(i, j) / size, -1.0, 1.0)) / scale;
      }
      s.alike[i * n + j] = s.alike[j * n + i] = value;
    }
  }

  const double unit = std::sqrt(2 / pi * std::asin(q_));  // √Z_g
  for (const auto& [u, weight] : kDirection) {
    double mu = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double t = s.slope[i] * u;
      s.h[i] = std::erf(t / std::numbers::sqrt2) / unit;
      mu += w[i] / largest * s.h[i];
      double variance = 0;
      if (s.arc[i] > 0) {
        for (std::size_t k = 0; k < kVarianceNodes; ++k) {
          variance += kVariance[k].weight * std::exp(-t * t * s.inverse[i][k]);
        }
      }
      s.spread[i] = std::sqrt(variance * s.arc[i] / std::asin(q_));
    }
    double square = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double* row = s.alike.data() + i * n;
      double sum = 0;
      for (std::size_t j = 0; j < n; ++j) sum += row[j] * s.spread[j] * (w[j] / largest);
      s.y[i] = s.spread[i] * sum;
      square += w[i] / largest * s.y[i];
    }
    const double sigma = std::sqrt(std::max(square, 0.0));
    const bool decided = sigma <= 1e-12 * std::abs(mu);
    const double open = decided ? (mu > 0 ? 0.5 : -0.5) : std::erf(mu / (sigma * std::numbers::sqrt2)) / 2;
    const double edge = decided ? 0 : std::exp(-mu * mu / (2 * square)) / (std::sqrt(2 * pi) * sigma);
    for (std::size_t i = 0; i < n; ++i) f[i] += weight * (s.h[i] * open + s.y[i] * edge);
  }
  for (double& value : f) value *= deviation_;
}

}  // namespace sluice::flow
