#include "sluice/probe/gabor2.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "sluice/math/stopping.hpp"
#include "sluice/probe/standard_errors.hpp"

namespace sluice::probe {
namespace of_gabor2 {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t m = 9;  // a, b, x₀, y₀, α, l, γ, f₁, f₂
constexpr int kMostSteps = 60;
constexpr double kSettled = 1e-7;  // relative gain of a step below which a field is done
constexpr std::size_t kTried = 3;  // starts from which steps are made
constexpr double kNarrowest = 0.3;

using Vector = std::array<double, m>;
using Matrix = std::array<Vector, m>;

/// Σr², J'r and J'J.
struct Normal {
  double cost = 0;
  Vector slope{};
  Matrix curvature{};
};

/// d, cos 2πfd and sin 2πfd along one axis: the waves of the plane are their products.
struct AlongAxis {
  std::vector<double> d, cosine, sine;

  AlongAxis(double centre, double frequency, std::int64_t sites, bool closed) {
    for (std::int64_t i = 0; i < sites; ++i) {
      d.push_back(way(centre, static_cast<double>(i), sites, closed));
      cosine.push_back(std::cos(kTurn * frequency * d.back()));
      sine.push_back(std::sin(kTurn * frequency * d.back()));
    }
  }
};

/// Residuals r = w − g and J = ∂g/∂p. With u = L'd, e the envelope, θ = 2πf·d and h = ∂g/∂θ:
///   ∂a g = e cos θ   ∂b g = e sin θ   ∂x₀ g = g (Md)₁ − 2πf₁h   ∂y₀ g = g (Md)₂ − 2πf₂h
///   ∂α g = −g u₁ e^α d₁   ∂l g = −g u₁ d₂   ∂γ g = −g u₂ e^γ d₂   ∂f g = 2πd h
Normal sums(std::span<const float> field, const task::Layout& layout, const Vector& p) {
  constexpr double kNothing = 80;  // e^(−40) of a weight is not seen in it
  const bool closed = layout.kind == task::Layout::Kind::torus;
  const double l1 = std::exp(p[4]), l2 = p[5], l3 = std::exp(p[6]);
  const AlongAxis x(p[2], p[7], layout.columns, closed), y(p[3], p[8], layout.rows, closed);
  Normal sum;
  std::size_t at = 0;
  for (std::size_t i = 0; i < y.d.size(); ++i) {
    const double dy = y.d[i];
    const double u2 = l3 * dy;
    for (std::size_t j = 0; j < x.d.size(); ++j, ++at) {
      const double w = field[at], dx = x.d[j];
      const double u1 = l1 * dx + l2 * dy;
      const double square = u1 * u1 + u2 * u2;
      if (square > kNothing) {
        sum.cost += w * w;
        continue;
      }
      const double e = std::exp(-square / 2);
      const double cosine = e * (x.cosine[j] * y.cosine[i] - x.sine[j] * y.sine[i]);
      const double sine = e * (x.sine[j] * y.cosine[i] + x.cosine[j] * y.sine[i]);
      const double g = p[0] * cosine + p[1] * sine, h = p[1] * cosine - p[0] * sine;
      const Vector derivative{cosine,
                              sine,
                              g * l1 * u1 - kTurn * p[7] * h,
                              g * (l2 * u1 + l3 * u2) - kTurn * p[8] * h,
                              -g * u1 * l1 * dx,
                              -g * u1 * dy,
                              -g * u2 * l3 * dy,
                              kTurn * dx * h,
                              kTurn * dy * h};
      const double r = w - g;
      sum.cost += r * r;
      for (std::size_t k = 0; k < m; ++k) {
        sum.slope[k] += derivative[k] * r;
        for (std::size_t l = 0; l < m; ++l) sum.curvature[k][l] += derivative[k] * derivative[l];
      }
    }
  }
  return sum;
}

/// (J'J + λ diag J'J) δ = J'r by Cholesky's decomposition.
Vector step_of(const Normal& at, double damping) {
  constexpr double kLeast = 1e-14;
  double largest = 0;
  for (std::size_t j = 0; j < m; ++j) largest = std::max(largest, at.curvature[j][j]);
  Matrix factor{};
  Vector step = at.slope;
  for (std::size_t j = 0; j < m; ++j) {
    for (std::size_t k = 0; k <= j; ++k) {
      double value = at.curvature[j][k];
      if (j == k) value = value * (1 + damping) + kLeast * largest;
      for (std::size_t i = 0; i < k; ++i) value -= factor[j][i] * factor[k][i];
      factor[j][k] = j == k ? std::sqrt(std::max(value, kLeast * largest)) : value / factor[k][k];
    }
    for (std::size_t i = 0; i < j; ++i) step[j] -= factor[j][i] * step[i];
    step[j] /= factor[j][j];
  }
  for (std::size_t j = m; j-- > 0;) {
    for (std::size_t i = j + 1; i < m; ++i) step[j] -= factor[i][j] * step[i];
    step[j] /= factor[j][j];
  }
  return step;
}

/// After a step, within what a field of this size can tell.
Vector moved(const Vector& p, const Vector& step, const task::Layout& layout) {
  const auto longer = static_cast<double>(std::max(layout.rows, layout.columns));
  const double widest = -std::log(4 * longer), narrowest = -std::log(kNarrowest);
  const double reach = 1 + 1 / std::min(std::exp(p[4]), std::exp(p[6]));
  Vector next = p;
  for (const std::size_t j : {0U, 1U}) next[j] += step[j];
  for (const std::size_t j : {2U, 3U}) {
    const auto sites = static_cast<double>(j == 2 ? layout.columns : layout.rows);
    next[j] += std::clamp(step[j], -reach, reach);
    if (layout.kind == task::Layout::Kind::image) next[j] = std::clamp(next[j], -sites / 2, 1.5 * sites);
  }
  for (const std::size_t j : {4U, 6U})
    next[j] = std::clamp(p[j] + std::clamp(step[j], -1.0, 1.0), widest, narrowest);
  next[5] = std::clamp(p[5] + std::clamp(step[5], -1.0, 1.0), -1 / kNarrowest, 1 / kNarrowest);
  for (const std::size_t j : {7U, 8U}) next[j] = std::clamp(p[j] + step[j], -0.5, 0.5);
  return next;
}

struct Minimum {
  Vector p{};
  Normal at;
};

Minimum refined(std::span<const float> field, const task::Layout& layout, Vector p) {
  Normal at = sums(field, layout, p);
  double damping = 0.01;
  for (int attempt = 0; attempt < kMostSteps && damping < 1e6; ++attempt) {
    const Vector next = moved(p, step_of(at, damping), layout);
    const Normal there = sums(field, layout, next);
    if (!(there.cost < at.cost)) {
      damping *= 6;
      continue;
    }
    const bool settled = at.cost - there.cost < kSettled * there.cost;
    p = next;
    at = there;
    damping = std::max(0.2 * damping, 1e-9);
    if (settled) break;
  }
  return {p, at};
}

/// Ellipse of M = LL', with the gradients of its half-axes and its angle over all parameters.
struct Ellipse {
  double width_long, width_short, orientation;
  Vector of_long{}, of_short{}, of_orientation{};
};

Ellipse ellipse_of(const Vector& p) {
  const double l1 = std::exp(p[4]), l2 = p[5], l3 = std::exp(p[6]);
  const double m11 = l1 * l1, m12 = l1 * l2, m22 = l2 * l2 + l3 * l3;
  const double middle = (m11 + m22) / 2, radius = std::hypot((m11 - m22) / 2, m12);
  const double angle =
      std::atan2(-m12, (m22 - m11) / 2) / 2;  // of the smaller eigenvalue's vector: the long axis
  const double c = std::cos(angle), s = std::sin(angle);
  const double larger = middle + radius, smaller = l1 * l1 * l3 * l3 / larger;
  Ellipse ellipse{1 / std::sqrt(smaller),
                  1 / std::sqrt(larger),
                  angle < 0 ? angle + std::numbers::pi : angle,
                  {},
                  {},
                  {}};
  // ∂M along α, l and γ: v'∂Mv moves the eigenvalue of v, v'∂Mu its direction towards u.
  const std::array<std::array<double, 3>, 3> slopes{
      {{2 * l1 * l1, l1 * l2, 0}, {0, l1, 2 * l2}, {0, 0, 2 * l3 * l3}}};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto& [d11, d12, d22] = slopes[i];
    ellipse.of_long[4 + i] = -std::pow(smaller, -1.5) / 2 * (c * c * d11 + 2 * c * s * d12 + s * s * d22);
    ellipse.of_short[4 + i] = -std::pow(larger, -1.5) / 2 * (s * s * d11 - 2 * c * s * d12 + c * c * d22);
    ellipse.of_orientation[4 + i] = radius > 1e-12 * middle
                                        ? (c * s * (d22 - d11) + (c * c - s * s) * d12) / (smaller - larger)
                                        : std::numeric_limits<double>::infinity();
  }
  return ellipse;
}

double around(double place, std::int64_t sites) {
  const auto n = static_cast<double>(sites);
  const double rest = place - n * std::floor(place / n);
  return rest < n ? rest : 0;
}

Gabor2Fit described(const Minimum& minimum, double norm, const task::Layout& layout) {
  const Vector& p = minimum.p;
  const bool closed = layout.kind == task::Layout::Kind::torus;
  const Ellipse ellipse = ellipse_of(p);
  const double sign = p[7] < 0 || (p[7] == 0 && p[8] < 0) ? -1 : 1;  // f and −f with φ and −φ are the same
  const double amplitude = std::hypot(p[0], p[1]);
  std::array<double, m * m> normal{};
  for (std::size_t j = 0; j < m; ++j)
    std::ranges::copy(minimum.at.curvature[j], normal.begin() + static_cast<std::ptrdiff_t>(j * m));
  const auto freedom = static_cast<double>(layout.rows * layout.columns) - static_cast<double>(m);
  const StandardErrors errors(normal, m, minimum.at.cost / freedom);
  Vector of_phase{}, of_amplitude{};
  of_phase[0] = p[1] / (amplitude * amplitude);
  of_phase[1] = -p[0] / (amplitude * amplitude);
  of_amplitude[0] = p[0] / amplitude;
  of_amplitude[1] = p[1] / amplitude;
  const bool round = !std::isfinite(ellipse.of_orientation[4]);
  return {{.x = closed ? around(p[2], layout.columns) : p[2],
           .y = closed ? around(p[3], layout.rows) : p[3],
           .width_long = ellipse.width_long,
           .width_short = ellipse.width_short,
           .orientation = ellipse.orientation,
           .frequency_x = sign * p[7],
           .frequency_y = sign * p[8],
           .phase = sign * std::atan2(-p[1], p[0]),
           .amplitude = norm * amplitude,
           .residual = std::sqrt(minimum.at.cost)},
          {.x = errors.of_parameter(2),
           .y = errors.of_parameter(3),
           .width_long = errors.of(ellipse.of_long),
           .width_short = errors.of(ellipse.of_short),
           .orientation = round ? std::numeric_limits<double>::infinity() : errors.of(ellipse.of_orientation),
           .frequency_x = errors.of_parameter(7),
           .frequency_y = errors.of_parameter(8),
           .phase = errors.of(of_phase),
           .amplitude = norm * errors.of(of_amplitude),
           .residual = 0}};
}

}  // namespace
}  // namespace of_gabor2

Gabor2Fitter::Gabor2Fitter(const task::Layout& layout) : layout_(layout), starts_(layout) {}

Gabor2Fit Gabor2Fitter::fit(std::span<const float> field) const {
  using namespace of_gabor2;
  math::stop_if_asked();
  double square = 0;
  for (const float w : field) square += static_cast<double>(w) * w;
  const double norm = std::sqrt(square);
  if (!(norm > 0 && std::isfinite(norm))) {
    const Gabor2 none{kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone};
    return {none, none};
  }
  std::vector<float> scaled;  // Σw² = 1
  for (const float w : field) scaled.push_back(static_cast<float>(static_cast<double>(w) / norm));
  const std::vector<Gabor2Start> starts = starts_.of(scaled);
  Minimum best{{}, {.cost = std::numeric_limits<double>::infinity()}};
  for (std::size_t i = 0; i < std::min(kTried, starts.size()); ++i) {
    const Gabor2Start& start = starts[i];
    const double narrow = -std::log(start.width);
    const Minimum found = refined(
        scaled, layout_,
        {start.a, start.b, start.x, start.y, narrow, 0, narrow, start.frequency_x, start.frequency_y});
    if (found.at.cost < best.at.cost) best = found;
  }
  return described(best, norm, layout_);
}

double value(const Gabor2& gabor, double x, double y, const task::Layout& layout) {
  const bool closed = layout.kind == task::Layout::Kind::torus;
  const double dx = way(gabor.x, x, layout.columns, closed), dy = way(gabor.y, y, layout.rows, closed);
  const double c = std::cos(gabor.orientation), s = std::sin(gabor.orientation);
  const double u = (c * dx + s * dy) / gabor.width_long, v = (c * dy - s * dx) / gabor.width_short;
  return gabor.amplitude * std::exp(-(u * u + v * v) / 2) *
         std::cos(2 * std::numbers::pi * (gabor.frequency_x * dx + gabor.frequency_y * dy) + gabor.phase);
}

}  // namespace sluice::probe
