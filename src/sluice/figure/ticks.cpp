#include "sluice/figure/ticks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sluice/figure/text.hpp"

namespace sluice::figure {
namespace {

constexpr double rounding = 1e-9;   // in steps: a tick this close to the end of an interval is at the end
constexpr double nothing = 1e-300;  // a tenth of anything smaller could not be told from zero
constexpr double most_size = std::numeric_limits<double>::max() / 4;  // lengths and ticks beyond stay finite

double magnitude(Interval range) { return std::max(std::abs(range.low), std::abs(range.high)); }

Interval opened(Interval range) {
  if (range.empty()) return {0, 1};
  range = {std::clamp(range.low, -most_size, most_size), std::clamp(range.high, -most_size, most_size)};
  const double size = magnitude(range);
  if (range.length() > std::max(rounding * size, nothing)) return range;
  return size < nothing ? Interval{0, 1} : Interval{range.low - size / 10, range.high + size / 10};
}

std::vector<double> multiples(double step, double first, double last) {
  std::vector<double> ticks;
  for (int i = 0; i <= last - first; ++i) ticks.push_back((first + i) * step + 0.0);  // + 0.0 turns −0 into 0
  return ticks;
}

}  // namespace

void Interval::include(double value) {
  if (!std::isfinite(value)) return;
  low = std::min(low, value);
  high = std::max(high, value);
}

double nice_step(double length, int most) {
  const double rough = length / most;
  if (!std::isfinite(rough) || !(rough > 0)) return 1;
  const double decade = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * decade >= rough * (1 - rounding)) return factor * decade;
  return 10 * decade;
}

std::vector<double> ticks_covering(Interval range, int most) {
  range = opened(range);
  const double step = nice_step(range.length(), most);
  return multiples(step, std::floor(range.low / step + rounding), std::ceil(range.high / step - rounding));
}

std::vector<double> ticks_within(Interval range, int most, double least_step) {
  range = opened(range);
  const double step = std::max(least_step, nice_step(range.length(), most));
  return multiples(step, std::ceil(range.low / step - rounding), std::floor(range.high / step + rounding));
}

TickLabels tick_labels(const std::vector<double>& ticks) {
  TickLabels labels;
  if (ticks.empty()) return labels;
  const double size = magnitude(finite_range(ticks));
  const double exponent = size > 0 ? std::floor(std::log10(size) + rounding) : 0;
  // Up to 10,000 and down to 0.001 a number is easier to read than a power.
  const double common = exponent > 4 || exponent < -3 ? 3 * std::floor(exponent / 3) : 0;
  const double unit = std::pow(10.0, common);
  const double step = ticks.size() > 1 ? (ticks[1] - ticks[0]) / unit : 1;
  const int decimals = static_cast<int>(std::max(0.0, -std::floor(std::log10(step) + rounding)));
  for (const double tick : ticks) labels.text.push_back(fixed(tick / unit, decimals));
  if (common != 0) labels.factor = "×" + power_of_ten(static_cast<int>(common));
  return labels;
}

}  // namespace sluice::figure
