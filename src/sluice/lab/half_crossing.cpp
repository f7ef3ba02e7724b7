#include "sluice/lab/half_crossing.hpp"

#include <cmath>
#include <limits>
#include <map>

#include "sluice/math/statistics.hpp"

namespace sluice::lab {

std::vector<ShareAt> shares_along(const std::vector<const RunPoint*>& runs, const std::string& x,
                                  const std::string& share, const std::string& another) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  std::map<double, std::vector<double>> shares, others;
  for (const RunPoint* run : runs) {
    const std::optional<double> at = number_in(run->text(x)), number = run->number(share);
    if (!at || !std::isfinite(*at) || !number) continue;
    shares[*at].push_back(*number);
    if (const std::optional<double> other = run->number(another)) others[*at].push_back(*other);
  }
  std::vector<ShareAt> along;
  for (const auto& [at, values] : shares) {
    const math::Statistics of(values);
    along.push_back({at, of.mean(), values.size() > 1 ? of.error() : kNone,
                     others.contains(at) ? math::Statistics(others[at]).mean() : kNone});
  }
  return along;
}

std::optional<HalfCrossing> half_crossing(std::span<const ShareAt> shares, bool logarithmic) {
  std::optional<HalfCrossing> found;
  for (std::size_t i = 0; i + 1 < shares.size(); ++i) {
    const ShareAt& low = shares[i];
    const ShareAt& high = shares[i + 1];
    if ((low.share < 0.5) == (high.share < 0.5)) continue;
    if (found) return std::nullopt;
    const double rise = high.share - low.share;
    const double t = (0.5 - low.share) / rise;
    const double t_error = std::hypot((1 - t) * low.error, t * high.error) / std::abs(rise);
    const double span = logarithmic ? std::log(high.x / low.x) : high.x - low.x;
    const double x = logarithmic ? low.x * std::exp(t * span) : low.x + t * span;
    found = {.x = x,
             .error = std::abs(span) * t_error * (logarithmic ? x : 1),
             .another = low.another + t * (high.another - low.another),
             .another_error = std::abs(high.another - low.another) * t_error,
             .from = low.x,
             .to = high.x};
  }
  return found;
}

}  // namespace sluice::lab
