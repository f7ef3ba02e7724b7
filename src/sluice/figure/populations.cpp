#include "sluice/figure/quartiles.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>

#include "sluice/math/quantile.hpp"

namespace sluice::figure {
Quartiles quartiles_over_units(std::span<const float> values, std::size_t times) {
  Quartiles result;
  std::vector<double> finite;
  for (std::size_t t = 0; t < times; ++t) {
    const std::size_t units = values.size() / times;
    finite.clear();
    std::ranges::copy_if(values.subspan(t * units, units), std::back_inserter(finite),
                         [](float value) { return std::isfinite(value); });
    result.lower.push_back(math::quantile(finite, 0.25));
    result.median.push_back(math::quantile(finite, 0.50));
    result.upper.push_back(math::quantile(finite, 0.75));
  }
  return result;
}

}  // namespace sluice::figure
