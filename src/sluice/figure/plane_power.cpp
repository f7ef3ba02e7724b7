#include "sluice/figure/plane_power.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace sluice::figure {
namespace of_plane_power {
namespace {

/// Calls visit(up, across) for every wave there is.
template <class Visit>
void every_wave(const PlanePower& power, const Visit& visit) {
  const std::size_t all = power.side();
  const Periods up = periods_along(power.rows, all, all), across = periods_along(power.columns, all, all);
  for (std::int64_t y = up.first; y <= up.last; ++y)
    for (std::int64_t x = across.first; x <= across.last; ++x) visit(y, x);
}

}  // namespace
}  // namespace of_plane_power

double PlanePower::at(std::int64_t up, std::int64_t across) const {
  const auto h = static_cast<std::int64_t>(rows), w = static_cast<std::int64_t>(columns);
  std::int64_t k1 = -up, k2 = ((across % w) + w) % w;  // rows count downwards
  if (2 * k2 > w) {                                    // its conjugate is the one that is kept
    k1 = -k1;
    k2 = w - k2;
  }
  k1 = ((k1 % h) + h) % h;
  const double times = k2 == 0 || 2 * k2 == w ? 1 : 2;
  return shares[static_cast<std::size_t>(k1 * (w / 2 + 1) + k2)] / times;
}

PlanePower mean_power(std::span<const float> shares, std::size_t rows, std::size_t columns) {
  const std::size_t waves = rows * (columns / 2 + 1);
  std::vector<double> sums(waves);
  std::size_t fields = 0;
  for (; shares.size() >= waves; shares = shares.subspan(waves)) {
    if (!std::isfinite(shares.front())) continue;
    for (std::size_t k = 0; k < waves; ++k) sums[k] += shares[k];
    ++fields;
  }
  PlanePower mean{rows, columns};
  for (const double sum : sums)
    mean.shares.push_back(fields > 0 ? static_cast<float>(sum / static_cast<double>(fields))
                                     : std::numeric_limits<float>::quiet_NaN());
  return mean;
}

std::size_t periods_with_power(const PlanePower& power) {
  const std::size_t side = power.side(), most = side / 2;
  std::vector<double> sums(most + 1);  // over waves that are within so many periods and not within fewer
  of_plane_power::every_wave(power, [&](std::int64_t up, std::int64_t across) {
    const auto periods = [&](std::int64_t k, std::size_t sites) {  // k/sites of the longer side, rounded up
      return (static_cast<std::size_t>(std::abs(k)) * side + sites - 1) / sites;
    };
    const std::size_t needed = std::max(periods(up, power.rows), periods(across, power.columns));
    sums[std::min(needed, most)] += power.at(up, across);
  });
  std::size_t shown = 0;
  for (double below = sums[0]; shown < most && !(below >= 0.95); below += sums[shown]) ++shown;
  return std::min(most, std::max(shown + 1, (most + 2) / 3));
}

Periods periods_along(std::size_t sites, std::size_t most, std::size_t side) {
  const std::size_t within = most * sites / side;
  return {-static_cast<std::int64_t>(std::min(within, sites / 2)),
          static_cast<std::int64_t>(std::min(within, (sites - 1) / 2))};
}

HeatMap power_map(const PlanePower& power, std::size_t most) {
  const Periods up = periods_along(power.rows, most, power.side()),
                across = periods_along(power.columns, most, power.side());
  HeatMap map{across.count(), up.count(), {}};
  for (std::int64_t y = up.first; y <= up.last; ++y)
    for (std::int64_t x = across.first; x <= across.last; ++x)
      map.values.push_back(static_cast<float>(power.at(y, x)));
  return map;
}

std::vector<float> power_of_lengths(const PlanePower& power, std::size_t most) {
  std::vector<double> sums(most + 1), waves(most + 1);
  const auto side = static_cast<double>(power.side());
  of_plane_power::every_wave(power, [&](std::int64_t up, std::int64_t across) {
    const double length = side * std::hypot(static_cast<double>(up) / static_cast<double>(power.rows),
                                            static_cast<double>(across) / static_cast<double>(power.columns));
    const auto rounded = static_cast<std::size_t>(std::lround(length));
    if (rounded > most) return;
    sums[rounded] += power.at(up, across);
    ++waves[rounded];
  });
  std::vector<float> means;
  for (std::size_t k = 0; k <= most; ++k) means.push_back(static_cast<float>(sums[k] / waves[k]));
  return means;
}

}  // namespace sluice::figure
