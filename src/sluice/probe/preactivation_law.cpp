#include "sluice/probe/preactivation_law.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace sluice::probe {
namespace {

struct FirstTwo {
  double count = 0, sum = 0, squares = 0;
  void add(std::span<const float> values) {
    for (const float value : values) {
      sum += value;
      squares += static_cast<double>(value) * value;
    }
    count += static_cast<double>(values.size());
  }
  double mean() const { return sum / count; }
  double deviation() const { return std::sqrt(squares / count - mean() * mean()); }
};

/// Mean over the classes of measure(class · K + unit), for every unit.
template <class Measure>
std::vector<float> over_classes(std::size_t units, std::size_t classes, const Measure& measure) {
  std::vector<float> result(units);
  for (std::size_t k = 0; k < units; ++k) {
    double sum = 0;
    for (std::size_t c = 0; c < classes; ++c) sum += measure(c * units + k);
    result[k] = static_cast<float>(sum / static_cast<double>(classes));
  }
  return result;
}

/// Mean and deviation of every unit in every class, at [class · K + unit].
std::vector<FirstTwo> first_two(const Samples& samples, std::span<const float> weights) {
  const std::size_t units = samples.units(weights);
  std::vector<FirstTwo> sums(samples.classes() * units);
  samples.preactivations(
      weights, [&](std::size_t c, std::size_t k, std::span<const float> h) { sums[c * units + k].add(h); });
  return sums;
}

/// Σ cos(m·h·z), m = 1, 2, …: ∫ by the rule of equal weights at t = m·h, which is as good as exact for smooth integrands that vanish.
constexpr std::size_t kTimes = 20;
constexpr double kStep = 0.25;
using Cosines = std::array<double, kTimes>;

void add_cosines(Cosines& sums, double z) {
  const double first = std::cos(kStep * z);
  double before = 1, now = first;
  for (double& sum : sums) {
    sum += now;
    const double next = 2 * first * now - before;  // cos((m+1)θ)
    before = now;
    now = next;
  }
}

double distance_from_normal(const Cosines& sums, double count) {
  double integral = 0;
  for (std::size_t m = 0; m < kTimes; ++m) {
    const double t = kStep * static_cast<double>(m + 1), normal = std::exp(-t * t / 2);
    const double off = sums[m] / count - normal;
    integral += 2 * kStep * off * off * normal / std::sqrt(2 * std::numbers::pi);  // t and −t
  }
  return std::sqrt(integral);
}

}  // namespace

std::vector<float> preactivation_ratio(const Samples& samples, std::span<const float> weights) {
  const std::size_t units = samples.units(weights);
  const std::vector<FirstTwo> moments = first_two(samples, weights);
  std::vector<double> lengths(moments.size());
  samples.preactivations(weights, [&](std::size_t c, std::size_t k, std::span<const float> h) {
    const double mean = moments[c * units + k].mean();
    for (const float value : h) lengths[c * units + k] += std::abs(value - mean);
  });
  return over_classes(units, samples.classes(), [&](std::size_t at) {
    return lengths[at] / moments[at].count / moments[at].deviation();
  });
}

std::vector<float> characteristic_distance(const Samples& samples, std::span<const float> weights) {
  const std::size_t units = samples.units(weights);
  const std::vector<FirstTwo> moments = first_two(samples, weights);
  std::vector<Cosines> cosines(moments.size(), Cosines{});
  samples.preactivations(weights, [&](std::size_t c, std::size_t k, std::span<const float> h) {
    const std::size_t at = c * units + k;
    const double mean = moments[at].mean(), scale = 1 / moments[at].deviation();
    for (const float value : h) add_cosines(cosines[at], (value - mean) * scale);
  });
  return over_classes(units, samples.classes(),
                      [&](std::size_t at) { return distance_from_normal(cosines[at], moments[at].count); });
}

}  // namespace sluice::probe
