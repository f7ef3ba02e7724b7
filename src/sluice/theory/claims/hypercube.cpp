/// Signals on the vertices of the hypercube: document 001 §3. f of few bumps against sampled sign data, averaged over all shifts of the
/// ring; statements about every vertex against all of them.
#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <numbers>

#include "sluice/flow/bumps.hpp"
#include "sluice/theory/claims/tables.hpp"
#include "sluice/theory/cube_gate.hpp"
#include "sluice/theory/evidence.hpp"
#include "sluice/theory/respond.hpp"
#include "sluice/theory/sign_sums.hpp"
#include "sluice/theory/vector_relaxation.hpp"

namespace sluice::theory::claims {
namespace of_hypercube {
namespace {

using Row = std::span<const double>;
using Out = std::span<double>;

constexpr std::size_t n = 20;
constexpr double kXi = 2;

Data signs() { return nlgp_data(n, kXi, 1, kSigns); }
Vector e(std::size_t i) { return unit(n, i); }

// ---- f of few bumps --------------------------------------------------------------------------------------------------

/// f(w) is measured at the sites 1 to 8: at site 0, the first bump's, it is ½ for every sample where that bump decides the gate, and
/// farther sites are as good as independent.
constexpr std::size_t kFrom = 1, kNear = 8;
Vector near(const Vector& f) { return f[std::slice(kFrom, kNear, 1)]; }

Means measured_response(const Sampler& sampler, const Data& data, const Vector& w, const Vector& stated) {
  return sampler.mean(data, Label::one, kNear + 1, with_length(response_over_shifts(w, kFrom), near(stated)));
}
Finding response_is(const Sampler& sampler, const Data& data, const Vector& w, const Vector& stated) {
  return sampled(measured_response(sampler, data, w, stated), with_length(near(stated)));
}
Finding response_is(const Sampler& sampler, const Data& data, const Vector& w, const Vector& stated,
                    const Vector& printed) {
  return sampled(measured_response(sampler, data, w, stated), with_length(near(stated)),
                 with_length(near(printed), near(stated)));
}

/// N1.7: Cov X of sign data is (2/π) arcsin r, not r; the gap is largest, 0.2105, where r = √(1 − 4/π²).
Finding data_model(const Sampler& sampler) {
  constexpr std::size_t kDistances = 5;
  const Ring latent = latent_covariance(n, kXi);
  const Vector printed = latent.row[std::slice(1, kDistances, 1)];
  const Vector stated = 2 / std::numbers::pi * std::asin(printed);
  const Statistic statistic = with_length(
      [](Row x, Out out) {
        for (std::size_t d = 0; d < kDistances; ++d) {
          out[d] = 0;
          for (std::size_t i = 0; i < n; ++i) out[d] += x[i] * x[(i + d + 1) % n] / n;
        }
      },
      stated);
  const double r = std::sqrt(1 - std::pow(2 / std::numbers::pi, 2));
  double gap = 0;
  for (int i = 0; i <= 100'000; ++i) gap = std::max(gap, i / 1e5 - 2 / std::numbers::pi * std::asin(i / 1e5));
  return both(sampled(sampler.mean(signs(), Label::one, kDistances + 1, statistic), with_length(stated),
                      with_length(printed, stated)),
              both(computed({r, gap}, {0.771, 0.2105}, 5e-4, "search"),
                   computed({gap}, {r - 2 / std::numbers::pi * std::asin(r)}, 1e-9, "search")));
}

/// N1.8, N1.10, N1.11: what is left of two bumps is the larger one.
Finding larger_bump(const Sampler& sampler, const Vector& w) {
  const Vector c = signs().one * e(0);
  return response_is(sampler, signs(), w, 0.5 * c, c);
}
Finding single_bump(const Sampler& sampler) {
  const flow::BumpResponse exact(math::ring_kernel(n, kXi), 3);
  return both(larger_bump(sampler, e(0)),
              response_is(sampler, nlgp_data(n, kXi, 1, 3), e(0), respond(exact, e(0))));
}
Finding imbalanced_bumps(const Sampler& sampler) { return larger_bump(sampler, 1.5 * e(0) + e(4)); }
Finding opposite_bumps(const Sampler& sampler) { return larger_bump(sampler, 1.5 * e(0) - e(4)); }

/// N1.9: ¼C(e_i + e_j) on the vertices; smooth data have no ties and another f, which does not tend to it as g grows: at gain 1, where
/// float data have none either (J.1), it is sampled, at gain 10⁹ the two differ by 0.0538.
Finding balanced_bumps(const Sampler& sampler) {
  const Vector w = e(0) + e(4);
  const Vector c = signs().one * w;
  const auto smooth = [&](double gain) {
    return respond(flow::BumpResponse(math::ring_kernel(n, kXi), gain), w);
  };
  const double apart = std::abs(Vector(smooth(1e9) - 0.25 * c)).max();
  return both(both(response_is(sampler, signs(), w, 0.25 * c, c),
                   response_is(sampler, nlgp_data(n, kXi, 1, 1), w, smooth(1))),
              computed({apart}, {0.0538}, 5e-5, "closed forms"));
}

/// N1.12: only α > β + 1 leaves the largest bump; below, three bumps vote, and α = β + 1 is the mean of the two.
Finding three_bumps(const Sampler& sampler) {
  const auto bumps = [](double alpha) -> Vector { return alpha * e(0) + 2.0 * e(1) + e(4); };
  const flow::BumpResponse exact(math::ring_kernel(n, kXi), kSigns);
  const Vector majority = respond(exact, bumps(2.5));
  const Vector largest = 0.5 * (signs().one * e(0));
  return both(response_is(sampler, signs(), bumps(2.5), majority, largest),
              both(response_is(sampler, signs(), bumps(3), 0.5 * (majority + largest)),
                   response_is(sampler, signs(), bumps(3.5), largest)));
}

/// N1.c7: behind the gate of the larger bump the other sites are correlated with it: f_j = ½C_ij, not 0.
Finding independent_of_the_gate(const Sampler& sampler) {
  return response_is(sampler, signs(), 1.5 * e(0) + e(4), 0.5 * (signs().one * e(0)), 0.5 * e(0));
}

// ---- every vertex ----------------------------------------------------------------------------------------------------

using Vertex = std::uint32_t;  // bit i is set where x_i = +1
double at(Vertex x, std::size_t i) { return (x >> i & 1U) != 0 ? 1 : -1; }
double sum_at(const Vector& w, Vertex x) {
  double sum = 0;
  for (std::size_t i = 0; i < w.size(); ++i) sum += w[i] * at(x, i);
  return sum;
}
Vertex vertices(std::size_t k) { return Vertex{1} << k; }
/// The share of vertices on which the first entries have the gate of all.
double agreement(const Vector& w, std::size_t first) {
  const Vector head = w[std::slice(0, first, 1)];
  double share = 0;
  for (Vertex x = 0; x < vertices(w.size()); ++x)
    share += (1 - std::abs(gate(sum_at(head, x)) - gate(sum_at(w, x)))) / vertices(w.size());
  return share;
}

constexpr std::size_t kEntries = 11;
constexpr std::uint32_t kTrials = 40;

/// N1.c4: with the other entries scaled to 0.999 of the largest the gate is that of x_1 everywhere, with 1.001 not quite.
Finding dominant_entry(const Sampler& /*sampler*/) {
  Vector shares(kTrials);
  bool sharp = true;
  for (std::uint32_t trial = 0; trial < kTrials; ++trial) {
    const auto scaled = [&](double to) {
      Vector w = trial_weights(kEntries, 300 + trial);
      double others = 0;
      for (std::size_t i = 1; i < w.size(); ++i) others += std::abs(w[i]);
      const double first = w[0];
      w *= to * std::abs(first) / others;
      w[0] = first;
      return w;
    };
    shares[trial] = agreement(scaled(0.999), 1);
    sharp = sharp && agreement(scaled(1.001), 1) < 1;
  }
  return provided(sharp, "other entries do not matter either",
                  computed(shares, Vector(1.0, kTrials), 1e-12, "all vertices"));
}

/// N1.13: δ by meeting in the middle is that of all vertices, and a tail below it changes the gate nowhere; one of 1.001 times it,
/// all on one entry, does.
Finding margin_of_the_first(const Sampler& sampler) {
  constexpr std::size_t kFirst = kEntries - 3;
  Vector found(std::size_t{2} * kTrials), stated(std::size_t{2} * kTrials);
  bool sharp = true;
  for (std::uint32_t trial = 0; trial < kTrials; ++trial) {
    const Vector head = trial_weights(kFirst, 400 + trial);
    const double delta = SignSums(view(head), sampler.workers()).margin().value;
    double least = std::numeric_limits<double>::infinity();
    for (Vertex x = 0; x < vertices(kFirst); ++x) least = std::min(least, std::abs(sum_at(head, x)));
    const auto with_tail = [&](double size) {
      Vector w(kEntries);
      w[std::slice(0, kFirst, 1)] = head;
      w[kFirst] = size * delta;
      return w;
    };
    Vector spread = with_tail(0.5);
    spread[kFirst + 1] = -0.3 * delta;
    spread[kFirst + 2] = 0.199 * delta;
    found[std::size_t{2} * trial] = least;
    stated[std::size_t{2} * trial] = delta;
    found[std::size_t{2} * trial + 1] = agreement(spread, kFirst);
    stated[std::size_t{2} * trial + 1] = 1;
    sharp = sharp && agreement(with_tail(1.001), kFirst) < 1;
  }
  return provided(sharp, "larger tails do not matter either", computed(found, stated, 1e-12, "all vertices"));
}

/// N1.S1: max_x −⟨w,x⟩² = −δ², printed −√δ.
Finding integer_problem(const Sampler& sampler) {
  Vector found(kTrials), stated(kTrials), printed(kTrials);
  for (std::uint32_t trial = 0; trial < kTrials; ++trial) {
    const Vector w = trial_weights(kEntries, 500 + trial);
    found[trial] = -std::numeric_limits<double>::infinity();
    for (Vertex x = 0; x < vertices(kEntries); ++x) {
      double form = 0;  // Σ_ij A_ij x_i x_j, A = −ww'
      for (std::size_t i = 0; i < kEntries; ++i)
        for (std::size_t j = 0; j < kEntries; ++j) form -= w[i] * w[j] * at(x, i) * at(x, j);
      found[trial] = std::max(found[trial], form);
    }
    const double delta = SignSums(view(w), sampler.workers()).margin().value;
    stated[trial] = -delta * delta;
    printed[trial] = -std::sqrt(delta);
  }
  return computed(found, stated, printed, 1e-12, "all vertices");
}

/// N1.S2: the relaxation solved is its closed form, for entries of which none, or one, dominates; only then it bounds δ away from 0.
Finding relaxation(const Sampler& sampler) {
  Vector found(std::size_t{2} * kTrials), stated(std::size_t{2} * kTrials);
  bool below = true;
  for (std::uint32_t trial = 0; trial < 2 * kTrials; ++trial) {
    Vector w = trial_weights(kEntries, 600 + trial);
    if (trial % 2 == 1) w[0] = 15;
    found[trial] = solved_relaxation(view(w));
    stated[trial] = relaxed_margin(view(w));
    const double delta = SignSums(view(w), sampler.workers()).margin().value;
    below = below && stated[trial] <= delta + 1e-12 && (trial % 2 == 1 || (stated[trial] == 0 && delta > 0));
  }
  return provided(below, "it is no lower bound, or no trivial one",
                  computed(found, stated, 1e-6, "block coordinate descent"));
}

// ---- sums over Θ -----------------------------------------------------------------------------------------------------

constexpr std::size_t kSites = 5;
const Vector& cube_weights() {
  static const Vector w = trial_weights(kSites, 7);
  return w;
}
/// A law on the vertices, even as the data's are, and nothing else.
const std::vector<double>& cube_law() {
  static const std::vector<double> law = [] {
    std::vector<double> p(vertices(kSites));
    const Vector draws = trial_weights(p.size(), 8);
    double total = 0;
    for (Vertex x = 0; x < p.size(); ++x) {
      p[x] = std::exp(draws[x]) + std::exp(draws[p.size() - 1 - x]);
      total += p[x];
    }
    for (double& share : p) share /= total;
    return p;
  }();
  return law;
}
bool in_theta(Vertex x) { return sum_at(cube_weights(), x) >= 0; }

/// E[factor(X) X] of that law.
template <class Factor>
Vector mean_of(const Factor& factor) {
  Vector sum(kSites);
  for (Vertex x = 0; x < vertices(kSites); ++x)
    for (std::size_t l = 0; l < kSites; ++l) sum[l] += cube_law()[x] * factor(x) * at(x, l);
  return sum;
}
/// Σ_(x' ∈ Θ) term(x')
template <class Term>
double over_theta(const Term& term) {
  double sum = 0;
  for (Vertex x = 0; x < vertices(kSites); ++x)
    if (in_theta(x)) sum += term(x);
  return sum;
}
double indicator_product(Vertex x, Vertex other) {
  double product = 1;
  for (std::size_t i = 0; i < kSites; ++i) product *= at(x, i) == at(other, i) ? 1 : 0;
  return product;
}
double sign_product(Vertex x, Vertex other) {
  double product = 1;
  for (std::size_t i = 0; i < kSites; ++i) product *= at(other, i) / 2 * (at(x, i) + at(other, i));
  return product;
}
Vector gated() {
  return mean_of([](Vertex x) { return gate(sum_at(cube_weights(), x)); });
}
Finding sum_over_theta(const Vector& formula) { return computed(gated(), formula, 1e-14, "all vertices"); }

Finding point_indicators(const Sampler& /*sampler*/) {  // N1.14
  return sum_over_theta(
      mean_of([](Vertex x) { return over_theta([x](Vertex other) { return x == other ? 1.0 : 0.0; }); }));
}
Finding products_of_indicators(const Sampler& /*sampler*/) {  // N1.15
  return sum_over_theta(mean_of(
      [](Vertex x) { return over_theta([x](Vertex other) { return indicator_product(x, other); }); }));
}
Finding products_of_signs(const Sampler& /*sampler*/) {  // N1.16
  return sum_over_theta(
      mean_of([](Vertex x) { return over_theta([x](Vertex other) { return sign_product(x, other); }); }));
}
Finding expectation_inside(const Sampler& /*sampler*/) {  // N1.17
  Vector sum(kSites);
  for (Vertex other = 0; other < vertices(kSites); ++other)
    if (in_theta(other)) sum += mean_of([other](Vertex x) { return sign_product(x, other); });
  return sum_over_theta(sum);
}
Finding indicator_itself(const Sampler& /*sampler*/) {  // N1.19
  Vector found(vertices(kSites)), formula(vertices(kSites));
  for (Vertex x = 0; x < vertices(kSites); ++x) {
    found[x] = gate(sum_at(cube_weights(), x));
    formula[x] = over_theta([x](Vertex other) { return indicator_product(x, other); });
  }
  return computed(found, formula, 1e-14, "all vertices");
}

/// g_j by its definition (N1.21).
double g(std::size_t j, Vertex x) {
  return over_theta([j, x](Vertex other) { return at(x, j) == at(other, j) ? 1.0 : 0.0; });
}

/// N1.20: not Σ_j E[g_j(X)X]; f_l = ½ Σ_T ŝ(T) E[x_T x_l], ŝ the Walsh coefficients of sgn⟨w,x⟩, which has none of even order.
Finding walsh_expansion(const Sampler& /*sampler*/) {
  const auto walsh = [](Vertex set, Vertex x) {
    return std::popcount(set & ~x) % 2 == 0 ? 1.0 : -1.0;
  };  // x_T
  Vector stated(kSites), printed(kSites);
  for (Vertex set = 0; set < vertices(kSites); ++set) {
    if (std::popcount(set) % 2 == 0) continue;
    double coefficient = 0;
    for (Vertex x = 0; x < vertices(kSites); ++x)
      coefficient += (2 * gate(sum_at(cube_weights(), x)) - 1) * walsh(set, x) / vertices(kSites);
    stated += 0.5 * coefficient * mean_of([&](Vertex x) { return walsh(set, x); });
  }
  for (std::size_t j = 0; j < kSites; ++j) printed += mean_of([j](Vertex x) { return g(j, x); });
  return computed(gated(), stated, printed, 1e-13, "all vertices");
}

/// N1.22: g_j counted one by one against the two counts from Chow parameters, which meet in the middle.
Finding counts_of_theta(const Sampler& sampler) {
  const CubeGate cube = cube_gate(view(cube_weights()), sampler.workers());
  std::vector<double> counted, stated;
  for (std::size_t j = 0; j < kSites; ++j) {
    for (const Vertex x : {Vertex{0}, vertices(kSites) - 1}) {
      counted.push_back(g(j, x));
      stated.push_back(cube.count(j, x == 0 ? -1 : 1));
    }
  }
  return computed(vector_of(counted), vector_of(stated), 1e-12, "all vertices");
}

/// N1.c6: g_j(x)/2^(k−1) at x_j = sgn w_j, of one entry that dominates and of small ones: 1 and about ½ (printed: ≈ 1 for all).
Finding shares_of_theta(const Sampler& sampler) {
  Vector w = 0.01 * trial_weights(kEntries, 9);
  w[0] = 1;
  const CubeGate cube = cube_gate(view(w), sampler.workers());
  Vector counted(kEntries), stated(kEntries);
  const double half = static_cast<double>(vertices(kEntries)) / 2;
  for (std::size_t j = 0; j < kEntries; ++j) {
    for (Vertex x = 0; x < vertices(kEntries); ++x)
      counted[j] += at(x, j) * w[j] > 0 ? gate(sum_at(w, x)) / half : 0;
    stated[j] = cube.count(j, w[j] > 0 ? 1 : -1) / half;
  }
  return provided(stated[0] == 1 && stated[1] == 0.5, "a dominant entry leaves ½ to the others",
                  computed(counted, stated, Vector(1.0, kEntries), 1e-12, "all vertices"));
}

const Claim kClaims[] = {
    {"N1.7",
     "X = erf(gZ)/√Z_g with Z ~ N(0,Σ), printed X ~ N(0,Σ); Cov X is up to 0.21 from Σ, (2/π)arcsin r for "
     "signs",
     "001, eq. (7)", Verdict::corrected, data_model},
    {"N1.8", "sign data: f(e_i) = ½Ce_i; any gain: arcsin(√q r)/(π√Z_g)", "001, eq. (8)",
     Verdict::holds_up_to_a_constant, single_bump},
    {"N1.9", "sign data, ties by half: f(e_i + e_j) = ¼C(e_i + e_j), which is not the limit g → ∞",
     "001, eq. (9)", Verdict::holds_up_to_a_constant, balanced_bumps},
    {"N1.10", "sign data: f(αe_i + e_j) = ½Ce_i for α > 1", "001, eq. (10)", Verdict::holds_up_to_a_constant,
     imbalanced_bumps},
    {"N1.11", "sign data: f(αe_i − e_j) = ½Ce_i for α > 1", "001, eq. (11)", Verdict::holds_up_to_a_constant,
     opposite_bumps},
    {"N1.12",
     "αe_i + βe_j + e_k, α > β > 1: ½Ce_i for α > β + 1, the majority of three below, their mean at α = β + "
     "1",
     "001, eq. (12)", Verdict::corrected, three_bumps},
    {"N1.13", "δ = min_x |Σ_(i≤k) w_i x_i|; Σ_(i>k) |w_i| < δ ⇒ the gate depends on the first k entries only",
     "001, eq. (13)", Verdict::holds, margin_of_the_first},
    {"N1.14", "f = E[Σ_(x'∈Θ) 1(X = x')X]", "001, eq. (14)", Verdict::holds, point_indicators},
    {"N1.15", "1(X = x') = Π_i 1(X_i = x'_i)", "001, eq. (15)", Verdict::holds, products_of_indicators},
    {"N1.16", "1(X_i = x'_i) = (x'_i/2)(X_i + x'_i) for signs", "001, eq. (16)", Verdict::holds,
     products_of_signs},
    {"N1.17", "the expectation goes inside the sum over Θ", "001, eq. (17)", Verdict::holds,
     expectation_inside},
    {"N1.18", "Θ = {x ∈ {±1}^n : ⟨w,x⟩ ≥ 0}", "001, eq. (18)", Verdict::definition, nullptr},
    {"N1.19", "1(⟨w,x⟩ ≥ 0) = Σ_(x'∈Θ) Π_j 1(x_j = x'_j)", "001, eq. (19)", Verdict::holds, indicator_itself},
    {"N1.20", "f_l = ½ Σ_T ŝ(T) E[x_T x_l], ŝ the Walsh coefficients of the gate; not Σ_j E[g_j(X)X]",
     "001, eq. (20)", Verdict::corrected, walsh_expansion},
    {"N1.21", "g_j(x) = Σ_(x'∈Θ) 1(x_j = x'_j)", "001, eq. (21)", Verdict::definition, nullptr},
    {"N1.22", "g_j by the counts |{x' ∈ Θ : x'_j = ±1}|, which are 2^(n−2)(1 ± Chow_j)", "001, eq. (22)",
     Verdict::holds, counts_of_theta},
    {"N1.c4", "Σ_(i>1) |w_i/w_1| < 1 ⇒ only x_1 matters", "001, §3", Verdict::holds, dominant_entry},
    {"N1.c5", "vertices that are likely in place of all of them", "001, §3", Verdict::definition, nullptr},
    {"N1.c6",
     "g_j/2^(n−1) tends to 1(x_j = sgn w_j) for a dominant entry, to ½ (printed 1) for one that does not "
     "matter",
     "001, §3.1", Verdict::corrected, shares_of_theta},
    {"N1.c7", "sites of smaller entries are not independent of the gate: f_j = ½C_ij behind the gate of x_i",
     "001, §3.1", Verdict::corrected, independent_of_the_gate},
    {"N1.S1", "max_x −⟨w,x⟩² = −δ², printed −√δ", "001, §3 SDP", Verdict::corrected, integer_problem},
    {"N1.S2", "the semidefinite relaxation of δ is max(0, 2max|w_i| − Σ|w_i|): the trivial bound and no more",
     "001, §3 SDP", Verdict::corrected, relaxation},
};

}  // namespace
}  // namespace of_hypercube

std::span<const Claim> hypercube() { return of_hypercube::kClaims; }

}  // namespace sluice::theory::claims
