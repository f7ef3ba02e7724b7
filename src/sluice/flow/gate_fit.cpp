#include "sluice/flow/gate_fit.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sluice::flow {

Triangle::Triangle(std::vector<double> matrix, std::span<const double> variance)
    : m_(variance.size()), l_(std::move(matrix)), kept_(m_) {
  for (std::size_t i = 0; i < m_; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = at(i, j);
      const double *a = &l_[i * m_], *b = &l_[j * m_];
      for (std::size_t t = 0; t < j; ++t) sum -= a[t] * b[t];
      if (j < i) {
        l_[i * m_ + j] = kept_[j] ? sum / at(j, j) : 0;
      } else {
        kept_[i] = sum > kDependent * variance[i];
        l_[i * m_ + i] = kept_[i] ? std::sqrt(sum) : 0;
      }
    }
  }
}

std::vector<double> Triangle::forward(std::vector<double> b) const {
  for (std::size_t i = 0; i < m_; ++i) {
    for (std::size_t j = 0; j < i; ++j) b[i] -= at(i, j) * b[j];
    b[i] = kept_[i] ? b[i] / at(i, i) : 0;
  }
  return b;
}

std::vector<double> Triangle::backward(std::vector<double> c) const {
  for (std::size_t i = m_; i-- > 0;) {
    c[i] = kept_[i] ? c[i] / at(i, i) : 0;
    for (std::size_t j = 0; j < i; ++j) c[j] -= at(i, j) * c[i];
  }
  return c;
}

double Triangle::form(std::vector<double> b) const {
  double sum = 0;
  for (const double c : forward(std::move(b))) sum += c * c;
  return sum;
}

GateFit fit_gates(const GateMoments& moments) {
  std::vector<double> variance;
  const auto size = static_cast<std::size_t>(moments.size());
  for (std::size_t i = 0; i < size; ++i) variance.push_back(moments.a[i * size + i]);
  const Triangle triangle(moments.a, variance);
  std::vector<double> explained = triangle.forward(moments.b);
  double objective = 0;
  for (const double c : explained) objective += c * c;
  return {objective, triangle.backward(std::move(explained))};
}

std::vector<double> draw_losses(const GatePoints& points, std::span<const float> gates, const GateFit& fit,
                                math::Workers& workers) {
  const std::int64_t n = points.inputs, units = static_cast<std::int64_t>(gates.size()) / n;
  const OpenBits open = open_bits(points, gates, workers);
  const std::int64_t draws = points.count / points.per_draw;
  std::vector<double> losses(static_cast<std::size_t>(draws));
  constexpr std::int64_t kAtOnce = 1024;
  workers.run((draws + kAtOnce - 1) / kAtOnce, [&](std::int64_t chunk, int) {
    for (std::int64_t draw = chunk * kAtOnce; draw < std::min(draws, (chunk + 1) * kAtOnce); ++draw) {
      for (std::int64_t p = draw * points.per_draw; p < (draw + 1) * points.per_draw; ++p) {
        const float* x = points.row(p);
        double error = -static_cast<double>(points.label(p));
        for (std::int64_t k = 0; k < units; ++k) {
          if ((open.row(k)[static_cast<std::size_t>(p / 64)] >> (p % 64) & 1U) == 0) continue;
          for (std::int64_t i = 0; i < n; ++i)
            error += fit.weights[static_cast<std::size_t>(k * n + i)] * static_cast<double>(x[i]);
        }
        losses[static_cast<std::size_t>(draw)] += points.weight(p) * error * error / 2;
      }
    }
  });
  return losses;
}

Estimate estimate(const GatePoints& points, std::span<const double> draws) {
  Estimate estimate;
  for (const double value : draws) estimate.mean += value;
  if (points.exact) return estimate;
  // Draws of a class weigh the same: Var Σ_d value_d from the scatter within the classes, of which the first half of the draws is one.
  const std::size_t half = draws.size() / 2;
  for (const auto of_class : {draws.first(half), draws.subspan(half)}) {
    const auto count = static_cast<double>(of_class.size());
    double mean = 0, squares = 0;
    for (const double value : of_class) mean += value / count;
    for (const double value : of_class) squares += (value - mean) * (value - mean);
    estimate.error += squares * count / (count - 1);
  }
  estimate.error = std::sqrt(estimate.error);
  return estimate;
}

}  // namespace sluice::flow
