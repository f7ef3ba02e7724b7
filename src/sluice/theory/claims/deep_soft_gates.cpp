/// Document 004, section 3: gates that learn.
#include <fmt/format.h>

#include <algorithm>

#include "sluice/kernel/paths.hpp"
#include "sluice/theory/claims/small_network.hpp"
#include "sluice/theory/claims/tables.hpp"
#include "sluice/theory/deep_gates.hpp"
#include "sluice/theory/evidence.hpp"

namespace sluice::theory::claims {
namespace of_deep_soft_gates {
namespace {

constexpr std::size_t kSamples = 3;

/// Ψ'Ψ with every column of Ψ a central difference of the outputs.
Vector explicit_kernel(SmallNetwork& small) {
  constexpr double kStep = 1e-5;
  const std::size_t samples = small.outputs().size();
  Vector kernel(samples * samples);
  for (double& theta : small.parameters) {
    const double kept = theta;
    theta = kept + kStep;
    const Vector above = small.outputs();
    theta = kept - kStep;
    const Vector slope = (above - small.outputs()) / (2 * kStep);
    theta = kept;
    for (std::size_t s = 0; s < samples; ++s) {
      for (std::size_t t = 0; t < samples; ++t) kernel[s * samples + t] += slope[s] * slope[t];
    }
  }
  return kernel;
}

using Parts = kernel::Passage<double>;
constexpr double kDifferences = 1e-6;  // step² of outputs of order 1, entries up to 100

/// P.s1: K = K^w + K^a where another network gates; each part alone is not K.
Finding decoupled_kernel(const Sampler& /*sampler*/) {
  SmallNetwork small(small_options({4, 3}, "network", 2, 0.1), 3, kSamples);
  const Vector sum = entries(small.passage().tangent(Parts::strength | Parts::gates));
  return computed(explicit_kernel(small), sum, kDifferences, "differences of the output, every weight");
}
/// P.s2: units that gate themselves add the cross terms.
Finding shared_kernel(const Sampler& /*sampler*/) {
  SmallNetwork small(small_options({4, 3}, "own", 2, 0.1), 3, kSamples);
  const Vector whole = entries(small.passage().tangent());
  const Vector without = entries(small.passage().tangent(Parts::strength | Parts::gates));
  return provided(
      std::abs(Vector(whole - without)).max() > 1e-3, "the cross terms vanish",
      computed(explicit_kernel(small), whole, kDifferences, "differences of the output, every weight"));
}
/// P.a6, I.3.
Finding product_rule(const Sampler& sampler) {
  return both(decoupled_kernel(sampler), shared_kernel(sampler));
}

/// I.1, I.2: hard gates, K = K^w.
Finding strength_kernel(const Sampler& /*sampler*/) {
  SmallNetwork small(small_options({4, 3}, "random"), 3, kSamples);
  return computed(explicit_kernel(small), entries(small.passage().tangent()), kDifferences,
                  "differences of the output, every weight");
}

/// Means over all signs of Θ at the gates of a soft gating network, d_in = 2, w = 2, d = 3: E K, E K^w, E K^a.
constexpr double kSigma = 0.7;
struct Split {
  Vector all, strength, gates;
  Vector paths;     ///< (x'x)∘λ
  Vector adaptive;  ///< (x'x)∘δ
};
Split mean_split() {
  constexpr std::size_t n = 2;
  SmallNetwork small(small_options({2, 2}, "network", 2, 0.1), 2, n);
  Split split{Vector(n * n), Vector(n * n), Vector(n * n), entries(small.passage().paths()), Vector(n * n)};
  const kernel::Passage<double> passage = small.passage();
  const kernel::GateGradients gradients(passage, small.parameters);
  for (std::size_t s = 0; s < n; ++s) {
    for (std::size_t t = 0; t < n; ++t) {
      const double along = small.x[2 * s] * small.x[2 * t] + small.x[2 * s + 1] * small.x[2 * t + 1];
      split.adaptive[n * s + t] = along * kernel::gate_adaptation(passage, gradients, s, t);
    }
  }
  const Vector mean = small.mean_over_weights(
      kSigma, 3 * n * n, [&](const kernel::Passage<double>& drawn, std::span<double> out) {
        std::ranges::copy(explicit_kernel(small), out.begin());
        std::ranges::copy(drawn.tangent(Parts::strength).values, out.begin() + n * n);
        std::ranges::copy(drawn.tangent(Parts::gates).values, out.begin() + 2 * n * n);
      });
  split.all = mean[std::slice(0, n * n, 1)];
  split.strength = mean[std::slice(n * n, n * n, 1)];
  split.gates = mean[std::slice(2 * n * n, n * n, 1)];
  return split;
}
const std::string kEnumerated = "exact, all 2^10 weights, d = 3";

/// P.L3.1i: E K, K from differences of the output for all signs of Θ, against the means of the two parts.
Finding mean_kernel_splits(const Sampler& /*sampler*/) {
  const Split split = mean_split();
  return computed(split.all, split.strength + split.gates, 1e-7, kEnumerated + ", differences of the output");
}
/// P.L3.1ii: the factor d.
Finding mean_strength(const Sampler& /*sampler*/) {
  const Split split = mean_split();
  return computed(split.strength, mean_kernel_factor(3, kSigma) * split.paths,
                  std::pow(kSigma, 4) * split.paths, 1e-13, kEnumerated);
}
/// P.L3.1iii: σ^(2d), δ by I.5.
Finding mean_adaptation(const Sampler& /*sampler*/) {
  const Split split = mean_split();
  return computed(split.gates, std::pow(kSigma, 6) * split.adaptive, 1e-13, kEnumerated);
}
/// P.L7.5, I.4.
Finding lemma_31(const Sampler& sampler) { return both(mean_strength(sampler), mean_adaptation(sampler)); }

/// I.5 against the sum over paths of P.D3.1; P.6 through it.
Finding adaptation_factors(const Sampler& /*sampler*/) {
  SmallNetwork small(small_options({3, 3, 3}, "network", 2, 0.1), 2, kSamples);
  const kernel::Passage<double> passage = small.passage();
  const kernel::GateGradients gradients(passage, small.parameters);
  const kernel::Paths paths(passage, small.parameters);
  Vector factored(kSamples * kSamples);
  Vector enumerated(kSamples * kSamples);
  for (std::size_t s = 0; s < kSamples; ++s) {
    for (std::size_t t = 0; t < kSamples; ++t) {
      factored[s * kSamples + t] = kernel::gate_adaptation(passage, gradients, s, t);
      enumerated[s * kSamples + t] = paths.adaptation(gradients, s, t);
    }
  }
  return computed(enumerated, factored, 1e-10, "exact, 54 paths");
}

/// P.6: ∂A/∂θ by the product rule, against differences.
Finding activity_slopes(const Sampler& /*sampler*/) {
  SmallNetwork small(small_options({3, 3}, "network", 2, 0.1), 2, 1);
  const kernel::Passage<double> passage = small.passage();
  const kernel::GateGradients gradients(passage, small.parameters);
  const kernel::Paths paths(passage, small.parameters);
  const std::size_t count = gradients.weights();
  Vector rule(paths.size() * count);
  Vector differences(paths.size() * count);
  const auto activities = [&](double step, std::size_t m) {
    small.parameters[small.weights() + m] += step;
    const kernel::Passage<double> moved = small.passage();
    const kernel::Paths all(moved, small.parameters);
    small.parameters[small.weights() + m] -= step;
    Vector activity(all.size());
    for (std::size_t p = 0; p < all.size(); ++p) activity[p] = all.activity(0, p);
    return activity;
  };
  for (std::size_t p = 0; p < paths.size(); ++p) {
    const std::vector<double> slope = paths.activity_gradient(gradients, 0, p);
    std::ranges::copy(slope, std::begin(rule) + static_cast<std::ptrdiff_t>(p * count));
  }
  constexpr double kStep = 1e-5;
  for (std::size_t m = 0; m < count; ++m) {
    differences[std::slice(m, paths.size(), count)] =
        Vector((activities(kStep, m) - activities(-kStep, m)) / (2 * kStep));
  }
  return computed(differences, rule, 1e-8, "differences, every gating weight");
}

/// P.a13: a gate of value 0.92 with β = 4, ε = 0.1, x = 1 is active at τ_A = 0.9 and moves by 0.6. What bounds the slope of
/// active gates, βτ_A(1+ε−τ_A)/(1+ε)·|∂q/∂θ|, has a factor β that the notes' dχ/dv lacks.
Finding active_and_sensitive(const Sampler& /*sampler*/) {
  const net::Gate gate{.beta = 4, .epsilon = 0.1};
  constexpr double kActive = 0.9;
  const double theta = -std::log(1.1 / 0.92 - 1) / 4;  // where G = 0.92
  constexpr double kStep = 1e-6;
  const double slope = (gate.value(theta + kStep) - gate.value(theta - kStep)) / (2 * kStep);
  const double printed = kActive * (1.1 - kActive) / 1.1;
  return provided(slope <= gate.slope(kActive) && slope > printed, "the corrected bound does not bound",
                  computed({slope}, {gate.slope(0.92)}, {printed}, 1e-8,
                           "differences; β = 4, ε = 0.1, G = 0.92: sensitive beyond the notes' bound"));
}

/// P.a14: paths with one sensitive gate (τ_S) and active ones else (τ_A) are the ones that learn: mean of max|∂A/∂θ| over them, against
/// that over paths whose gates are all active. β = 8, ε = 0.1.
Finding sensitive_paths(const Sampler& /*sampler*/) {
  SmallNetwork small(small_options({6, 6, 6}, "network", 8, 0.1), 2, kSamples);
  const kernel::Passage<double> passage = small.passage();
  const kernel::GateGradients gradients(passage, small.parameters);
  const kernel::Paths paths(passage, small.parameters);
  const auto largest = [](std::span<const double> slopes) {
    double most = 0;
    for (const double slope : slopes) most = std::max(most, std::abs(slope));
    return most;
  };
  constexpr double kActive = 1.0, kSensitive = 0.5;
  std::vector<double> of_sensitive, of_active;
  for (std::size_t s = 0; s < kSamples; ++s) {
    for (std::size_t p = 0; p < paths.size(); ++p) {
      int sensitive = 0, active = 0;
      for (std::size_t l = 1; l <= 3; ++l) {
        const bool moves = largest(gradients.of(s, l, paths.unit(p, l))) > kSensitive;
        const bool open = kernel::gate_of(passage, s, l, paths.unit(p, l)) > kActive;
        sensitive += moves ? 1 : 0;
        active += open && !moves ? 1 : 0;
      }
      const double slope = largest(paths.activity_gradient(gradients, s, p));
      if (sensitive == 1 && active == 2) of_sensitive.push_back(slope);
      if (active == 3) of_active.push_back(slope);
    }
  }
  if (of_sensitive.size() < 5 || of_active.size() < 5)
    return observed({0, 0}, false, "too few paths of either kind");
  const Observation moving(of_sensitive), still(of_active);
  return observed(moving, moving.above(3 * still.mean),
                  fmt::format("exact, mean slope of {} sensitive paths; {:.3f} of {} active ones",
                              of_sensitive.size(), still.mean, of_active.size()));
}

/// P.T3: soft gates lie in (0, 1+ε), not (0, 1); hard ones give the gates no gradient.
Finding gate_range(const Sampler& /*sampler*/) {
  const net::Gate gate{.beta = 4, .epsilon = 0.1};
  SmallNetwork hard(small_options({3, 3}, "network"), 2, 1);
  return provided(hard.passage().tangent(Parts::gates).values[0] == 0, "hard gates have a gradient",
                  computed({gate.value(40)}, {1.1}, {1.0}, 1e-12, "exact"));
}

constexpr Claim kClaims[] = {
    {"P.a6", "Ψ splits into a strength and a gate part", "004, §3", Verdict::holds, product_rule},
    {"P.T2", "soft gates G = χ_ε(−βq), χ_ε(v) = (1+ε)/(1+e^v); for β → ∞ (1+ε)·hard", "004, table 2",
     Verdict::definition, nullptr},
    {"P.T3", "gates range over (0, 1+ε); what trains the gates needs β < ∞", "004, table 3",
     Verdict::corrected, gate_range},
    {"P.s1", "soft-GaLU: K = K^w + K^a", "004, §3", Verdict::holds, decoupled_kernel},
    {"P.s2", "soft-ReLU: K = K^w + K^a + the two cross terms", "004, §3", Verdict::holds, shared_kernel},
    {"P.D3.1", "δ(s,t) = Σ_(p from i) ⟨∂A(s,p), ∂A(t,p)⟩, the same for every i", "004, definition 3.1",
     Verdict::definition, nullptr},
    {"P.L3.1i", "E K = E K^w + E K^a", "004, lemma 3.1", Verdict::holds, mean_kernel_splits},
    {"P.L3.1ii", "E K^w = dσ^(2(d−1)) (x'x)∘λ: d is missing", "004, lemma 3.1",
     Verdict::holds_up_to_a_constant, mean_strength},
    {"P.L3.1iii", "E K^a = σ^(2d) (x'x)∘δ", "004, lemma 3.1", Verdict::holds, mean_adaptation},
    {"P.a13", "active gates move by at most βτ_A(1+ε−τ_A)/(1+ε)·|∂q/∂θ|, τ_A ≥ (1+ε)/2; not dχ/dv", "004, §3",
     Verdict::corrected, active_and_sensitive},
    {"P.6", "∂A/∂θ = Σ_l ∂G_l/∂θ Π_(m≠l) G_m", "004, eq. (6)", Verdict::holds, activity_slopes},
    {"P.a14", "sensitive paths have one sensitive gate and active ones else", "004, §3", Verdict::holds,
     sensitive_paths},
    {"P.L7.5", "lemma 3.1 again: d is missing in (ii)", "004, lemma 7.5", Verdict::holds_up_to_a_constant,
     lemma_31},
    {"I.1", "z_l = q_l∘G_l, D_l = G_l∘(Θ_(l+1)'D_(l+1))", "sheet I", Verdict::definition, nullptr},
    {"I.2", "K^w = Σ_l (Z_(l−1)'Z_(l−1))∘(D_l'D_l)", "sheet I", Verdict::holds, strength_kernel},
    {"I.3", "K^a = Σ_l (Z^g_(l−1)'Z^g_(l−1))∘(η_l'η_l); shared weights add (Z'Z)∘(D'η + η'D)", "sheet I",
     Verdict::holds, product_rule},
    {"I.4", "E K^w = dσ^(2(d−1)) (x'x)∘λ, E K^a = σ^(2d) (x'x)∘δ", "sheet I", Verdict::holds, lemma_31},
    {"I.5", "δ, factored over layers", "sheet I", Verdict::holds, adaptation_factors},
};

}  // namespace
}  // namespace of_deep_soft_gates

std::span<const Claim> deep_soft_gates() { return of_deep_soft_gates::kClaims; }

}  // namespace sluice::theory::claims
