#include "sluice/flow/flat_field.hpp"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "sluice/math/circulant.hpp"
#include "sluice/math/kernels.hpp"
#include "sluice/task/latent_ring.hpp"

namespace sluice::flow {
namespace {

using std::numbers::pi;

/// m and q_k of one class, for X of unit variance.
struct FlatMoments {
  double pull = 0;
  double window = 0;
};

/// Sums over draws, for the regression of a = φ(u*)|X̂_k|²/(b ΣX') on its Gaussian twin z.
struct FlatSums {
  double pull = 0, a = 0, z = 0, az = 0, zz = 0;

  void add(const FlatSums& other) {
    pull += other.pull;
    a += other.a;
    z += other.z;
    az += other.az;
    zz += other.zz;
  }
};

double normal_density(double u) { return std::exp(-u * u / 2) / std::sqrt(2 * pi); }

/// One draw of Z⊥ with what is asked of it.
class FlatSlice {
 public:
  FlatSlice(std::int64_t n, double gain, double reach)
      : sites_(static_cast<std::size_t>(n)),
        gain_(gain),
        unit_(1 / std::sqrt(task::nlgp_variance(gain))),
        reach_(reach),
        z_(sites_),
        x_(static_cast<std::size_t>(math::whole_vectors(n))) {}

  void take(const math::Lanes& lanes, std::int64_t m) {
    double mean = 0;
    for (std::size_t i = 0; i < sites_; ++i)
      mean += static_cast<double>(lanes.at(static_cast<std::int64_t>(i), m));
    mean /= static_cast<double>(sites_);
    for (std::size_t i = 0; i < sites_; ++i)
      z_[i] = static_cast<double>(lanes.at(static_cast<std::int64_t>(i), m)) - mean;
  }

  /// T(u); x_ then holds X(u).
  double total(double u) {
    for (std::size_t i = 0; i < sites_; ++i) x_[i] = static_cast<float>(z_[i] + reach_ * u);
    math::erf(x_, static_cast<float>(gain_), static_cast<float>(unit_));
    double sum = 0;
    for (std::size_t i = 0; i < sites_; ++i) sum += static_cast<double>(x_[i]);
    return sum;
  }
  /// dT/du
  double slope(double u) const {
    double sum = 0;
    for (const double z : z_) {
      const double at = gain_ * (z + reach_ * u);
      sum += std::exp(-at * at);
    }
    return reach_ * unit_ * gain_ * 2 / std::sqrt(pi) * sum;
  }
  /// u*: Newton's method, which T, steep in the middle and flat far out, keeps within a bracket.
  double root() {
    double low = -12, high = 12, u = 0;
    for (int i = 0; i < 60 && high - low > 1e-9; ++i) {
      const double t = total(u);
      (t > 0 ? high : low) = u;
      const double next = u - t / slope(u);
      const bool inside = next > low && next < high;
      if (inside && std::abs(next - u) < 1e-7) return next;
      u = inside ? next : (low + high) / 2;
    }
    return u;
  }
  /// ∫ φ(u) |T(u)| du on both sides of u*.
  double mean_absolute(double at) {
    using Rule = boost::math::quadrature::gauss<double, 12>;
    constexpr double kFarthest = 6.5;
    double sum = 0;
    for (const double end : {-kFarthest, kFarthest}) {
      const double half = (end - at) / 2;
      for (std::size_t k = 0; k < Rule::abscissa().size(); ++k) {
        for (const double side : {-1.0, 1.0}) {
          const double u = at + half * (1 + side * Rule::abscissa()[k]);
          sum += std::abs(half) * Rule::weights()[k] * normal_density(u) * std::abs(total(u));
        }
      }
    }
    return sum;
  }
  /// |Σ_x v_x e^(2πikx/n)|²
  template <class Values>
  double power(const Values& values, const std::vector<double>& cosine,
               const std::vector<double>& sine) const {
    double real = 0, imaginary = 0;
    for (std::size_t i = 0; i < sites_; ++i) {
      real += static_cast<double>(values[i]) * cosine[i];
      imaginary += static_cast<double>(values[i]) * sine[i];
    }
    return real * real + imaginary * imaginary;
  }
  const std::vector<double>& z() const { return z_; }
  const math::Aligned<float>& x() const { return x_; }

 private:
  std::size_t sites_;
  double gain_, unit_, reach_;
  std::vector<double> z_;
  math::Aligned<float> x_;
};

FlatMoments flat_moments(const task::NlgpOptions& task, int which_class, std::int64_t periods,
                         const FlatOptions& options, math::Workers& workers) {
  constexpr std::int64_t kBlock = math::kBlockSamples;
  const task::LatentRing ring(task.n, task.xi[static_cast<std::size_t>(which_class)]);
  const std::vector<double> lambda = math::circulant_eigenvalues(ring.correlation());
  const auto n = static_cast<double>(task.n);
  const double reach = std::sqrt(lambda[0] / n);
  std::vector<double> cosine, sine;
  for (std::int64_t i = 0; i < task.n; ++i) {
    const double angle = 2 * pi * static_cast<double>(periods * i) / n;
    cosine.push_back(std::cos(angle));
    sine.push_back(std::sin(angle));
  }
  const std::int64_t blocks = (options.draws + kBlock - 1) / kBlock;
  std::vector<FlatSums> parts(static_cast<std::size_t>(blocks));
  workers.run(blocks, [&](std::int64_t block, int) {
    math::LanesBuffer<float> z(task.n, kBlock), scratch(task.n, kBlock);
    const math::Lanes lanes = z.lanes(kBlock);
    ring.sample({.seed = options.seed,
                 .purpose = math::Purpose::expectation,
                 .step = static_cast<std::uint64_t>(which_class),
                 .row = static_cast<std::uint32_t>((options.set * blocks + block) * kBlock)},
                lanes, scratch.lanes(kBlock));
    FlatSums& sums = parts[static_cast<std::size_t>(block)];
    FlatSlice slice(task.n, task.gain, reach);
    for (std::int64_t m = 0; m < kBlock; ++m) {
      slice.take(lanes, m);
      const double u = slice.root();
      slice.total(u);
      const double a = normal_density(u) * slice.power(slice.x(), cosine, sine) / slice.slope(u) / n;
      const double twin = normal_density(0) * slice.power(slice.z(), cosine, sine) / (n * reach) / n;
      sums.add({slice.mean_absolute(u) / (2 * n), a, twin, a * twin, twin * twin});
    }
  });
  FlatSums sums;
  for (const FlatSums& part : parts) sums.add(part);
  const double count = static_cast<double>(blocks * kBlock);
  const double mean = sums.a / count, twin = sums.z / count;
  const double regression = (sums.az / count - mean * twin) / (sums.zz / count - twin * twin);
  const double known = normal_density(0) * lambda[static_cast<std::size_t>(periods)] / (n * reach);
  return {sums.pull / count, mean - regression * (twin - known)};
}

}  // namespace

double flat_rate(const UnitSpec& spec, std::int64_t periods, const FlatOptions& options,
                 math::Workers& workers) {
  const std::unique_ptr<task::Task> task = spec.task.make();
  const double deviation =
      spec.task.scale *
      (spec.task.normalize == "unit" ? 1.0 : std::sqrt(task::nlgp_variance(spec.task.gain)));
  double flat = 0, wave = 0, pull = 0, window = 0;
  for (const int c : {0, 1}) {
    const std::vector<double> lambda = math::circulant_eigenvalues(task->moments(c).covariance);
    flat += lambda[0];
    wave += lambda[static_cast<std::size_t>(periods)];
    const double label = spec.task.classes.labels[static_cast<std::size_t>(c)];
    if (label == 0) continue;
    const FlatMoments moments = flat_moments(spec.task, c, periods, options, workers);
    pull += label * deviation * moments.pull;
    window += label * deviation * moments.window;
  }
  const double stiffness = 1 + 2 * spec.pathway + 2 * spec.pathway * spec.pathway;
  const double alpha = 2 * pull / (stiffness * flat);
  return window / (2 * alpha) - stiffness * wave / 4;
}

std::optional<double> flat_onset(const UnitSpec& spec, const UnitParameter& parameter, double near,
                                 std::int64_t periods, const FlatOptions& options, math::Workers& workers) {
  constexpr int kMost = 20;
  constexpr double kNear = 1e-5;
  const auto rate = [&](double x) {
    UnitSpec at = spec;
    parameter.of(at) = parameter.value(x);
    return flat_rate(at, periods, options, workers);
  };
  double before = parameter.coordinate(near), now = before + 0.05;
  double rate_before = rate(before);
  for (int i = 0; i < kMost; ++i) {
    const double here = rate(now);
    if (here == rate_before) return std::nullopt;
    const double next = now - here * (now - before) / (here - rate_before);
    before = std::exchange(now, std::clamp(next, now - 0.3, now + 0.3));
    rate_before = here;
    if (std::abs(now - before) < kNear) return parameter.value(now);
  }
  return std::nullopt;
}

}  // namespace sluice::flow
