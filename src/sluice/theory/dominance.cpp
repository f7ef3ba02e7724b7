#include "sluice/theory/dominance.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sluice/math/statistics.hpp"

namespace sluice::theory {
namespace {

/// For each of `values` (ascending): which share of `others` (ascending) lies below, ties by half.
std::vector<double> shares_below(const std::vector<double>& values, const std::vector<double>& others) {
  std::vector<double> shares;
  shares.reserve(values.size());
  std::size_t below = 0, up_to = 0;
  for (const double value : values) {
    while (below < others.size() && others[below] < value) ++below;
    while (up_to < others.size() && others[up_to] <= value) ++up_to;
    shares.push_back(static_cast<double>(below + up_to) / 2 / static_cast<double>(others.size()));
  }
  return shares;
}

}  // namespace

Probability exceeds(std::vector<double> one, std::vector<double> zero) {
  std::ranges::sort(one);
  std::ranges::sort(zero);
  const std::vector<double> of_one = shares_below(one, zero), of_zero = shares_below(zero, one);
  const math::Statistics first(of_one), second(of_zero);
  return {first.mean(), std::hypot(first.error(), second.error())};
}

double gaussian_dominance(const Vector& w, const Ring& one, const Ring& zero) {
  return 2 / std::numbers::pi * std::atan(std::sqrt(form(w, one, w) / form(w, zero, w)));
}

Probability exceeds(const Sampler& sampler, const Data& data,
                    const std::function<double(std::span<const double> x)>& statistic) {
  const auto values = [&](Label label) {
    return sampler.values(data, label,
                          [&](std::int64_t /*draw*/, std::span<const double> x) { return statistic(x); });
  };
  return exceeds(values(Label::one), values(Label::zero));
}

Probability dominance(const Sampler& sampler, const Data& data, const Vector& w) {
  return exceeds(sampler, data, [&](std::span<const double> x) { return std::abs(dot(view(w), x)); });
}

double position_average(const Vector& w, double bias, std::span<const double> x) {
  const std::size_t n = x.size();
  double sum = 0;
  for (std::size_t shift = 0; shift < n; ++shift) {
    double response = 0;
    for (std::size_t i = 0; i < n; ++i) response += w[i] * x[i + shift < n ? i + shift : i + shift - n];
    sum += std::erf((std::abs(response) + bias) / std::numbers::sqrt2);
  }
  return sum / static_cast<double>(n);
}

Probability averaged_dominance(const Sampler& sampler, const Data& data, const Vector& w, double bias) {
  return exceeds(sampler, data, [&](std::span<const double> x) { return position_average(w, bias, x); });
}

}  // namespace sluice::theory
