/// What a network of two populations compares (document 002 §2): pairs of opposite units, and which class moves a unit more.
#include "sluice/theory/dominance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "sluice/math/symmetric.hpp"
#include "sluice/theory/claims/tables.hpp"
#include "sluice/theory/evidence.hpp"
#include "sluice/theory/fourier.hpp"
#include "sluice/theory/shapes.hpp"

namespace sluice::theory::claims {
namespace of_populations {
namespace {

using Row = std::span<const double>;
using Out = std::span<double>;

constexpr std::size_t n = 16;

double sigmoid(double h) { return std::erf(h / std::numbers::sqrt2); }

Means means_of(const Probability& probability) { return {{probability.value}, {probability.standard_error}}; }

/// N2.5: a pair of opposite units, where one of its two terms is saturated: h = 3 to 6 beside b = −2, h up to 4 beside b = 8.
Finding opposite_pairs(const Sampler& /*sampler*/) {
  constexpr std::size_t kCount = 16;
  Vector measured(2 * kCount), stated(2 * kCount), printed(2 * kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    const double low = 3 + 0.2 * static_cast<double>(i), high = 0.25 * static_cast<double>(i);
    const auto pair = [](double h, double b) { return (sigmoid(h + b) + sigmoid(-h + b)) / 4; };
    measured[i] = pair(low, -2);
    stated[i] = (sigmoid(low - 2) - 1) / 4;
    printed[i] = sigmoid(low - 2) / 2;
    measured[kCount + i] = pair(high, 8);
    stated[kCount + i] = (1 + sigmoid(8 - high)) / 4;
    printed[kCount + i] = sigmoid(high + 8) / 2;
  }
  const double dropped = 1 - sigmoid(5);  // what the saturated term is off by: h = 3, b = −2
  return computed(measured, stated, printed, dropped / 4, "both terms of the pair");
}

/// N2.7: on 40 sites, ξ = (2,1), b = −1, Gaussian data. For a flat field the average over positions is a function of |⟨w,X⟩|, and the two
/// probabilities agree; for a bump the first is 0.77 and the second 0.59.
Finding averages_are_no_draws(const Sampler& sampler) {
  constexpr std::size_t kSites = 40;
  constexpr double kBias = -1;
  const Sampler fewer(std::max<std::int64_t>(sampler.samples() / 8, 1000), sampler.seed(), sampler.workers());
  const Data data = gaussian_data(kSites, 2, 1);
  const Vector constant = flat(kSites) / std::sqrt(40.0);
  const Vector localized = bump(kSites, std::numbers::sqrt2);
  const Probability flat_average = averaged_dominance(sampler, data, constant, kBias);
  const Probability average = averaged_dominance(fewer, data, localized, kBias);
  const double single_flat = gaussian_dominance(constant, data.one, data.zero);
  const double single = gaussian_dominance(localized, data.one, data.zero);
  Finding finding = sampled(means_of(flat_average), {single_flat});
  finding.notes = single;
  finding.evidence += fmt::format("; a bump: {:.4f} ± {:.4f}", average.value, average.standard_error);
  return provided(average.value - single > 20 * average.standard_error && single < single_flat,
                  "the average ranks flat fields and bumps as a single draw does", finding);
}

/// N2.8, N2.10: on the same draws |S|, S² and σ(|S| + b) are larger together.
Finding monotone_forms(const Sampler& sampler) {
  const Data data = nlgp_data(n, 1.6, 0.8, 3);
  const Vector w = 0.3 * trial_weights(n, 1);
  const auto probability = [&](double (*of)(double)) {
    return exceeds(sampler, data, [&](Row x) { return of(dot(view(w), x)); }).value;
  };
  const double size = probability([](double s) { return std::abs(s); });
  return computed({probability([](double s) { return s * s; }),
                   probability([](double s) { return sigmoid(std::abs(s) - 1); })},
                  {size, size}, 1e-12, "the same draws");
}

/// N2.9: at two other positions, by a convolution with a field that is not symmetric.
Finding any_position(const Sampler& sampler) {
  const Data data = gaussian_data(n, 1.6, 0.8);
  const Vector w = trial_weights(n, 1);
  const auto at = [&](std::size_t position) {
    return [&w, position](std::int64_t /*draw*/, Row x) {
      double sum = 0;
      for (std::size_t i = 0; i < n; ++i) sum += w[i] * x[(position + n - i) % n];
      return std::abs(sum);
    };
  };
  const Sampler fine = finer(sampler);
  return sampled(
      means_of(exceeds(fine.values(data, Label::one, at(5)), fine.values(data, Label::zero, at(11)))),
      {gaussian_dominance(w, data.one, data.zero)});
}

/// N2.G, G.1: of three fields, and the wave of the largest λ₁/λ₀ is above all of them.
Finding gaussian_arctan(const Sampler& sampler) {
  const Data data = gaussian_data(n, 1.6, 0.8);
  const std::array<Vector, 3> fields{trial_weights(n, 1), bump(n, 1), flat(n)};
  Means measured{Vector(3), Vector(3)};
  Vector stated(3);
  for (std::size_t i = 0; i < 3; ++i) {
    const Probability each = dominance(finer(sampler), data, fields[i]);
    measured.mean[i] = each.value;
    measured.standard_error[i] = each.standard_error;
    stated[i] = gaussian_dominance(fields[i], data.one, data.zero);
  }
  double best = 0;
  for (const Mode& mode : real_modes(n))
    best = std::max(best, gaussian_dominance(mode.shape, data.one, data.zero));
  return provided(stated.max() <= best + 1e-12, "a field is above the best wave", sampled(measured, stated));
}  // NOLINT(clang-analyzer-cplusplus.NewDeleteLeaks): the analyser does not see ~valarray of a temporary

/// N2.11, N2.12: by lengths alone: cos θ = (|w|² + |x|² − |w−x|²)/(2|w||x|), pair by pair.
Finding polar_form(const Sampler& sampler) {
  const Data data = gaussian_data(n, 1.6, 0.8);
  const Vector w = trial_weights(n, 1);
  const double of_w = norm(w);
  const auto length = [](std::int64_t /*draw*/, Row x) { return std::sqrt(dot(x, x)); };
  const auto cosine = [&](std::int64_t /*draw*/, Row x) {
    double between = 0;
    for (std::size_t i = 0; i < n; ++i) between += (w[i] - x[i]) * (w[i] - x[i]);
    const double square = dot(x, x);
    return std::abs(of_w * of_w + square - between) / (2 * of_w * std::sqrt(square));
  };
  const Sampler fine = finer(sampler);
  const std::vector<double> cosines[] = {fine.values(data, Label::one, cosine),
                                         fine.values(data, Label::zero, cosine)};
  const std::vector<double> lengths[] = {fine.values(data, Label::one, length),
                                         fine.values(data, Label::zero, length)};
  double products = 0, ratios = 0;
  const std::size_t draws = lengths[0].size();
  for (std::size_t i = 0; i < draws; ++i) {
    products += cosines[0][i] * lengths[0][i] > cosines[1][i] * lengths[1][i] ? 1 : 0;
    ratios += cosines[0][i] / cosines[1][i] > lengths[1][i] / lengths[0][i] ? 1 : 0;
  }
  const auto count = static_cast<double>(draws);
  const double stated = gaussian_dominance(w, data.one, data.zero);
  const double error = std::sqrt(stated * (1 - stated) / count);
  return sampled({{products / count, ratios / count}, {error, error}}, {stated, stated});
}

/// N2.13, N2.14: the same in the real Fourier basis.
Finding fourier_form(const Sampler& sampler) {
  const Data data = gaussian_data(n, 1.6, 0.8);
  const Vector w = trial_weights(n, 1);
  const std::vector<Mode> modes = real_modes(n);
  const Vector of_w = to_modes(modes, w);
  const auto answer = [&](Row x) { return std::abs(dot(of_w, to_modes(modes, vector_of(x)))); };
  return sampled(means_of(exceeds(finer(sampler), data, answer)),
                 {gaussian_dominance(w, data.one, data.zero)});
}

/// N2.c4, non-Gaussian data: E S₁² − E S₀².
Finding difference_of_squares(const Sampler& sampler) {
  const Data data = nlgp_data(n, 1.6, 0.8, 3);
  const Vector w = bump(n, 1.5);
  const Statistic square =
      over_symmetries([&](Row x, Out out) { out[0] = dot(view(w), x) * dot(view(w), x); });
  return sampled(sampler.mean(data, Label::one, 1, square) - sampler.mean(data, Label::zero, 1, square),
                 {form(w, data.one, w) - form(w, data.zero, w)});
}

/// The eigenvector of C₁ − C₀ with the largest eigenvalue, by LAPACK.
struct Leading {
  double value;
  Vector vector;
};
Leading leading(const Data& data) {
  const std::size_t sites = data.n();
  std::vector<double> matrix(sites * sites);
  for (std::size_t i = 0; i < sites; ++i)
    for (std::size_t j = 0; j < sites; ++j) matrix[i * sites + j] = data.one(i, j) - data.zero(i, j);
  const math::SymmetricEigen eigen =
      math::symmetric_eigen(std::move(matrix), static_cast<std::int64_t>(sites));
  return {eigen.values.back(), vector_of(std::span(eigen.vectors).last(sites))};
}

/// N2.c5, G.2: constant where ξ₁ > ξ₀, for every gain; a wave of about (n/2π)√(12 ln(ξ₀/ξ₁)/(ξ₀²−ξ₁²)) periods where ξ₁ < ξ₀.
Finding constant_leads(const Sampler& /*sampler*/) {
  constexpr std::size_t kSites = 40;
  const std::array<double, 3> gains{0.01, 1, kSigns};
  Vector measured(2 * gains.size()), stated(2 * gains.size());
  for (std::size_t i = 0; i < gains.size(); ++i) {
    const Data data = nlgp_data(kSites, 2, 1, gains[i]);
    const Leading found = leading(data);
    measured[2 * i] = found.value;
    stated[2 * i] = data.one.row.sum() - data.zero.row.sum();
    measured[2 * i + 1] = std::abs(found.vector.sum()) / std::sqrt(static_cast<double>(kSites));  // cosine
    stated[2 * i + 1] = 1;
  }
  const Leading wave = leading(nlgp_data(kSites, 1, 2, 0.01));
  const std::vector<Mode> modes = real_modes(kSites);
  const Vector parts = to_modes(modes, wave.vector);
  double frequency = 0;
  for (std::size_t k = 0; k < modes.size(); ++k)
    frequency += parts[k] * parts[k] * static_cast<double>(modes[k].frequency);
  const double predicted = 40 / (2 * std::numbers::pi) * std::sqrt(12 * std::log(2.0) / 3);
  return provided(std::abs(frequency - predicted) < 1,
                  "the other way round the leading wave is not the predicted one",
                  computed(measured, stated, 1e-10, "LAPACK"));
}

constexpr Claim kClaims[] = {
    {"N2.1", "ŷ = (1/K)Σσ(⟨w_k,x⟩+b_k)", "002, eq. (1)", Verdict::definition, nullptr},
    {"N2.2", "L = ½E(ŷ−Y)²", "002, eq. (2)", Verdict::definition, nullptr},
    {"N2.4", "ŷ = ¼ of four integrals over positions: fields w⁻, −w⁻, w⁺, −w⁺", "002, eq. (4)",
     Verdict::definition, nullptr},
    {"N2.5",
     "a pair of opposite erf units is ¼[σ(|h|+b)−1] where b<0 and ¼[1+σ(b−|h|)] where b>0; printed "
     "½σ(|h|+b) for both",
     "002, eq. (5)", Verdict::corrected, opposite_pairs},
    {"N2.6", "the goal P(∫σ(|w∗X₁|+b) > ∫σ(|w∗X₀|+b)) ≈ 1", "002, eq. (6)", Verdict::definition, nullptr},
    {"N2.7",
     "the integrals cannot be replaced by draws of two positions: an average over positions is no draw",
     "002, eq. (7)", Verdict::refuted, averages_are_no_draws},
    {"N2.8", "σ(|·|+b) may be dropped from eq. (7): it is monotone", "002, eq. (8)", Verdict::holds,
     monotone_forms},
    {"N2.9", "the positions may be dropped from eq. (8): the laws are invariant", "002, eq. (9)",
     Verdict::holds, any_position},
    {"N2.10", "|·| may be replaced by squares", "002, eq. (10)", Verdict::holds, monotone_forms},
    {"N2.11", "… by |cos θ|·|X|", "002, eq. (11)", Verdict::holds, polar_form},
    {"N2.12", "… by ratios of cosines against ratios of lengths", "002, eq. (12)", Verdict::holds,
     polar_form},
    {"N2.13", "… by products of Fourier transforms", "002, eq. (13)", Verdict::holds, fourier_form},
    {"N2.14", "… in Fourier variables", "002, eq. (14)", Verdict::holds, fourier_form},
    {"N2.c3", "eq. (6) does not ask for the largest relative spread: that ranks a flat field above a bump",
     "002, after eq. (6)", Verdict::refuted, averages_are_no_draws},
    {"N2.c4", "E⟨w,X₁⟩² − E⟨w,X₀⟩² = ⟨(K₁−K₀)w,w⟩", "002, difference in means", Verdict::holds,
     difference_of_squares},
    {"N2.c5", "the leading eigenvector of K₁−K₀ is constant if ξ₁ > ξ₀, and a wave if ξ₁ < ξ₀",
     "002, difference in means", Verdict::holds, constant_leads},
    {"N2.c7",
     "does the model scale w up or improve it: shape first, length later; the missing figures: "
     "docs/findings.md",
     "002, a cheat", Verdict::measured, nullptr},
    {"N2.G", "P(|⟨w,X₁⟩| > |⟨w,X₀⟩|) = (2/π) arctan(s₁/s₀) for Gaussian data; the notes stop at an integral",
     "002, Gaussian data", Verdict::corrected, gaussian_arctan},
    {"G.1", "Gaussian data: P(|⟨w,X₁⟩| > |⟨w,X₀⟩|) = (2/π) arctan(s₁/s₀)", "sheet G", Verdict::holds,
     gaussian_arctan},
    {"G.2", "K₁−K₀ with ξ₁ > ξ₀: the leading eigenvector is constant, for every gain", "sheet G",
     Verdict::holds, constant_leads},
};

}  // namespace
}  // namespace of_populations

std::span<const Claim> populations() { return of_populations::kClaims; }

}  // namespace sluice::theory::claims
