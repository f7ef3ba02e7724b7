#include "sluice/flow/exact.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace sluice::flow {
namespace {

constexpr double kPointTie = 1e-12;  // of Σ|w_i x_i|

double overlap(std::span<const double> w, const double* x) {
  double sum = 0;
  for (std::size_t i = 0; i < w.size(); ++i) sum += w[i] * x[i];
  return sum;
}

/// 1, ½ or 0.
double gate(std::span<const double> w, const double* x) {
  double sum = 0;
  double size = 0;
  for (std::size_t i = 0; i < w.size(); ++i) {
    sum += w[i] * x[i];
    size += std::abs(w[i] * x[i]);
  }
  if (std::abs(sum) <= kPointTie * size) return 0.5;
  return sum > 0 ? 1 : 0;
}

/// out = Σ_m p_m factor(x_m) x_m
template <class Factor>
void expectation(const task::FiniteSupport& support, const Factor& factor, std::span<double> out) {
  std::fill(out.begin(), out.end(), 0.0);
  const double* x = support.points.data();
  for (const double weight : support.weights) {
    const double by = weight * factor(x);
    if (by != 0) {
      for (std::size_t i = 0; i < out.size(); ++i) out[i] += by * x[i];
    }
    x += out.size();
  }
}

}  // namespace

ExactResponse::ExactResponse(task::FiniteSupport support) : support_(std::move(support)) {
  if (support_.points.size() != support_.weights.size() * static_cast<std::size_t>(support_.inputs)) {
    throw std::invalid_argument("a finite support with as many points as weights");
  }
}

void ExactResponse::single(std::span<const double> w, std::span<double> f) const {
  expectation(
      support_, [&](const double* x) { return gate(w, x); }, f);
}

void ExactResponse::pair(std::span<const double> w, std::span<const double> v, std::span<double> p) const {
  expectation(
      support_, [&](const double* x) { return gate(w, x) * std::max(overlap(v, x), 0.0); }, p);
}

}  // namespace sluice::flow
