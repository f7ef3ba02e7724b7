/// Document 004, section 2: networks as sums over paths, and the mean of the tangent kernel.
#include <algorithm>
#include <array>

#include "sluice/kernel/paths.hpp"
#include "sluice/theory/claims/small_network.hpp"
#include "sluice/theory/claims/tables.hpp"
#include "sluice/theory/deep_gates.hpp"
#include "sluice/theory/evidence.hpp"

namespace sluice::theory::claims {
namespace of_deep_paths {
namespace {

constexpr double kRounding = 1e-11;  // of sums over 81 paths (squared: 6561 pairs) of numbers up to 100
constexpr std::size_t kSamples = 3;

/// Three inputs, three hidden layers of three units, gates of a soft gating network: 81 paths.
SmallNetwork three_wide() { return {small_options({3, 3, 3}, "network", 4, 0.1), 3, kSamples}; }

/// A matrix over the samples, by any function of two of them.
template <class Entry>
Vector by_pairs(const Entry& entry) {
  Vector all(kSamples * kSamples);
  for (std::size_t s = 0; s < kSamples; ++s) {
    for (std::size_t t = 0; t < kSamples; ++t) all[s * kSamples + t] = entry(s, t);
  }
  return all;
}

/// P.D7.3: with a gate on the output as well, Π to d, a negative ŷ would be 0.
Finding activity_ends_before_the_output(const Sampler& /*sampler*/) {
  SmallNetwork small(small_options({3, 3, 3}, "own"), 3, kSamples);
  for (std::size_t i = small.weights() - 3; i < small.weights(); ++i)
    small.parameters[i] *= -1;  // outputs below 0
  const kernel::Passage<double> passage = small.passage();
  const kernel::Paths paths(passage, small.parameters);
  Vector sums(kSamples);
  Vector printed(kSamples);
  for (std::size_t s = 0; s < kSamples; ++s) {
    sums[s] = paths.output(s);
    printed[s] = relu(sums[s]);
  }
  return computed(vector_of(passage.outputs()), sums, printed, kRounding, "exact, 81 paths");
}

/// P.2, P.14: ŷ = Σ_p φ(p) w(p), for gates of every kind.
Finding output_is_a_sum_over_paths(const Sampler& /*sampler*/) {
  Finding all;
  for (const char* gates : {"network", "own", "random", "open"}) {
    SmallNetwork small(small_options({3, 3, 3}, gates), 3, kSamples);
    const kernel::Passage<double> passage = small.passage();
    const kernel::Paths paths(passage, small.parameters);
    Vector sums(kSamples);
    for (std::size_t s = 0; s < kSamples; ++s) sums[s] = paths.output(s);
    const Finding one =
        computed(vector_of(passage.outputs()), sums, kRounding, "exact, 81 paths, four kinds of gates");
    all = all.evidence.empty() ? one : both(all, one);
  }
  return all;
}

/// P.a3: Φ'Φ = (x'x)∘λ.
Finding path_gram(const Sampler& /*sampler*/) {
  SmallNetwork small = three_wide();
  const kernel::Passage<double> passage = small.passage();
  const kernel::Paths paths(passage, small.parameters);
  return computed(by_pairs([&](std::size_t s, std::size_t t) { return paths.gram(s, t); }),
                  entries(passage.paths()), kRounding, "exact, 81 paths");
}

/// P.a4: half of the open gates are shared in every layer, d = 4, w = 4: the share of open paths that is shared, counted.
Finding shared_paths(const Sampler& /*sampler*/) {
  constexpr std::array<int, 4> kOne{1, 1, 0, 0};
  constexpr std::array<int, 4> kOther{1, 0, 1, 0};
  double shared = 0;
  double own = 0;
  for (std::size_t path = 0; path < 64; ++path) {
    const std::array<std::size_t, 3> units{path % 4, path / 4 % 4, path / 16};
    double one = 1;
    double two = 1;
    for (const std::size_t unit : units) {
      one *= kOne.at(unit);
      two *= kOther.at(unit);
    }
    own += one;
    shared += one * two;
  }
  return computed({shared / own}, {mean_cross_entry(4, 0.5)}, {std::pow(0.5, 4)}, 1e-15,
                  "exact, 64 paths, d = 4");
}

/// P.a2: ŷ(2x) = 2ŷ(x), so (x, 1) and (2x, −1) leave Σe² ≥ 1.8.
Finding relu_cannot_fit_a_ray(const Sampler& /*sampler*/) {
  SmallNetwork small(small_options({5, 5}, "own"), 3, 1);
  small.x = {0.3, -0.7, 1.1};
  const double once = small.outputs()[0];
  for (double& value : small.x) value *= 2;
  const double twice = small.outputs()[0];
  const auto squares = [](double y) { return std::pow(y - 1, 2) + std::pow(2 * y + 1, 2); };
  double best = squares(0);
  for (int i = -1000; i <= 1000; ++i) best = std::min(best, squares(i / 1000.0));
  return both(computed({best}, {1.8}, 1e-12, "exact, over all ŷ(x) on a grid of 0.001"),
              computed({twice}, {2 * once}, 1e-14, "exact"));
}

/// P.L2.1, P.4, P.L7.1, P.9: K over all pairs of first inputs, against the printed one over equal ones. With one input both
/// are right.
Finding kernel_by_paths(const Sampler& /*sampler*/) {
  SmallNetwork small = three_wide();
  const kernel::Passage<double> passage = small.passage();
  const kernel::Paths paths(passage, small.parameters);
  SmallNetwork narrow(small_options({3, 3, 3}, "network", 4, 0.1), 1, kSamples);
  const kernel::Passage<double> through = narrow.passage();
  const kernel::Paths single(through, narrow.parameters);
  const unsigned strength = kernel::Passage<double>::strength;
  return both(computed(entries(passage.tangent(strength)),
                       by_pairs([&](std::size_t s, std::size_t t) { return paths.tangent(s, t); }),
                       by_pairs([&](std::size_t s, std::size_t t) { return paths.printed_tangent(s, t); }),
                       1e-9, "exact, d_in = 3, w = 3, d = 4: 6561 pairs of paths"),
              computed(entries(through.tangent(strength)),
                       by_pairs([&](std::size_t s, std::size_t t) { return single.printed_tangent(s, t); }),
                       1e-9, "exact, d_in = 1"));
}

/// P.L2.2: over all signs of ten weights, d = 3: ⟨φ_p, φ_q⟩ has mean 0 for p ≠ q and is dσ^(2(d−1)) for p = q.
Finding sensitivities(const Sampler& /*sampler*/) {
  constexpr double kSigma = 0.7;
  SmallNetwork small(small_options({2, 2}, "open"), 2, 1);
  const std::size_t count = 8;
  Vector expected(count * count);
  for (std::size_t p = 0; p < count; ++p) expected[p * count + p] = mean_kernel_factor(3, kSigma);
  const Vector mean = small.mean_over_weights(
      kSigma, count * count, [&](const kernel::Passage<double>& passage, std::span<double> out) {
        const kernel::Paths paths(passage, small.parameters);
        for (std::size_t p = 0; p < count; ++p) {
          for (std::size_t q = 0; q < count; ++q) out[p * count + q] = paths.sensitivity(p, q);
        }
      });
  return computed(mean, expected, 1e-13, "exact, all 2^10 weights, d = 3");
}

/// E K_0 over all signs of Θ, by the layers' formula I.2, and d σ^(2(d−1)) (x'x)∘λ.
struct MeanKernel {
  Vector measured, paths;
};
MeanKernel mean_kernel_of(std::vector<std::int64_t> widths, double sigma) {
  SmallNetwork small(small_options(std::move(widths), "network", 2, 0.1), 2, 2);
  const Vector paths = entries(small.passage().paths());
  const Vector measured =
      small.mean_over_weights(sigma, 4, [](const kernel::Passage<double>& passage, std::span<double> out) {
        std::ranges::copy(passage.tangent(kernel::Passage<double>::strength).values, out.begin());
      });
  return {measured, paths};
}

/// P.Th2.3a.
Finding mean_kernel_holds(const Sampler& /*sampler*/) {
  const MeanKernel three = mean_kernel_of({2, 2}, 0.7);
  const MeanKernel four = mean_kernel_of({2, 2, 2}, 0.7);
  return both(
      computed(three.measured, mean_kernel_factor(3, 0.7) * three.paths, 1e-12,
               "exact, all 2^10 (d = 3) and 2^14 (d = 4) weights"),
      computed(four.measured, mean_kernel_factor(4, 0.7) * four.paths, 1e-12, "exact, all 2^14 weights"));
}

/// P.10: products over layers up to d − 1 lack a σ² in every layer but the last.
Finding expanded_mean(const Sampler& /*sampler*/) {
  constexpr double kSigma = 0.7;
  const MeanKernel three = mean_kernel_of({2, 2}, kSigma);
  const double printed = 2 * std::pow(kSigma, 2) + std::pow(kSigma, 4);
  return computed(three.measured, mean_kernel_factor(3, kSigma) * three.paths, printed * three.paths, 1e-12,
                  "exact, all 2^10 weights, d = 3");
}

/// K_0 of a linear net, w = 2, d = 3, expanded over pairs of paths: products of weights to the layer `last`, without that of m.
class ExpandedKernel {
 public:
  double operator()(const SmallNetwork& small, std::size_t last) const {
    // Θ_1 is [2, 1], Θ_2 is [2, 2], Θ_3 is [1, 2]; a path is (p(1), p(2)).
    const auto weight = [&](std::size_t path, std::size_t layer) {
      const std::size_t one = path % 2;
      const std::size_t two = path / 2;
      return small.parameters[layer == 1 ? one : layer == 2 ? 2 + 2 * two + one : 6 + two];
    };
    double sum = 0;
    for (std::size_t p = 0; p < 4; ++p) {
      for (std::size_t q = 0; q < 4; ++q) {
        const std::array<bool, 3> shared{p % 2 == q % 2, p == q, p / 2 == q / 2};
        for (std::size_t m = 1; m <= 3; ++m) {
          double product = shared.at(m - 1) ? 1 : 0;
          for (std::size_t l = 1; l <= last; ++l) product *= l == m ? 1 : weight(p, l) * weight(q, l);
          sum += product;
        }
      }
    }
    return sum;
  }
};
/// Means over all weights: of a power of K_0, of the same expanded to d = 3, and as printed to d − 1.
Vector expanded_moment(double power) {
  SmallNetwork small(small_options({2, 2}, "open"), 1, 1);
  small.x = {1};
  const ExpandedKernel expanded;
  return small.mean_over_weights(0.7, 3, [&](const kernel::Passage<double>& passage, std::span<double> out) {
    out[0] = std::pow(passage.tangent().values[0], power);
    out[1] = std::pow(expanded(small, 3), power);
    out[2] = std::pow(expanded(small, 2), power);
  });
}
/// P.11: (E K_0)².
Finding square_of_mean(const Sampler& /*sampler*/) {
  const Vector mean = expanded_moment(1);
  return computed({mean[0] * mean[0]}, {mean[1] * mean[1]}, {mean[2] * mean[2]}, 1e-12,
                  "exact, all 2^8 weights, d = 3");
}
/// P.12: E K_0².
Finding mean_of_square(const Sampler& /*sampler*/) {
  const Vector mean = expanded_moment(2);
  return computed({mean[0]}, {mean[1]}, {mean[2]}, 1e-12, "exact, all 2^8 weights, d = 3");
}

/// P.15: a linear net is x'η, η(i) = Σ_(p from i) w(p) (P.13), and λ_0 = w^(d−1).
Finding linear_network(const Sampler& /*sampler*/) {
  SmallNetwork small(small_options({3, 3, 3}, "open"), 3, 1);
  const kernel::Passage<double> passage = small.passage();
  const kernel::Paths paths(passage, small.parameters);
  Vector eta(3);
  for (std::size_t p = 0; p < paths.size(); ++p) eta[paths.unit(p, 0)] += paths.strength(p);
  return both(computed(vector_of(passage.outputs()), {dot(view(eta), small.x)}, kRounding, "exact, 81 paths"),
              computed(entries(passage.overlap()), {mean_self_overlap(3, 4, 1)}, 0, "exact"));
}

/// P.16: E K_0 = d(wσ²)^(d−1), linear nets of width 20 and 3, d = 3.
Finding linear_mean(const Sampler& sampler) {
  net::DeepOptions options;
  options.depth = 3;
  options.width = 20;
  options.gates = "open";
  const Ensemble nets{.options = options, .x = {1}, .networks = 20'000, .seed = sampler.seed()};
  const std::vector<Vector> rows = over_networks(
      nets, 1,
      [](const kernel::Passage<float>& passage, std::span<double> out) {
        out[0] = static_cast<double>(passage.tangent().values[0]);
      },
      sampler.workers());
  SmallNetwork small(small_options({3, 3}, "open"), 1, 1);
  small.x = {1};
  const Vector enumerated = small.mean_over_weights(
      1 / std::sqrt(3.0), 1, [](const kernel::Passage<double>& passage, std::span<double> out) {
        out[0] = passage.tangent().values[0];
      });
  return twice(sampled(means_of(rows), {3}),
               computed(enumerated, {3}, 1e-12, "exact, all 2^15 weights, w = 3"));
}

constexpr Claim kClaims[] = {
    {"P.T1", "a gated network: z_l = q_l∘G_l, no gate on the output", "004, table 1", Verdict::definition,
     nullptr},
    {"P.2", "ŷ = Σ_p φ(p) w(p), over all paths", "004, eq. (2)", Verdict::holds, output_is_a_sum_over_paths},
    {"P.a1", "path, strength Π Θ_l, activity Π_(l<d) G_l", "004, §2", Verdict::definition, nullptr},
    {"P.a2", "a bias-free ReLU net cannot fit (x, 1) and (2x, −1): Σe² ≥ 1.8", "004, §2", Verdict::holds,
     relu_cannot_fit_a_ray},
    {"P.a3", "M = Φ'Φ = (x'x)∘λ", "004, §2", Verdict::holds, path_gram},
    {"P.a4", "λ(s,t)/λ(s,s) ≤ μ^(d−1) where layers overlap by μ: d − 1 layers have gates, not d", "004, §2",
     Verdict::corrected, shared_paths},
    {"P.3", "path sensitivity φ_p(m) = ∂w(p)/∂θ(m)", "004, eq. (3)", Verdict::definition, nullptr},
    {"P.L2.1", "K(s,t) = Σ_(i,j) x_s(i)x_t(j)κ(s,t,i,j), over all pairs of inputs; equal ones if d_in = 1",
     "004, lemma 2.1", Verdict::corrected, kernel_by_paths},
    {"P.4", "the formula of lemma 2.1: as P.L2.1", "004, eq. (4)", Verdict::corrected, kernel_by_paths},
    {"P.A1", "weights ±σ, each with probability ½", "004, assumption 1", Verdict::definition, nullptr},
    {"P.A2", "gates do not depend on the weights", "004, assumption 2", Verdict::definition, nullptr},
    {"P.L2.2", "E⟨φ_p, φ_q⟩ = 0 for p ≠ q, ⟨φ_p, φ_p⟩ = dσ^(2(d−1))", "004, lemma 2.2", Verdict::holds,
     sensitivities},
    {"P.Th2.3a", "E K_0 = dσ^(2(d−1)) (x'x)∘λ_0", "004, theorem 2.3", Verdict::holds, mean_kernel_holds},
    {"P.T5", "the network in vectors", "004, table 5", Verdict::definition, nullptr},
    {"P.D7.1", "a path, without p(d)", "004, definition 7.1", Verdict::definition, nullptr},
    {"P.D7.2", "strength of a path; p(d) = 1 understood", "004, definition 7.2", Verdict::definition,
     nullptr},
    {"P.D7.3", "activity of a path: Π to d − 1, not d; then ŷ = Σ φ(p) w(p)", "004, definition 7.3",
     Verdict::corrected, activity_ends_before_the_output},
    {"P.D7.4", "neural feature φ_s(p) = x_s(p(0)) A(s,p)", "004, definition 7.4", Verdict::definition,
     nullptr},
    {"P.8", "the formula of definition 7.4", "004, eq. (8)", Verdict::definition, nullptr},
    {"P.L7.1", "lemma 2.1 again: paths that share a weight need not share their input", "004, lemma 7.1",
     Verdict::corrected, kernel_by_paths},
    {"P.9", "its formula: as P.L2.1", "004, eq. (9)", Verdict::corrected, kernel_by_paths},
    {"P.L7.2", "lemma 2.2 again", "004, lemma 7.2", Verdict::holds, sensitivities},
    {"P.10", "E K_0 expanded: products run to d, not d − 1", "004, eq. (10)", Verdict::corrected,
     expanded_mean},
    {"P.11", "(E K_0)²: products to d, without the layers of m and m'", "004, eq. (11)", Verdict::corrected,
     square_of_mean},
    {"P.12", "E K_0²: the same", "004, eq. (12)", Verdict::corrected, mean_of_square},
    {"P.13", "η(i) = Σ_(p from i) w(p)", "004, eq. (13)", Verdict::definition, nullptr},
    {"P.14", "ŷ = Φ'w", "004, eq. (14)", Verdict::holds, output_is_a_sum_over_paths},
    {"P.15", "a linear network is x'η; λ_0 = w^(d−1)", "004, eq. (15)", Verdict::holds, linear_network},
    {"P.16", "linear network, x = 1: E K_0 = d(wσ²)^(d−1), by assumption 1", "004, eq. (16)", Verdict::holds,
     linear_mean},
};

}  // namespace
}  // namespace of_deep_paths

std::span<const Claim> deep_paths() { return of_deep_paths::kClaims; }

}  // namespace sluice::theory::claims
