#include "sluice/task/nlgp.hpp"

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <numbers>

#include "sluice/math/kernels.hpp"
#include "sluice/math/orthant.hpp"

namespace sluice::task {
namespace {

constexpr std::array<spec::Choice, 2> kNormalizations{{
    {"unit", "divide by √Z_g, so that Var X_i = 1"},
    {"none", "X = erf(g Z) as it is"},
}};

/// E erf(gZ)⁴. B.6 gives it as M4(all correlations q), but that integral loses digits as q → 1 (2e-8 at g =
/// 1000); this one does not. The identity of the two is a test.
double erf_fourth_moment(double gain) {
  using Quadrature = boost::math::quadrature::gauss_kronrod<double, 61>;
  const auto density = [](double z) { return std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi); };
  const auto erf_to_four = [](double u) { return std::pow(std::erf(u), 4); };
  constexpr int kDepth = 15;
  constexpr double kTolerance = 1e-14;
  if (gain < 1) {  // small: integrate the moment itself, up to where the density is below 1e-31
    return 2 * Quadrature::integrate([&](double z) { return erf_to_four(gain * z) * density(z); }, 0.0, 12.0,
                                     kDepth, kTolerance);
  }
  // large: what is missing to 1, over u = gz up to where erf is 1 in double; over z, in an interval that shrinks, the rule's estimate of its
  // error does not, and it went on to millions of points
  return 1 - 2 / gain *
                 Quadrature::integrate([&](double u) { return (1 - erf_to_four(u)) * density(u / gain); },
                                       0.0, 6.5, kDepth, kTolerance);
}

}  // namespace

void NlgpOptions::describe(spec::Keys& keys) {
  RingOptions::describe(keys);
  keys.number("gain", gain, nlgp_gains(), "g in erf(g Z): small is Gaussian, inf is sgn Z");
  keys.choice("normalize", normalize, kNormalizations, "unit variance, or erf(g Z) as it is");
  keys.number("scale", scale, spec::positive(), "multiplies X, after normalize");
}

std::unique_ptr<Task> NlgpOptions::make() const { return std::make_unique<Nlgp>(*this); }

spec::Range nlgp_gains() {
  return {.low = 1e-6, .high = 1e6, .infinity_too = true, .expected = "a number from 1e-6 to 1e6, or inf"};
}

double nlgp_q(double gain) { return std::isinf(gain) ? 1.0 : 2 * gain * gain / (1 + 2 * gain * gain); }

double nlgp_variance(double gain) { return math::sign_pair_moment(nlgp_q(gain)); }

double nlgp_correlation(double r, double gain) {
  const double q = nlgp_q(gain);
  return std::asin(q * r) / std::asin(q);
}

double nlgp_excess_kurtosis(double gain) {
  if (std::isinf(gain)) return -2;  // X = ±1
  const double variance = nlgp_variance(gain);
  return erf_fourth_moment(gain) / (variance * variance) - 3;
}

Nlgp::Nlgp(const NlgpOptions& options)
    : RingTask(options),
      options_(options),
      variance_(options.scale * options.scale *
                (options.normalize == "unit" ? 1.0 : nlgp_variance(options.gain))),
      factor_(static_cast<float>(std::sqrt(variance_ / nlgp_variance(options.gain)))) {}

Moments Nlgp::moments(int which_class) const {
  Moments moments{.covariance = latent(which_class).correlation(),
                  .excess_kurtosis = nlgp_excess_kurtosis(options_.gain)};
  for (double& c : moments.covariance) c = variance_ * nlgp_correlation(c, options_.gain);
  return moments;
}

std::optional<Recipe> Nlgp::recipe(int which_class) const {
  return Recipe{.mix = latent(which_class).mix(),
                .map = std::isinf(options_.gain) ? Recipe::Map::sign : Recipe::Map::erf,
                .gain = static_cast<float>(options_.gain),
                .factor = factor_};
}

void Nlgp::sample(const math::Address& first, int which_class, const math::Lanes& x,
                  const math::Lanes& scratch) const {
  latent(which_class).sample(first, x, scratch);
  if (std::isinf(options_.gain)) {
    for (float& value : x.all()) value = std::copysign(factor_, value);
    return;
  }
  math::erf(x.all(), static_cast<float>(options_.gain), factor_);
}

}  // namespace sluice::task
