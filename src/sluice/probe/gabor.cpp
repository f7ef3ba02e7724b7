// Compiled once per instruction set: Highway includes this file again for each target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sluice/probe/gabor.cpp"
#include <hwy/foreach_target.h>
// Highway
#include <hwy/highway.h>

#include <cstdint>

#include "sluice/math/vector_functions.inc"
#include "sluice/probe/gabor.hpp"

HWY_BEFORE_NAMESPACE();
namespace sluice::probe::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::ScalableTag<float>;
using Vec = hn::Vec<Tag>;
constexpr Tag kTag;

constexpr int kUnknowns = 5;  // a, b, c, ln s, f
constexpr int kMostSteps = 16;
constexpr float kSettled = 1e-3F;  // relative gain of a step below which a field is done
constexpr float kTwoPi = 6.2831853F;

/// Σr², J'r and J'J (its lower half) at some parameters, one field per lane.
struct Normal {
  Vec cost;
  Vec slope[kUnknowns];
  Vec curvature[kUnknowns][kUnknowns];
};

/// Residuals r = w − g and J = ∂g/∂(a, b, c, ln s, f), summed over the ring. With e the envelope, θ = 2πfd/n and
/// h = ∂g/∂θ:   ∂a g = e cos θ   ∂b g = e sin θ   ∂c g = g d/s² − h 2πf/n   ∂(ln s) g = g d²/s²   ∂f g = h 2πd/n
HWY_INLINE Normal sums(const float* fields, std::int64_t stride, std::int64_t sites,
                       const Vec (&p)[kUnknowns], Vec inverse_width) {
  const hn::RebindToSigned<Tag> integers;
  const Vec n = hn::Set(kTag, static_cast<float>(sites));
  const Vec inverse_n = hn::Set(kTag, 1 / static_cast<float>(sites));
  const Vec half = hn::Set(kTag, 0.5F);
  const Vec minus_half = hn::Set(kTag, -0.5F);
  const Vec carrier = hn::Mul(hn::Set(kTag, kTwoPi), hn::Mul(p[4], inverse_n));
  Normal sum;
  sum.cost = hn::Zero(kTag);
  for (int j = 0; j < kUnknowns; ++j) {
    sum.slope[j] = hn::Zero(kTag);
    for (int k = 0; k <= j; ++k) sum.curvature[j][k] = hn::Zero(kTag);
  }
  for (std::int64_t i = 0; i < sites; ++i, fields += stride) {
    const Vec away = hn::Sub(hn::Set(kTag, static_cast<float>(i)), p[2]);
    const Vec d = hn::NegMulAdd(n, hn::Floor(hn::MulAdd(away, inverse_n, half)), away);
    const Vec u = hn::Mul(d, inverse_width);
    const Vec square = hn::Mul(u, u);
    const Vec e = math::HWY_NAMESPACE::exp_of_negative(kTag, hn::Mul(minus_half, square));
    const Vec part = hn::Mul(d, inverse_n);
    const Vec turns = hn::Mul(p[4], part);
    const Vec fraction = hn::Sub(turns, hn::Round(turns));
    Vec sine, cosine;
    math::HWY_NAMESPACE::sin_cos_of_turn(
        kTag, hn::ConvertTo(integers, hn::Mul(fraction, hn::Set(kTag, 4294967040.0F))), sine, cosine);
    Vec derivative[kUnknowns];
    derivative[0] = hn::Mul(e, cosine);
    derivative[1] = hn::Mul(e, sine);
    const Vec g = hn::MulAdd(p[0], derivative[0], hn::Mul(p[1], derivative[1]));
    const Vec h = hn::NegMulAdd(p[0], derivative[1], hn::Mul(p[1], derivative[0]));
    derivative[2] = hn::NegMulAdd(carrier, h, hn::Mul(hn::Mul(u, inverse_width), g));
    derivative[3] = hn::Mul(square, g);
    derivative[4] = hn::Mul(hn::Mul(part, hn::Set(kTag, kTwoPi)), h);
    const Vec r = hn::Sub(hn::LoadU(kTag, fields), g);
    sum.cost = hn::MulAdd(r, r, sum.cost);
    for (int j = 0; j < kUnknowns; ++j) {
      sum.slope[j] = hn::MulAdd(derivative[j], r, sum.slope[j]);
      for (int k = 0; k <= j; ++k)
        sum.curvature[j][k] = hn::MulAdd(derivative[j], derivative[k], sum.curvature[j][k]);
    }
  }
  return sum;
}

/// (J'J + λ diag J'J) δ = J'r by Cholesky's decomposition.
HWY_INLINE void solve(const Normal& at, Vec damping, Vec (&step)[kUnknowns]) {
  const Vec least = hn::Set(kTag, 1e-12F);
  const Vec more = hn::Add(damping, hn::Set(kTag, 1.0F));
  Vec factor[kUnknowns][kUnknowns];
  Vec inverse[kUnknowns];
  for (int j = 0; j < kUnknowns; ++j) {
    for (int k = 0; k <= j; ++k) {
      Vec value = at.curvature[j][k];
      if (j == k) value = hn::MulAdd(value, more, least);
      for (int m = 0; m < k; ++m) value = hn::NegMulAdd(factor[j][m], factor[k][m], value);
      if (j == k) {
        inverse[j] = hn::Div(hn::Set(kTag, 1.0F), hn::Sqrt(hn::Max(value, least)));
      } else {
        factor[j][k] = hn::Mul(value, inverse[k]);
      }
    }
  }
  for (int j = 0; j < kUnknowns; ++j) {
    Vec value = at.slope[j];
    for (int m = 0; m < j; ++m) value = hn::NegMulAdd(factor[j][m], step[m], value);
    step[j] = hn::Mul(value, inverse[j]);
  }
  for (int j = kUnknowns; j-- > 0;) {
    Vec value = step[j];
    for (int m = j + 1; m < kUnknowns; ++m) value = hn::NegMulAdd(factor[m][j], step[m], value);
    step[j] = hn::Mul(value, inverse[j]);
  }
}

HWY_INLINE Vec clamped(Vec x, Vec low, Vec high) { return hn::Min(hn::Max(x, low), high); }

HWY_INLINE Vec inverse_of(Vec log_width) {  // 1/s = e^(−ln s), from a power that is never positive
  const Vec shift = hn::Set(kTag, 2.0F);    // ln s ≥ ln 0.3 > −2
  return hn::Mul(hn::Set(kTag, 7.3890561F),
                 math::HWY_NAMESPACE::exp_of_negative(kTag, hn::Neg(hn::Add(log_width, shift))));
}

/// Improves parameters[unknown·stride + lane] and writes Σr² per lane.
void refine(const float* fields, std::int64_t stride, std::int64_t sites, float* parameters, float* costs) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(kTag));
  const auto ring = static_cast<float>(sites);
  const Vec narrowest = hn::Set(kTag, -1.2039728F);  // ln 0.3
  const Vec widest = math::HWY_NAMESPACE::log_of_positive(kTag, hn::Set(kTag, 4 * ring));
  const Vec nyquist = hn::Set(kTag, ring / 2);
  const Vec zero = hn::Zero(kTag);
  const Vec one = hn::Set(kTag, 1.0F);
  for (std::int64_t first = 0; first < stride; first += lanes) {
    Vec p[kUnknowns];
    for (int j = 0; j < kUnknowns; ++j) p[j] = hn::LoadU(kTag, parameters + j * stride + first);
    Normal at = sums(fields + first, stride, sites, p, inverse_of(p[3]));
    Vec damping = hn::Set(kTag, 0.01F);
    auto done = hn::Not(hn::Ge(at.cost, zero));  // NaN: nothing to improve
    for (int attempt = 0; attempt < kMostSteps && !hn::AllTrue(kTag, done); ++attempt) {
      Vec step[kUnknowns];
      solve(at, damping, step);
      Vec trial[kUnknowns];
      const Vec reach = hn::Add(one, hn::Div(one, inverse_of(p[3])));
      trial[0] = hn::Add(p[0], step[0]);
      trial[2] = hn::Add(p[2], clamped(step[2], hn::Neg(reach), reach));
      trial[3] = clamped(hn::Add(p[3], clamped(step[3], hn::Neg(one), one)), narrowest, widest);
      const Vec frequency = hn::Add(p[4], step[4]);
      trial[4] = hn::Min(hn::Abs(frequency), nyquist);
      const Vec b = hn::Add(p[1], step[1]);
      trial[1] = hn::IfThenElse(hn::Lt(frequency, zero), hn::Neg(b), b);  // sin is odd in f
      const Normal next = sums(fields + first, stride, sites, trial, inverse_of(trial[3]));
      const auto better = hn::AndNot(done, hn::Lt(next.cost, at.cost));
      const Vec gain = hn::Sub(at.cost, next.cost);
      const auto settled = hn::And(better, hn::Or(hn::Lt(gain, hn::Mul(hn::Set(kTag, kSettled), next.cost)),
                                                  hn::Lt(next.cost, hn::Set(kTag, 1e-10F))));
      for (int j = 0; j < kUnknowns; ++j) {
        p[j] = hn::IfThenElse(better, trial[j], p[j]);
        at.slope[j] = hn::IfThenElse(better, next.slope[j], at.slope[j]);
        for (int k = 0; k <= j; ++k)
          at.curvature[j][k] = hn::IfThenElse(better, next.curvature[j][k], at.curvature[j][k]);
      }
      at.cost = hn::IfThenElse(better, next.cost, at.cost);
      damping = hn::Mul(damping, hn::IfThenElse(better, hn::Set(kTag, 0.2F), hn::Set(kTag, 6.0F)));
      damping = hn::Max(damping, hn::Set(kTag, 1e-6F));
      done = hn::Or(done, hn::Or(settled, hn::Gt(damping, hn::Set(kTag, 1e4F))));
    }
    for (int j = 0; j < kUnknowns; ++j) hn::StoreU(p[j], kTag, parameters + j * stride + first);
    hn::StoreU(at.cost, kTag, costs + first);
  }
}

}  // namespace sluice::probe::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "sluice/math/stopping.hpp"

namespace sluice::probe {

HWY_EXPORT(refine);

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

double wrapped(double site, double n) {
  const double rest = site - n * std::floor(site / n);
  return rest < n ? rest : 0;
}

}  // namespace

GaborFitter::GaborFitter(std::int64_t sites) : sites_(sites), dictionary_(sites) {}

std::vector<Gabor> GaborFitter::fit(std::span<const float> fields) const {
  const std::int64_t n = sites_;
  const std::int64_t units = static_cast<std::int64_t>(fields.size()) / n;
  std::vector<Gabor> fits;
  math::LanesBuffer<float> buffer(n, math::kBlockSamples);
  std::vector<double> norms(math::kBlockSamples);
  std::vector<GaborStart> starts(math::kBlockSamples);
  std::vector<float> parameters(5 * math::kBlockSamples);
  std::vector<float> costs(math::kBlockSamples);
  for (std::int64_t first = 0; first < units; first += math::kBlockSamples) {
    math::stop_if_asked();
    const std::int64_t count = std::min(math::kBlockSamples, units - first);
    const math::Lanes lanes = buffer.lanes(count);
    const std::int64_t stride = lanes.stride;
    std::ranges::fill(lanes.all(), 0.0F);
    for (std::int64_t r = 0; r < count; ++r) {
      const float* w = fields.data() + (first + r) * n;
      double square = 0;
      for (std::int64_t i = 0; i < n; ++i) square += static_cast<double>(w[i]) * w[i];
      const double norm = std::sqrt(square);
      norms[static_cast<std::size_t>(r)] = norm;
      const auto scale = static_cast<float>(norm > 0 && std::isfinite(norm) ? 1 / norm : 0);
      for (std::int64_t i = 0; i < n; ++i) lanes.at(i, r) = scale > 0 ? scale * w[i] : 0;
    }
    std::ranges::fill(starts, GaborStart{0, 0, 0, 1, 1});
    dictionary_.choose(lanes, starts);
    for (std::int64_t r = 0; r < stride; ++r) {
      const GaborStart& start = starts[static_cast<std::size_t>(r)];
      const float values[] = {start.a, start.b, start.centre, std::log(start.width), start.frequency};
      for (std::int64_t j = 0; j < 5; ++j) parameters[static_cast<std::size_t>(j * stride + r)] = values[j];
    }
    HWY_DYNAMIC_DISPATCH(refine)(lanes.data, stride, n, parameters.data(), costs.data());
    for (std::int64_t r = 0; r < count; ++r) {
      const auto p = [&](std::int64_t j) {
        return static_cast<double>(parameters[static_cast<std::size_t>(j * stride + r)]);
      };
      const double norm = norms[static_cast<std::size_t>(r)];
      if (!(norm > 0 && std::isfinite(norm))) {
        fits.push_back({kNone, kNone, kNone, kNone, kNone, kNone});
        continue;
      }
      fits.push_back({.centre = wrapped(p(2), static_cast<double>(n)),
                      .width = std::exp(p(3)),
                      .frequency = p(4),
                      .phase = std::atan2(-p(1), p(0)),
                      .amplitude = norm * std::hypot(p(0), p(1)),
                      .residual = std::sqrt(static_cast<double>(costs[static_cast<std::size_t>(r)]))});
    }
  }
  return fits;
}

double value(const Gabor& gabor, double site, std::int64_t sites) {
  const auto n = static_cast<double>(sites);
  const double away = site - gabor.centre;
  const double d = away - n * std::floor(away / n + 0.5);
  const double u = d / gabor.width;
  return gabor.amplitude * std::exp(-u * u / 2) *
         std::cos(2 * std::numbers::pi * gabor.frequency * d / n + gabor.phase);
}

}  // namespace sluice::probe
#endif
