#include "sluice/figure/populations.hpp"

#include <cmath>
#include <numeric>

#include "sluice/math/quantile.hpp"

namespace sluice::figure {

std::vector<Population> populations(std::size_t units, std::span<const std::uint8_t> at_end) {
  if (at_end.empty()) {
    std::vector<std::size_t> all(units);
    std::iota(all.begin(), all.end(), std::size_t{0});
    return {{"", all}};
  }
  std::vector<Population> both{{"localized", {}}, {"not localized", {}}};
  for (std::size_t k = 0; k < units; ++k) both[at_end[k] == 1 ? 0 : 1].units.push_back(k);
  for (Population& each : both)
    each.share = static_cast<double>(each.units.size()) / static_cast<double>(units);
  std::erase_if(both, [](const Population& each) { return each.units.empty(); });
  return both;
}

template <class Real>
Spread spread_over(std::span<const Real> values, std::size_t times, const std::vector<std::size_t>& units) {
  Spread result;
  const std::size_t all = times == 0 ? 0 : values.size() / times;
  std::vector<double> finite;
  for (std::size_t t = 0; t < times; ++t) {
    finite.clear();
    for (const std::size_t k : units) {
      if (all == 0) break;  // a run without this number
      const auto value = static_cast<double>(values[t * all + k]);
      if (std::isfinite(value)) finite.push_back(value);
    }
    const double sum = std::accumulate(finite.begin(), finite.end(), 0.0);
    result.lower.push_back(math::quantile(finite, 0.25));
    result.mean.push_back(sum / static_cast<double>(finite.size()));
    result.upper.push_back(math::quantile(finite, 0.75));
  }
  return result;
}

template Spread spread_over(std::span<const float>, std::size_t, const std::vector<std::size_t>&);
template Spread spread_over(std::span<const double>, std::size_t, const std::vector<std::size_t>&);

}  // namespace sluice::figure
