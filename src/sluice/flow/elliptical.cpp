#include "sluice/flow/elliptical.hpp"

#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "sluice/task/gaussian.hpp"
#include "sluice/task/gaussian_clone.hpp"

namespace sluice::flow {
namespace {

using std::numbers::pi;

/// E√V of the radial laws of task::ScaleMixture.
double mean_radius(const task::ScaleMixtureOptions& options) {
  const double spread = options.spread;
  if (options.law == "lognormal") return std::exp(-spread * spread / 8);
  if (options.law == "exponential") return std::sqrt(pi) / 2;
  if (options.law == "two-point") return (std::sqrt(1 - spread) + std::sqrt(1 + spread)) / 2;
  throw std::logic_error("radial law without a mean radius: " + options.law);
}

}  // namespace

double elliptical_constant(const task::StudentTOptions& options) {
  const double nu = options.nu;
  // Γ((ν−1)/2)/Γ(ν/2) as one function: both overflow above ν = 340
  return std::sqrt((nu - 2) / pi) / 2 * boost::math::tgamma_delta_ratio((nu - 1) / 2, 0.5);
}

double elliptical_constant(const task::ShellOptions& options) {
  const auto n = static_cast<double>(options.sites());
  return std::sqrt(n / pi) / 2 * boost::math::tgamma_delta_ratio(n / 2, 0.5);
}

double elliptical_constant(const task::ScaleMixtureOptions& options) {
  return mean_radius(options) / std::sqrt(2 * pi);
}

std::optional<double> elliptical_constant(const task::Options& options) {
  if (const auto* student = dynamic_cast<const task::StudentTOptions*>(&options))
    return elliptical_constant(*student);
  if (const auto* shell = dynamic_cast<const task::ShellOptions*>(&options))
    return elliptical_constant(*shell);
  if (const auto* mixture = dynamic_cast<const task::ScaleMixtureOptions*>(&options))
    return elliptical_constant(*mixture);
  return is_gaussian(options) ? std::optional(kGaussianConstant) : std::nullopt;
}

bool is_gaussian(const task::Options& options) {
  return dynamic_cast<const task::GaussianOptions*>(&options) != nullptr ||
         dynamic_cast<const task::GaussianCloneOptions*>(&options) != nullptr;
}

}  // namespace sluice::flow
