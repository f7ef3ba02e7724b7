/// ReLU networks on Gaussian data: every expectation of the gradient flow in closed form.
#include <array>
#include <map>
#include <numbers>

#include "sluice/flow/relu_landscape.hpp"
#include "sluice/theory/claims/normal_mean.hpp"
#include "sluice/theory/claims/six_signs.hpp"
#include "sluice/theory/claims/tables.hpp"
#include "sluice/theory/evidence.hpp"
#include "sluice/theory/respond.hpp"

namespace sluice::theory::claims {
namespace of_gaussian_network {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr std::size_t n = 16;
constexpr double kQuadrature = 1e-9;  // of numbers of order 1

Data data() { return gaussian_data(n, 1.6, 0.8); }
Vector w(std::uint32_t k) { return trial_weights(n, k); }
using Row = std::span<const double>;
using Out = std::span<double>;

// ---- one gate, one class: S = ⟨w,X⟩ --------------------------------------------------------------------------------

/// N0.6: the tower property, on a law where S takes few values. It is the gate's being a function of S that counts: a gate that looks at
/// one site of X alone does not obey it.
Finding tower_property(const Sampler& /*sampler*/) {
  const Vector weights{3, 1, 1, 2, -1, 1};
  struct Given {
    double probability = 0;
    Vector sum = Vector(kSixSites);
  };
  constexpr double kLean = 0.3;
  const auto both_sides = [&](const auto& gate_of) {
    std::map<double, Given> by_value;
    Vector direct(kSixSites);
    Vector open(kSixSites);
    six_signs(kLean, [&](const Vector& x, double probability) {
      Given& given = by_value[dot(weights, x)];
      given.probability += probability;
      given.sum += probability * x;
    });
    six_signs(kLean, [&](const Vector& x, double probability) {
      const Given& given = by_value.at(dot(weights, x));
      direct += probability * gate_of(x) * x;
      open += probability * gate_of(x) / given.probability * given.sum;
    });
    return std::pair(direct, open);
  };
  const auto [direct, towered] = both_sides([&](const Vector& x) { return dot(weights, x) > 0 ? 1.0 : 0.0; });
  const auto [of_site, not_towered] = both_sides([](const Vector& x) { return x[1] > 0 ? 1.0 : 0.0; });
  return provided(std::abs(Vector(of_site - not_towered)).max() > 0.1, "any gate obeys it",
                  computed(direct, towered, 1e-14, "exact, all 64 inputs"));
}

/// v of N0.8.
Vector regression(const Ring& c, const Vector& u) { return c * u / form(u, c, u); }

/// N0.7: x = Ax + Sv with A = I − vw', for any x and any v; it is for this v that AX is uncorrelated with S, AΣw = 0.
Finding decomposition(const Sampler& /*sampler*/) {
  const Vector v = regression(data().one, w(1));
  const auto rest = [&](const Vector& x) -> Vector { return x - dot(w(1), x) * v; };
  const auto a_times = [&](const Vector& x) -> Vector {
    Vector ax(n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) ax[i] += ((i == j ? 1 : 0) - v[i] * w(1)[j]) * x[j];
    }
    return ax;
  };
  const Vector covariance = data().one * w(1);
  return both(computed(a_times(w(2)), rest(w(2)), 1e-13, "exact"),
              computed_zero(a_times(covariance), norm(covariance), 1e-12, "exact"));
}

/// N0.10: given S > 0, X has mean proportional to v. It needs Gaussian data: on signs the rest is not zero.
Finding response_is_along_v(const Sampler& sampler) {
  const auto rest = [&](const Data& source, const Vector& u) {
    const Vector v = regression(source.one, u);
    return finer(sampler).mean(source, Label::one, n, [&](Row x, Out out) {
      const double s = dot(view(u), x);
      for (std::size_t i = 0; i < n; ++i) out[i] = gate(s) * (x[i] - s * v[i]);
    });
  };
  Vector bump(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto d = static_cast<double>(math::ring_distance(0, static_cast<std::int64_t>(i), n));
    bump[i] = std::exp(-d * d);
  }
  const Data sign_data = nlgp_data(n, 1.6, 0.8, kSigns);
  const Means signs = rest(sign_data, bump);
  return provided(!sampled_zero(signs, sign_data.one * bump).passed, "sign data obey it too",
                  sampled_zero(rest(data(), w(1)), respond(gaussian_response(data().one), w(1))));
}

/// N0.11: E[S | S>0] = √(2w'Σw/π), P(S>0) = ½.
Finding half_normal_mean(const Sampler& sampler) {
  const Vector u = w(1);
  const Means measured = sampler.mean(data(), Label::one, 2, [&u](Row x, Out out) {
    const double s = dot(view(u), x);
    out[0] = 2 * relu(s);
    out[1] = gate(s);
  });
  const double variance = form(u, data().one, u);
  const Vector stated{std::sqrt(2 * variance / kPi), 0.5};
  const double deviation = std::sqrt(variance);
  const Vector integrated{normal_mean([&](double z) { return 2 * relu(deviation * z); }),
                          normal_mean([](double z) { return gate(z); })};
  return twice(sampled(measured, stated), computed(integrated, stated, kQuadrature, "quadrature"));
}

/// N0.12, N1.G
Finding gaussian_single(const Sampler& sampler) {
  const Vector stated = respond(gaussian_response(data().one), w(1));
  return twice(
      sampled(sampler.mean(data(), Label::one, n + 1, with_length(response_over_shifts(w(1)), stated)),
              with_length(stated)),
      computed(normal_response(data().one, w(1), gate), stated, kQuadrature, "quadrature"));
}

Means gated_linear(const Sampler& sampler, const Data& source, const Vector& u) {  // E₁[1(S>0) S X]
  return sampler.mean(source, Label::one, source.n(), [&](Row x, Out out) {
    const double s = relu(dot(view(u), x));
    for (std::size_t i = 0; i < x.size(); ++i) out[i] = s * x[i];
  });
}

/// N0.13: the middle member has P(S>0) once too often.
Finding restricted_twice(const Sampler& sampler) {
  const Vector stated = 0.5 * (data().one * w(1));
  return twice(sampled(gated_linear(sampler, data(), w(1)), stated, 0.5 * stated),
               computed(normal_response(data().one, w(1), relu), stated, kQuadrature, "quadrature"));
}

/// N0.14: for every law with X ~ −X, with its own covariance: on nlgp data, and summed over a law of 64 inputs.
Finding half_covariance(const Sampler& sampler) {
  const Data nlgp = nlgp_data(n, 1.6, 0.8, 3);
  const Vector u = six_weights();
  const Vector half = 0.5 * six_signs_mean(0, kSixSites, [&](const Vector& x) { return dot(u, x) * x; });
  const Vector gated = six_signs_mean(0, kSixSites, [&](const Vector& x) { return relu(dot(u, x)) * x; });
  const Vector leaning = six_signs_mean(
      0.3, kSixSites, [&](const Vector& x) { return (relu(dot(u, x)) - 0.5 * dot(u, x)) * x; });
  return provided(std::abs(leaning).max() > 0.01, "X need not be like −X",
                  twice(sampled(gated_linear(sampler, nlgp, w(1)), 0.5 * (nlgp.one * w(1))),
                        computed(gated, half, 1e-14, "exact, all 64 inputs")));
}

/// N0.c3
Finding half_of_the_square(const Sampler& sampler) {
  const Data nlgp = nlgp_data(n, 1.6, 0.8, 3);
  const Vector u = w(1);
  const Means measured = sampler.mean(nlgp, Label::one, 1, [&u](Row x, Out out) {
    const double s = relu(dot(view(u), x));
    out[0] = 2 * s * s;  // E[S² | S>0], P(S>0) = ½
  });
  const Vector v = six_weights();
  const Vector of_signs = six_signs_mean(0, 2, [&](const Vector& x) {
    const double s = dot(v, x);
    return Vector{2 * relu(s) * relu(s), s * s};
  });
  return twice(sampled(measured, {form(w(1), nlgp.one, w(1))}),
               computed({of_signs[0]}, {of_signs[1]}, 1e-14, "exact, all 64 inputs"));
}

// ---- two gates: T = ⟨w_k,X⟩ ----------------------------------------------------------------------------------------

struct Rho {
  double first, cross, other, gamma;
};
Rho rho(const Ring& c, const Vector& u, const Vector& v) {  // N0.15
  const double first = form(u, c, u);
  const double cross = form(u, c, v);
  const double other = form(v, c, v);
  return {first, cross, other, cross / std::sqrt(first * other)};
}

double gate_times_relu(double s, double t) { return gate(s) * relu(t); }

Means sampled_pair(const Sampler& sampler, const Vector& u, const Vector& v) {
  return sampler.mean(data(), Label::one, n, [&](Row x, Out out) {
    const double t = gate(dot(view(u), x)) * relu(dot(view(v), x));
    for (std::size_t i = 0; i < n; ++i) out[i] = t * x[i];
  });
}

/// N0.16, D.1
Finding pair(const Sampler& sampler) {
  const flow::GaussianResponse exact = gaussian_response(data().one);
  const auto of_two = [&](const Vector& u, const Vector& v) {
    const Vector stated = respond(exact, u, v);
    return twice(
        sampled(sampled_pair(sampler, u, v), stated),
        computed(normal_response(data().one, u, v, gate_times_relu), stated, kQuadrature, "quadrature"));
  };
  return both(both(of_two(w(1), w(2)), of_two(w(3), w(1))),
              computed(respond(exact, w(1), w(1)), 0.5 * (data().one * w(1)), 1e-12, "exact"));
}

/// N0.17 as printed: the coefficients of Σw₁ and Σw_k.
struct Coefficients {
  double of_first, of_other;
};
Coefficients printed_17(const Rho& r) {
  const double g = r.gamma;
  const double quotient = r.other / r.first;
  const double mixed = 1 / std::sqrt(r.first * r.other);
  const double outside = 2 * kPi * (1 - g * g);
  const double root = 2 * kPi * std::sqrt(1 - g * g);
  return {(quotient * std::acos(-g) - g * g * std::asin(g)) / outside + (1 / (g * r.first) - mixed) / root,
          -g / outside * std::sqrt(r.first / r.other) * (quotient * std::acos(g) - std::asin(g)) +
              (1 / (g * r.other) - mixed) / root};
}
/// N0.18: its first bracket.
double printed_18(const Rho& r) {
  const double g = r.gamma;
  const double quotient = r.other / r.first;
  return (g * g - quotient) / (2 * kPi * (1 - g * g)) * std::acos(g) +
         (2 * quotient - g * g) / (4 * (1 - g * g)) +
         (1 / (g * r.first) - 1 / std::sqrt(r.first * r.other)) / (2 * kPi * std::sqrt(1 - g * g));
}

/// Reads the coefficients of Σu and Σv off a vector: components along the two vectors a, b of their span with ⟨a,Σu⟩ = 1, ⟨a,Σv⟩ = 0 and the
/// other way round.
struct Readers {
  Vector a, b;
};
Readers readers(const Vector& u, const Vector& v) {
  const Vector cu = data().one * u;
  const Vector cv = data().one * v;
  const double uu = dot(cu, cu);
  const double uv = dot(cu, cv);
  const double vv = dot(cv, cv);
  const double determinant = uu * vv - uv * uv;
  return {(vv * cu - uv * cv) / determinant, (uu * cv - uv * cu) / determinant};
}
/// The coefficients of Σw₁ and Σw_k in the sampled pair response, and by quadrature.
Means sampled_coefficients(const Sampler& sampler, const Vector& u, const Vector& v) {
  const Readers of = readers(u, v);
  return sampler.mean(data(), Label::one, 2, [&](Row x, Out out) {
    const double t = gate(dot(view(u), x)) * relu(dot(view(v), x));
    out[0] = t * dot(view(of.a), x);
    out[1] = t * dot(view(of.b), x);
  });
}
Vector integrated_coefficients(const Vector& u, const Vector& v) {
  const Readers of = readers(u, v);
  const Vector pair = normal_response(data().one, u, v, gate_times_relu);
  return {dot(of.a, pair), dot(of.b, pair)};
}
Vector true_coefficients(const Rho& r) {
  const flow::PairCoefficients c = flow::gaussian_pair(r.first, r.cross, r.other);
  return {c.with_w, c.with_v};
}

Finding printed_pair(const Sampler& sampler) {
  const Rho r = rho(data().one, w(1), w(2));
  const Coefficients printed = printed_17(r);
  return twice(
      sampled(sampled_coefficients(sampler, w(1), w(2)), true_coefficients(r),
              {printed.of_first, printed.of_other}),
      computed(integrated_coefficients(w(1), w(2)), true_coefficients(r), kQuadrature, "quadrature"));
}

/// N0.18: the step from N0.17 is sound, the starting point is not.
Finding printed_pair_rewritten(const Sampler& sampler) {
  const Rho r = rho(data().one, w(1), w(2));
  const Means measured = sampled_coefficients(sampler, w(1), w(2));
  const Means first{{measured.mean[0]}, {measured.standard_error[0]}};
  const double stated = true_coefficients(r)[0];
  return both(twice(sampled(first, {stated}, {printed_18(r)}),
                    computed({integrated_coefficients(w(1), w(2))[0]}, {stated}, kQuadrature, "quadrature")),
              computed({printed_18(r)}, {printed_17(r).of_first}, 1e-12, "exact"));
}

// ---- the flow of K units -------------------------------------------------------------------------------------------

double output(Row x, std::span<const Vector> units) {  // N0.2
  double sum = 0;
  for (const Vector& u : units) sum += relu(dot(view(u), x));
  return sum / static_cast<double>(units.size());
}
double target(Label label) { return label == Label::one ? 1 : 0; }

/// −∂L/∂w₁ by differences of the loss of every sample: the measurement knows of no 1/K and no gate.
Means sampled_descent(const Sampler& sampler, std::span<const Vector> units) {
  return sampler.mixture_mean(data(), n, [&](Label label, Row x, Out out) {
    constexpr double kStep = 1e-4;  // of 16 sites; a gate that flips within it costs 1e-4 of the slope
    const auto count = static_cast<double>(units.size());
    const double first = dot(view(units[0]), x);
    const double others = output(x, units) - relu(first) / count;
    const auto loss = [&](double s) {
      const double error = others + relu(s) / count - target(label);
      return error * error / 2;
    };
    for (std::size_t i = 0; i < n; ++i)
      out[i] = (loss(first - kStep * x[i]) - loss(first + kStep * x[i])) / (2 * kStep);
  });
}

/// −∂L/∂w₁ of the landscape that flows run on.
Vector descent_of_landscape(std::span<const Vector> units) {
  const flow::GaussianPopulation one(flow::Covariance::circulant(view(data().one.row)));
  const flow::GaussianPopulation zero(flow::Covariance::circulant(view(data().zero.row)));
  const flow::ReluLandscape landscape(static_cast<std::int64_t>(units.size()), {&one, &zero}, {1, 0});
  std::vector<double> weights;
  for (const Vector& u : units) weights.insert(weights.end(), std::begin(u), std::end(u));
  std::vector<double> all(weights.size());
  landscape.downhill(weights, all);
  return vector_of(std::span(all).first(n));
}

/// The same from expectations by quadrature: (1/K){½E₁[1(S>0)X] − (1/K)Σ_k E[1(S>0)ReLU⟨w_k,X⟩X]}.
Vector integrated_descent(std::span<const Vector> units) {
  const auto count = static_cast<double>(units.size());
  const Vector& u = units[0];
  Vector sum = 0.5 * normal_response(data().one, u, gate);
  for (const Ring& c : {data().one, data().zero}) {
    sum -= 0.5 / count * normal_response(c, u, relu);
    for (const Vector& other : units.subspan(1))
      sum -= 0.5 / count * normal_response(c, u, other, gate_times_relu);
  }
  return sum / count;
}

/// N0.4: against differences of the loss on 200 samples, K = 3. The printed right side lacks 1/K.
Finding gradient_has_one_over_k(const Sampler& /*sampler*/) {
  const std::array<Vector, 3> units{w(1), w(2), w(3)};
  std::vector<std::vector<double>> inputs;
  math::Workers alone(1);
  const Sampler few(200, 1, alone);
  few.mean(data(), Label::one, 1, [&](Row x, Out out) {
    inputs.emplace_back(x.begin(), x.end());
    out[0] = 0;
  });
  const auto label = [](std::size_t s) { return s % 2 == 0 ? 1.0 : 0.0; };
  const auto loss = [&](const Vector& first) {
    const std::array<Vector, 3> moved{first, units[1], units[2]};
    double sum = 0;
    for (std::size_t s = 0; s < inputs.size(); ++s) {
      const double error = output(inputs[s], moved) - label(s);
      sum += error * error / 2;
    }
    return sum / static_cast<double>(inputs.size());
  };
  Vector printed(n);
  for (std::size_t s = 0; s < inputs.size(); ++s) {
    const double error = (label(s) - output(inputs[s], units)) * gate(dot(view(units[0]), inputs[s]));
    printed += error / static_cast<double>(inputs.size()) * vector_of(inputs[s]);
  }
  Vector descent(n);
  for (std::size_t i = 0; i < n; ++i) {
    constexpr double kStep = 1e-6;
    descent[i] = -(loss(units[0] + kStep * unit(n, i)) - loss(units[0] - kStep * unit(n, i))) / (2 * kStep);
  }
  return computed(descent, printed / 3.0, printed, 1e-6, "differences of the loss, K = 3");
}

/// N0.5
Finding network_flow(const Sampler& sampler) {
  const std::array<Vector, 3> units{w(1), w(2), w(3)};
  const Vector stated = descent_of_landscape(units);
  return twice(sampled(sampled_descent(sampler, units), stated, 3.0 * stated),
               computed(integrated_descent(units), stated, kQuadrature, "quadrature"));
}
/// D.2: Kτ dw₁/dt.
Finding network_flow_times_k(const Sampler& sampler) {
  const std::array<Vector, 3> units{w(1), w(2), w(3)};
  const Vector stated = 3.0 * descent_of_landscape(units);
  return twice(sampled(3.0 * sampled_descent(sampler, units), stated),
               computed(3.0 * integrated_descent(units), stated, kQuadrature, "quadrature"));
}

/// N0.19, N0.20: K = 1.
Vector single_unit_flow(const Vector& u) {
  const double pull = std::sqrt(2 / kPi) / std::sqrt(form(u, data().one, u));
  return -0.25 * (data().zero * u + (1 - pull) * (data().one * u));
}
Finding single_unit(const Sampler& sampler) {
  const std::array<Vector, 1> units{0.1 * w(1)};  // small, so that both terms count
  const Vector stated = single_unit_flow(units[0]);
  return twice(sampled(sampled_descent(sampler, units), stated),
               computed(integrated_descent(units), stated, kQuadrature, "quadrature"));
}

/// D.6: how often a gate flips between w and w̃ = w + 0.4 v.
Finding gate_flips(const Sampler& sampler) {
  const Vector before = w(1);
  const Vector after = w(1) + 0.4 * w(2);
  const Means measured = sampler.mixture_mean(data(), 1, [&](Label, Row x, Out out) {
    out[0] = dot(view(before), x) * dot(view(after), x) < 0 ? 1 : 0;
  });
  const double stated =
      0.5 *
      (std::acos(rho(data().one, before, after).gamma) + std::acos(rho(data().zero, before, after).gamma)) /
      kPi;
  const auto flipped = [&](const Ring& c) {
    return normal_mean(pair_of(c, before, after), [](double s, double t) { return s * t < 0 ? 1 : 0; });
  };
  return twice(sampled(measured, {stated}), computed({0.5 * (flipped(data().one) + flipped(data().zero))},
                                                     {stated}, kQuadrature, "quadrature"));
}

constexpr Claim kClaims[] = {
    {"N0.1", "ŷ = W₂σ(W₁x + b₁) + b₂", "000, eq. (1)", Verdict::definition, nullptr},
    {"N0.2", "ŷ = (1/K)Σ_k ReLU⟨w_k,x⟩", "000, eq. (2)", Verdict::definition, nullptr},
    {"N0.3", "L = ½E(ŷ−Y)²", "000, eq. (3)", Verdict::definition, nullptr},
    {"N0.4", "τ dw₁/dt = −(1/K) E[(ŷ−Y) ∂ReLU⟨w₁,X⟩/∂w₁]; printed without 1/K", "000, eq. (4)",
     Verdict::holds_up_to_a_constant, gradient_has_one_over_k},
    {"N0.5", "… = (1/K){½E₁[1(S>0)X] − (1/K)Σ_k E[1(S>0)ReLU⟨w_k,X⟩X]}; printed without 1/K", "000, eq. (5)",
     Verdict::holds_up_to_a_constant, network_flow},
    {"N0.6", "E[1(S>0)X] = E[1(S>0) E[X|S]]", "000, eq. (6)", Verdict::holds, tower_property},
    {"N0.7", "X = AX + Sv", "000, eq. (7)", Verdict::holds, decomposition},
    {"N0.8", "v = Σ₁w/(w'Σ₁w)", "000, eq. (8)", Verdict::definition, nullptr},
    {"N0.9", "A = I − vw'", "000, eq. (9)", Verdict::definition, nullptr},
    {"N0.10", "E₁[1(S>0)X] = E₁[1(S>0)S] v: Gaussian (or elliptical) data only", "000, eq. (10)",
     Verdict::holds, response_is_along_v},
    {"N0.11", "= E[S|S>0] P(S>0) v, E[S|S>0] = √(2w'Σ₁w/π)", "000, eq. (11)", Verdict::holds,
     half_normal_mean},
    {"N0.12", "= Σ₁w/√(2π w'Σ₁w)", "000, eq. (12)", Verdict::holds, gaussian_single},
    {"N0.13", "E₁[1(S>0)SX] = E[S²]v P(S>0); the middle member has P(S>0) once too often", "000, eq. (13)",
     Verdict::corrected, restricted_twice},
    {"N0.14", "= ½Σ₁w, for every law with X ~ −X", "000, eq. (14)", Verdict::holds, half_covariance},
    {"N0.15", "ρ_ij = w_i'Σw_j, γ = ρ_1k/√(ρ_11 ρ_kk)", "000, eq. (15)", Verdict::definition, nullptr},
    {"N0.16", "E₁[1(S>0)T⁺X] = (√(1−γ²)/2π)√(ρ_kk/ρ_11) Σw₁ + ((π−arccos γ)/2π) Σw_k", "000, eq. (16)",
     Verdict::corrected, pair},
    {"N0.17", "coefficients of the pair term: as N0.16, not as printed", "000, eq. (17)", Verdict::corrected,
     printed_pair},
    {"N0.18", "N0.17 rewritten: the algebra is right, the start is not; as N0.16", "000, eq. (18)",
     Verdict::corrected, printed_pair_rewritten},
    {"N0.19", "K = 1: τ dw/dt = ½E₁[1(S>0)X] − E[1(S>0)SX]", "000, eq. (19)", Verdict::holds, single_unit},
    {"N0.20", "= −¼(Σ₀ + (1 − √(2/π)/√(w'Σ₁w))Σ₁)w", "000, eq. (20)", Verdict::holds, single_unit},
    {"N0.c3", "E[S²|S>0] = E[S²] without Gaussianity", "000, before eq. (14)", Verdict::holds,
     half_of_the_square},
    {"N1.G", "Gaussian data: f(w) = Σw/√(2π w'Σw)", "001, §2", Verdict::holds, gaussian_single},
    {"D.1", "pair(w₁,w_k) = (√(1−γ²)/2π)√(ρ_kk/ρ_11) Σw₁ + ((π−arccos γ)/2π) Σw_k; pair(w,w) = ½Σw",
     "sheet D", Verdict::holds, pair},
    {"D.2", "Kτ dw₁/dt = ½f(w₁) − (1/K)Σ_k ½[pair(Σ₁) + pair(Σ₀)]", "sheet D", Verdict::holds,
     network_flow_times_k},
    {"D.6", "gates flip with probability ½Σ_c arccos(cos_c(w,w̃))/π", "sheet D", Verdict::holds, gate_flips},
};

}  // namespace
}  // namespace of_gaussian_network

std::span<const Claim> gaussian_network() { return of_gaussian_network::kClaims; }

}  // namespace sluice::theory::claims
