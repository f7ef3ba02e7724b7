#include "sluice/probe/gabor_start.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sluice/math/kernels.hpp"

namespace sluice::probe {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

std::vector<double> widths_on(std::int64_t sites) {
  std::vector<double> widths;
  double s = 0.6;
  while (s <= static_cast<double>(sites) / 3) {
    widths.push_back(s);
    s *= 1.7;
  }
  widths.push_back(4 * static_cast<double>(sites));
  return widths;
}

/// Of carriers under an envelope that has one radian per width at `radian`. Not near 0: there b and f have next to no effect, and a fit
/// would hardly leave it.
std::vector<double> frequencies_under(double radian, double sites) {
  std::vector<double> frequencies;
  double f = 0.7 * radian;
  while (f <= sites / 2) {
    frequencies.push_back(f);
    f += std::max(1.0, 1.4 * radian);
  }
  return frequencies;
}

}  // namespace

GaborDictionary::GaborDictionary(std::int64_t sites) : sites_(sites) {
  const auto n = static_cast<double>(sites);
  const std::int64_t half = sites / 2 + 1;
  for (std::int64_t i = 0; i < sites; ++i) {
    ring_cosine_.push_back(static_cast<float>(std::cos(kTurn * static_cast<double>(i) / n)));
    ring_sine_.push_back(static_cast<float>(std::sin(kTurn * static_cast<double>(i) / n)));
  }
  for (const double s : widths_on(sites)) {
    for (const double f : frequencies_under(n / (kTurn * s), n)) {
      double cosine_square = 0;
      double sine_square = 0;
      const std::size_t first = cosines_.size();
      for (std::int64_t d = 0; d < half; ++d) {
        const auto x = static_cast<double>(d);
        const double envelope = std::exp(-x * x / (2 * s * s));
        const double times = d == 0 || 2 * d == sites ? 1 : 2;  // d and −d
        const double cosine = envelope * std::cos(kTurn * f * x / n);
        const double sine = times == 1 ? 0 : envelope * std::sin(kTurn * f * x / n);
        cosine_square += times * cosine * cosine;
        sine_square += times * sine * sine;
        cosines_.push_back(static_cast<float>(cosine));
        sines_.push_back(static_cast<float>(sine));
      }
      const Entry entry{static_cast<float>(s), static_cast<float>(f),
                        static_cast<float>(1 / std::sqrt(cosine_square)),
                        static_cast<float>(sine_square > 0 ? 1 / std::sqrt(sine_square) : 0)};
      for (std::size_t at = first; at < cosines_.size(); ++at) {
        cosines_[at] *= entry.cosine_norm;
        sines_[at] *= entry.sine_norm;
      }
      entries_.push_back(entry);
    }
  }
}

void GaborDictionary::choose(const math::Lanes& fields, std::span<GaborStart> starts) const {
  const std::int64_t n = sites_;
  const std::int64_t half = n / 2 + 1;
  const std::int64_t stride = fields.stride;
  const auto count = static_cast<std::int64_t>(entries_.size());
  math::Aligned<float> even(static_cast<std::size_t>(half * stride));
  math::Aligned<float> odd(static_cast<std::size_t>(half * stride));
  math::Aligned<float> cosine(static_cast<std::size_t>(count * stride));
  math::Aligned<float> sine(static_cast<std::size_t>(count * stride));
  std::vector<std::int64_t> centres(static_cast<std::size_t>(2 * fields.samples));
  for (std::int64_t r = 0; r < fields.samples; ++r) {
    double x = 0;
    double y = 0;
    std::int64_t peak = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      const float w = fields.at(i, r);
      x += static_cast<double>(w * w * ring_cosine_[static_cast<std::size_t>(i)]);
      y += static_cast<double>(w * w * ring_sine_[static_cast<std::size_t>(i)]);
      if (std::abs(w) > std::abs(fields.at(peak, r))) peak = i;
    }
    const auto mean = std::llround(std::atan2(y, x) / kTurn * static_cast<double>(n));
    centres[static_cast<std::size_t>(2 * r)] = (mean + n) % n;
    centres[static_cast<std::size_t>(2 * r + 1)] = peak;
  }

  float best[math::kBlockSamples];
  std::int32_t chosen[math::kBlockSamples];
  std::ranges::fill(best, -1.0F);
  for (int which = 0; which < 2; ++which) {
    for (std::int64_t r = 0; r < fields.samples; ++r) {
      const std::int64_t centre = centres[static_cast<std::size_t>(2 * r + which)];
      std::int64_t up = centre;
      std::int64_t down = centre;
      for (std::int64_t d = 0; d < half; ++d) {
        const bool alone = up == down;
        even[static_cast<std::size_t>(d * stride + r)] = fields.at(up, r) + (alone ? 0 : fields.at(down, r));
        odd[static_cast<std::size_t>(d * stride + r)] = fields.at(up, r) - fields.at(down, r);
        up = up + 1 == n ? 0 : up + 1;
        down = down == 0 ? n - 1 : down - 1;
      }
    }
    const auto project = [&](const std::vector<float>& entries, const math::Aligned<float>& part,
                             math::Aligned<float>& out) {
      math::multiply(math::Product<float>{count, stride, half, entries.data(), half, part.data(), stride,
                                          out.data(), stride, false});
    };
    project(cosines_, even, cosine);
    project(sines_, odd, sine);
    std::ranges::fill(chosen, -1);
    for (std::int64_t e = 0; e < count; ++e) {
      const float* c = cosine.data() + e * stride;
      const float* s = sine.data() + e * stride;
      for (std::int64_t r = 0; r < stride; ++r) {
        const float explained = c[r] * c[r] + s[r] * s[r];
        const bool better = explained > best[r];
        best[r] = better ? explained : best[r];
        chosen[r] = better ? static_cast<std::int32_t>(e) : chosen[r];
      }
    }
    for (std::int64_t r = 0; r < fields.samples; ++r) {
      if (chosen[r] < 0) continue;  // the other centre is as good
      const auto e = static_cast<std::size_t>(chosen[r]);
      const std::size_t at = e * static_cast<std::size_t>(stride) + static_cast<std::size_t>(r);
      starts[static_cast<std::size_t>(r)] = {
          cosine[at] * entries_[e].cosine_norm, sine[at] * entries_[e].sine_norm,
          static_cast<float>(centres[static_cast<std::size_t>(2 * r + which)]), entries_[e].width,
          entries_[e].frequency};
    }
  }
}

}  // namespace sluice::probe
