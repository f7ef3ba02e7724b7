/// How often gates flip early and late in training: means of p(t) (gate_flips) over units and over probe times.         ledger: N0.38, N0.c11
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace sluice::probe {

/// NaN where no probe time lies there.
struct FlipMeans {
  double early;  ///< over the first tenth of the steps
  double late;   ///< over the last
};

/// step [T], flips [T, K]; values that are not finite, as those of the first time, are left out.
inline FlipMeans flip_means(std::span<const std::int64_t> step, std::span<const float> flips) {
  if (step.empty()) return {std::nan(""), std::nan("")};
  const std::size_t units = flips.size() / step.size();
  const auto mean = [&](double from, double to) {
    double sum = 0;
    std::size_t count = 0;
    for (std::size_t t = 0; t < step.size(); ++t) {
      const auto at = static_cast<double>(step[t]);
      if (at < from || at > to) continue;
      for (const float p : flips.subspan(t * units, units)) {
        if (!std::isfinite(p)) continue;
        sum += static_cast<double>(p);
        ++count;
      }
    }
    return count > 0 ? sum / static_cast<double>(count) : std::numeric_limits<double>::quiet_NaN();
  };
  const auto last = static_cast<double>(step.back());
  return {mean(0, 0.1 * last), mean(0.9 * last, last)};
}

}  // namespace sluice::probe
