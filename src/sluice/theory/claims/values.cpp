/// Numbers that the sheet prints, to all their digits: what other programs can be tested against.
#include <numbers>

#include "sluice/flow/bumps.hpp"
#include "sluice/flow/elliptical.hpp"
#include "sluice/math/orthant.hpp"
#include "sluice/task/nlgp.hpp"
#include "sluice/theory/bump_gates.hpp"
#include "sluice/theory/claims/tables.hpp"
#include "sluice/theory/deep_gates.hpp"
#include "sluice/theory/evidence.hpp"
#include "sluice/theory/mode_flow.hpp"
#include "sluice/theory/respond.hpp"

namespace sluice::theory::claims {
namespace of_values {
namespace {

/// Half a unit of the last printed digit, and rounding.
constexpr double kTenDigits = 0.51e-10;
constexpr double kEightDigits = 0.51e-8;

Finding printed(const Vector& calculated, const Vector& values, double tolerance = kTenDigits) {
  return computed(calculated, values, tolerance, "closed form against all printed digits");
}

template <class F>
Vector each(const Vector& arguments, const F& f) {
  Vector out(arguments.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = f(arguments[i]);
  return out;
}
const Vector& gains() {
  static const Vector values{0.5, 1, 3, 10};
  return values;
}
const double kNeighbour = std::exp(-0.25);  // r at distance 1, ξ = 2

Finding normalisation(const Sampler& /*sampler*/) {
  return printed(each(gains(), task::nlgp_variance),
                 {0.2163468959, 0.4645590544, 0.7925364660, 0.9364702257});
}
Finding covariance(const Sampler& /*sampler*/) {
  return printed(
      each({0.5, 1, 3, 10, kSigns}, [](double g) { return task::nlgp_correlation(kNeighbour, g); }),
      {0.7727478754, 0.7481081987, 0.6665701201, 0.6027164129, 0.5683434110});
}
double bump(double gain, std::size_t site) {
  const flow::BumpResponse response(math::ring_kernel(40, 2), gain);
  return respond(response, unit(40, 0))[site];
}
Finding bump_here(const Sampler& /*sampler*/) {
  return printed(each(gains(), [](double g) { return bump(g, 0); }),
                 {0.4212001650, 0.4461459915, 0.4788775947, 0.4934614297});
}
Finding bump_next(const Sampler& /*sampler*/) {
  return printed(each(gains(), [](double g) { return bump(g, 1); }),
                 {0.3191530994, 0.3218466271, 0.3075978322, 0.2926373813});
}
Finding kurtosis(const Sampler& /*sampler*/) {
  return printed(each(gains(), task::nlgp_excess_kurtosis),
                 {-0.9122096721, -1.4401614557, -1.8340108806, -1.9536997460});
}

Vector five_eigenvalues(double xi) {
  const Vector lambda = eigenvalues(latent_covariance(40, xi));
  return {lambda[0], lambda[1], lambda[3], lambda[10], lambda[20]};
}
Finding long_eigenvalues(const Sampler& /*sampler*/) {
  return printed(five_eigenvalues(2), {3.5449077018, 3.4585108715, 2.8389833833, 0.3006258009, 0.0003667078});
}
Finding short_eigenvalues(const Sampler& /*sampler*/) {
  return printed(five_eigenvalues(1), {1.7726372048, 1.7617589850, 1.6771358308, 0.9633689473, 0.3006258009});
}

Vector final_norm_and_loss(double xi_one, double xi_zero, std::size_t mode) {
  const ModeFlow flow(latent_covariance(40, xi_one), latent_covariance(40, xi_zero));
  return {flow.steady_state(mode).amplitude, flow.steady_state(mode).loss};
}
Finding flat_end(const Sampler& /*sampler*/) {
  return printed(final_norm_and_loss(2, 1, 0), {0.2825083973, 0.1969501816});
}
Finding alternating_end(const Sampler& /*sampler*/) {
  return printed(final_norm_and_loss(1, 2, 39), {1.4534413115, 0.1705194800});
}

Finding bump_gate_loss(const Sampler& /*sampler*/) {
  return printed(each({0, 1, 3, kSigns}, [](double g) { return bump_solution(40, 2, 1, g).loss; }),
                 {0.2038607246, 0.1948052546, 0.1879342150, 0.1829671681});
}
Finding bump_pair_loss(const Sampler& /*sampler*/) {
  return printed(each({0, 1, 3, kSigns}, [](double g) { return bump_solution(40, 2, 1, g).pair_loss; }),
                 {0.1577214492, 0.1396105092, 0.1258684301, 0.1159343361});
}
Finding bump_gate_weights(const Sampler& /*sampler*/) {
  const Vector weights = bump_solution(40, 2, 1, 3).weights;
  return printed(weights[std::slice(0, 4, 1)], {0.37481214, 0.10195245, 0.02469398, -0.00533172},
                 kEightDigits);
}

Finding four_equal_signs(const Sampler& /*sampler*/) {
  return computed({math::sign_quadruple_moment({0.5, 0.5, 0.5, 0.5, 0.5, 0.5})}, {0.2}, 1e-13,
                  "closed form, exactly 1/5");
}
Finding four_signs(const Sampler& /*sampler*/) {
  return printed({math::sign_quadruple_moment({0.5, 0.3, 0.2, 0.4, 0.1, 0.6})}, {0.149068770188}, 0.51e-12);
}

Vector two_gates(double gain) {
  const Ring r = latent_covariance(20, 2);
  const auto at = [&](std::size_t k, std::size_t l) { return two_gate_moment(r, gain, 0, 3, k, l); };
  return {at(0, 0), at(0, 3), at(1, 2), at(5, 6), at(2, 2)};
}
Finding two_gates_smooth(const Sampler& /*sampler*/) {
  return printed(two_gates(3), {0.2702813309, 0.2494448834, 0.2553708698, 0.1781360484, 0.2829650280});
}
Finding two_gates_signs(const Sampler& /*sampler*/) {
  return printed(two_gates(kSigns), {0.2668060224, 0.2668060224, 0.2193561279, 0.1519577884, 0.2668060224});
}
Finding two_gates_gaussian(const Sampler& /*sampler*/) {
  return printed(two_gates(0), {0.2834873942, 0.1863895962, 0.3168557499, 0.2071744926, 0.3459997834});
}

/// The hypercube itself, and the limit g → ∞ (here g = 10⁹) of smooth data, for w = e_0 + e_4 at site 2.
Finding balanced_bumps(const Sampler& /*sampler*/) {
  const Vector w = unit(20, 0) + unit(20, 4);
  const flow::BumpResponse cube(math::ring_kernel(20, 2), kSigns);
  const flow::BumpResponse smooth(math::ring_kernel(20, 2), 1e9);
  return both(printed({respond(cube, w)[2]}, {0.11991609}, kEightDigits),
              printed({respond(smooth, w)[2]}, {0.17241612}, kEightDigits));
}
Finding majority(const Sampler& /*sampler*/) {
  const flow::BumpResponse cube(math::ring_kernel(20, 2), kSigns);
  const Vector w = 2.5 * unit(20, 0) + 2.0 * unit(20, 1) + unit(20, 4);
  const Vector f = respond(cube, w);
  return printed({f[0], f[1], f[2], f[4]}, {0.37819502, 0.40597669, 0.22868294, 0.12763536}, kEightDigits);
}

Finding elliptical_constants(const Sampler& /*sampler*/) {
  const auto student = [](double nu) {
    task::StudentTOptions options;
    options.nu = nu;
    return flow::elliptical_constant(options);
  };
  const auto shell = [](std::int64_t n) {
    task::ShellOptions options;
    options.n = n;
    return flow::elliptical_constant(options);
  };
  return printed(
      {student(3), student(5), student(10), shell(2), shell(8), shell(40), flow::kGaussianConstant},
      {0.3183098862, 0.3675525969, 0.3866990210, 0.4501581581, 0.4115731731, 0.4014432166, 0.3989422804});
}

Finding deep_variance(const Sampler& /*sampler*/) {
  return printed({kernel_variance(256, 4), kernel_variance(256, 8), kernel_variance(64, 8)},
                 {0.078125, 1.421875, 5.6875}, 1e-14);
}
Finding deep_overlap(const Sampler& /*sampler*/) { return printed({gate_overlap(1.1, 5)}, {0.2502167683}); }

constexpr Claim kClaims[] = {
    {"K.1", "Z_g at g = 0.5, 1, 3, 10", "sheet K", Verdict::holds, normalisation},
    {"K.2", "C at r = e^(−1/4), g = 0.5, 1, 3, 10, inf", "sheet K", Verdict::holds, covariance},
    {"K.3", "f(e_i)_i, g = 0.5, 1, 3, 10", "sheet K", Verdict::holds, bump_here},
    {"K.4", "f(e_i)_j at r = e^(−1/4), g = 0.5, 1, 3, 10", "sheet K", Verdict::holds, bump_next},
    {"K.5", "excess kurtosis, g = 0.5, 1, 3, 10", "sheet K", Verdict::holds, kurtosis},
    {"K.6", "n = 40, ξ = 2: λ_0, λ_1, λ_3, λ_10, λ_20", "sheet K", Verdict::holds, long_eigenvalues},
    {"K.7", "n = 40, ξ = 1: λ_0, λ_1, λ_3, λ_10, λ_20", "sheet K", Verdict::holds, short_eigenvalues},
    {"K.8", "one unit, Gaussian, ξ = (2,1), n = 40: final norm and loss", "sheet K", Verdict::holds,
     flat_end},
    {"K.9", "one unit, Gaussian, ξ = (1,2), n = 40: final norm and loss", "sheet K", Verdict::holds,
     alternating_end},
    {"K.10", "small-bump gate, n = 40, ξ = (2,1): L_∞ with one gate, g = 0, 1, 3, inf (F.3)", "sheet K",
     Verdict::holds, bump_gate_loss},
    {"K.11", "the same with a ± pair", "sheet K", Verdict::holds, bump_pair_loss},
    {"K.12", "its weights (one gate), g = 3, distance 0, 1, 2, 3", "sheet K", Verdict::holds,
     bump_gate_weights},
    {"K.13", "M4, all correlations ½", "sheet K", Verdict::holds, four_equal_signs},
    {"K.14", "M4, correlations 0.5, 0.3, 0.2, 0.4, 0.1, 0.6", "sheet K", Verdict::holds, four_signs},
    {"K.15", "F.4, n = 20, ξ = 2, gates 0 and 3, five pairs of sites, g = 3", "sheet K", Verdict::holds,
     two_gates_smooth},
    {"K.16", "F.4, the same, g = inf", "sheet K", Verdict::holds, two_gates_signs},
    {"K.17", "F.5, the same, g = 0", "sheet K", Verdict::holds, two_gates_gaussian},
    {"K.18", "sign data, n = 20, ξ = 2, w = e_0+e_4, site 2: hypercube, and the limit g → ∞", "sheet K",
     Verdict::holds, balanced_bumps},
    {"K.19", "majority of sites 0, 1, 4, n = 20, ξ = 2, at sites 0, 1, 2, 4", "sheet K", Verdict::holds,
     majority},
    {"K.20", "elliptical c: t3, t5, t10; shell n = 2, 8, 40; Gaussian", "sheet K", Verdict::holds,
     elliptical_constants},
    {"K.21", "I.7, leading form: (w,d) = (256,4), (256,8), (64,8)", "sheet K", Verdict::holds, deep_variance},
    {"K.22", "I.8, θ_0 = 1.1, d = 5", "sheet K", Verdict::holds, deep_overlap},
};

}  // namespace
}  // namespace of_values

std::span<const Claim> values() { return of_values::kClaims; }

}  // namespace sluice::theory::claims
