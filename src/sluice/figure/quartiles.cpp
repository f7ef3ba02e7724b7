#include "sluice/figure/quartiles.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>

namespace sluice::figure {
namespace {

double quantile(const std::vector<double>& sorted, double q) {
  if (sorted.empty()) return std::numeric_limits<double>::quiet_NaN();
  const double place = static_cast<double>(sorted.size() - 1) * q;
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

}  // namespace

Quartiles quartiles_over_units(std::span<const float> values, std::size_t times) {
  Quartiles result;
  std::vector<double> finite;
  for (std::size_t t = 0; t < times; ++t) {
    const std::size_t units = values.size() / times;
    finite.clear();
    std::ranges::copy_if(values.subspan(t * units, units), std::back_inserter(finite),
                         [](float value) { return std::isfinite(value); });
    std::ranges::sort(finite);
    result.lower.push_back(quantile(finite, 0.25));
    result.median.push_back(quantile(finite, 0.50));
    result.upper.push_back(quantile(finite, 0.75));
  }
  return result;
}

}  // namespace sluice::figure
