/// erf networks with biases on Gaussian data, σ(h) = erf(h/√2).
#include <algorithm>
#include <numbers>
#include <vector>

#include "sluice/flow/erf_landscape.hpp"
#include "sluice/flow/erf_units.hpp"
#include "sluice/theory/claims/normal_mean.hpp"
#include "sluice/theory/claims/six_signs.hpp"
#include "sluice/theory/claims/tables.hpp"
#include "sluice/theory/evidence.hpp"

namespace sluice::theory::claims {
namespace of_erf_network {
namespace {

constexpr std::size_t n = 16;
constexpr double kQuadrature = 1e-9;  // of numbers of order 1
using Row = std::span<const double>;
using Out = std::span<double>;

double sigma(double h) { return std::erf(h / std::numbers::sqrt2); }
double slope(double h) { return std::sqrt(2 / std::numbers::pi) * std::exp(-h * h / 2); }

/// Two units with weights of norm about 1.2, so that neither saturation nor linearity hides a term.
struct Units {
  Data data = gaussian_data(n, 1.6, 0.8);
  Vector w = 0.3 * trial_weights(n, 1);
  Vector v = 0.3 * trial_weights(n, 2);
  double b = 0.7;
  double c = -0.4;

  flow::ErfPair pair(Label label, const Vector& other, double bias) const {
    const Ring& cov = data.covariance(label);
    return {{form(w, cov, w), b}, {form(other, cov, other), bias}, form(w, cov, other)};
  }
  flow::ErfPair pair(Label label) const { return pair(label, v, c); }
};

/// E.1
Finding slope_and_input(const Sampler& sampler) {
  const Units units;
  const Means measured = sampler.mean(units.data, Label::one, n + 1, [&](Row x, Out out) {
    const double each = slope(dot(view(units.w), x) + units.b);
    for (std::size_t i = 0; i < n; ++i) out[i] = each * x[i];
    out[n] = each;
  });
  const flow::ErfUnit unit = units.pair(Label::one).w;
  Vector stated(n + 1);
  stated[std::slice(0, n, 1)] = flow::erf_slope_input(unit) * (units.data.one * units.w);
  stated[n] = flow::erf_slope(unit);
  const double deviation = std::sqrt(unit.variance);
  Vector integrated(n + 1);
  integrated[std::slice(0, n, 1)] =
      normal_response(units.data.one, units.w, [&](double s) { return slope(s + units.b); });
  integrated[n] = normal_mean([&](double z) { return slope(deviation * z + units.b); });
  return twice(sampled(measured, stated), computed(integrated, stated, kQuadrature, "quadrature"));
}

/// E.2
Finding value_times_slope(const Sampler& sampler) {
  const Units units;
  const Means measured = sampler.mean(units.data, Label::one, 1, [&](Row x, Out out) {
    out[0] = sigma(dot(view(units.v), x) + units.c) * slope(dot(view(units.w), x) + units.b);
  });
  const double stated = flow::erf_value_slope(units.pair(Label::one));
  const double integrated = normal_mean(pair_of(units.data.one, units.w, units.v), [&](double s, double t) {
    return sigma(t + units.c) * slope(s + units.b);
  });
  return twice(sampled(measured, {stated}), computed({integrated}, {stated}, kQuadrature, "quadrature"));
}

/// E.3, for two units and for a unit with itself.
Finding value_times_slope_times_input(const Sampler& sampler) {
  const Units units;
  const auto against = [&](const Vector& other, double bias, const Vector& integrated) {
    const Means measured = sampler.mean(units.data, Label::one, n, [&](Row x, Out out) {
      const double each = sigma(dot(view(other), x) + bias) * slope(dot(view(units.w), x) + units.b);
      for (std::size_t i = 0; i < n; ++i) out[i] = each * x[i];
    });
    const flow::ErfInput input = flow::erf_value_slope_input(units.pair(Label::one, other, bias));
    const Vector stated = input.with_w * (units.data.one * units.w) + input.with_v * (units.data.one * other);
    return twice(sampled(measured, stated), computed(integrated, stated, kQuadrature, "quadrature"));
  };
  return both(
      against(units.v, units.c,
              normal_response(units.data.one, units.w, units.v,
                              [&](double s, double t) { return sigma(t + units.c) * slope(s + units.b); })),
      against(units.w, units.b, normal_response(units.data.one, units.w, [&](double s) {
                return sigma(s + units.b) * slope(s + units.b);
              })));
}

double label_of(Label label) { return label == Label::one ? 1 : -1; }

/// K τ d(w₁, b₁)/dt of the landscape that flows run on, labels ±1.
Vector descent_of_landscape(const Units& units) {
  const auto row = [](const Ring& c) { return std::vector<double>(std::begin(c.row), std::end(c.row)); };
  const flow::ErfLandscape landscape(2, {row(units.data.one), row(units.data.zero)},
                                     {label_of(Label::one), label_of(Label::zero)});
  std::vector<double> parameters(std::begin(units.w), std::end(units.w));
  parameters.insert(parameters.end(), std::begin(units.v), std::end(units.v));
  parameters.insert(parameters.end(), {units.b, units.c});
  std::vector<double> downhill(landscape.size());
  landscape.downhill(parameters, downhill);
  Vector first(n + 1);
  std::ranges::copy(std::span(downhill).first(n), std::begin(first));
  first[n] = downhill[2 * n];
  return 2.0 * first;
}

/// E.4: the flow of weights and bias of the first of two units: E[(Y − ŷ)σ'(h₁)X], E[(Y − ŷ)σ'(h₁)].
Finding network_flow(const Sampler& sampler) {
  const Units units;
  const auto error = [&](Label label, double s, double t) {
    const double h = s + units.b;
    return (label_of(label) - (sigma(h) + sigma(t + units.c)) / 2) * slope(h);
  };
  const Means measured = sampler.mixture_mean(units.data, n + 1, [&](Label label, Row x, Out out) {
    const double each = error(label, dot(view(units.w), x), dot(view(units.v), x));
    for (std::size_t i = 0; i < n; ++i) out[i] = each * x[i];
    out[n] = each;
  });
  Vector integrated(n + 1);
  for (const Label label : {Label::one, Label::zero}) {
    const Ring& c = units.data.covariance(label);
    const PairFunction of_class = [&, label](double s, double t) { return error(label, s, t); };
    integrated[std::slice(0, n, 1)] += Vector(0.5 * normal_response(c, units.w, units.v, of_class));
    integrated[n] += 0.5 * normal_mean(pair_of(c, units.w, units.v), of_class);
  }
  const Vector stated = descent_of_landscape(units);
  return twice(sampled(measured, stated), computed(integrated, stated, kQuadrature, "quadrature"));
}

/// E.5
Finding values(const Sampler& sampler) {
  const Units units;
  const Means measured = sampler.mean(units.data, Label::one, 3, [&](Row x, Out out) {
    const double s = dot(view(units.w), x);
    const double t = dot(view(units.v), x);
    out[0] = sigma(s + units.b);
    out[1] = sigma(s + units.b) * sigma(t + units.c);
    out[2] = sigma(s) * sigma(t);
  });
  flow::ErfPair pair = units.pair(Label::one);
  const double with_biases = flow::erf_value_value(pair);
  const double mean = flow::erf_value(pair.w);
  pair.w.bias = pair.v.bias = 0;
  const double closed = 2 / std::numbers::pi *
                        std::asin(pair.covariance / std::sqrt((1 + pair.w.variance) * (1 + pair.v.variance)));
  const double deviation = std::sqrt(pair.w.variance);
  const auto of_pair = [&](double b, double c) {
    return normal_mean(pair_of(units.data.one, units.w, units.v),
                       [=](double s, double t) { return sigma(s + b) * sigma(t + c); });
  };
  const Vector stated{mean, with_biases, closed};
  const Vector integrated{normal_mean([&](double z) { return sigma(deviation * z + units.b); }),
                          of_pair(units.b, units.c), of_pair(0, 0)};
  return both(twice(sampled(measured, stated), computed(integrated, stated, kQuadrature, "quadrature")),
              computed({flow::erf_value_value(pair)}, {closed}, 1e-12, "exact"));
}

/// E.6, N0.c2: without bias a unit with an even slope sees no label, on any symmetric law; with one it does.
Finding no_signal_without_bias(const Sampler& sampler) {
  const Data data = nlgp_data(n, 1.6, 0.8, 3);
  const Vector w = 0.3 * trial_weights(n, 1);
  const auto signal = [&](double bias, double (*derivative)(double)) {
    return sampler.mean(data, Label::one, n, [&](Row x, Out out) {
      const double each = derivative(dot(view(w), x) + bias);
      for (std::size_t i = 0; i < n; ++i) out[i] = each * x[i];
    });
  };
  const auto logistic = [](double h) {
    const double s = 1 / (1 + std::exp(-h));
    return s * (1 - s);
  };
  const Means of_erf = signal(0.7, slope);
  const Means of_logistic = signal(0.7, logistic);
  const Means of_relu = signal(0, gate);
  const auto seen = [](const Means& means) { return !sampled_zero(means, means.mean).passed; };
  const Vector v = six_weights();
  const auto summed = [&v](double bias, double (*derivative)(double)) {
    return six_signs_mean(0, kSixSites, [&](const Vector& x) { return derivative(dot(v, x) + bias) * x; });
  };
  const auto vanishes = [&](const Means& with_bias, double (*derivative)(double)) {
    return twice(
        sampled_zero(signal(0, derivative), with_bias.mean),
        computed_zero(summed(0, derivative), norm(summed(0.7, derivative)), 1e-14, "exact, all 64 inputs"));
  };
  return provided(seen(of_erf) && seen(of_logistic) && seen(of_relu), "a bias changes nothing",
                  both(vanishes(of_erf, slope), vanishes(of_logistic, logistic)));
}

constexpr Claim kClaims[] = {
    {"N0.c2", "biases can be dropped for ReLU, not for a sigmoid: E₁[σ'(S)X] = 0 without bias", "000, §1",
     Verdict::holds, no_signal_without_bias},
    {"E.1", "E σ'(S+b) = √(2/π)(1+a)^(−½) e^(−b²/(2(1+a))), E[σ'(S+b)X] = −b/(1+a) E[σ'] Σw", "sheet E",
     Verdict::holds, slope_and_input},
    {"E.2", "H = E[σ(T+c)σ'(S+b)] = E[σ'] erf(κ)", "sheet E", Verdict::holds, value_times_slope},
    {"E.3", "E[σ(T+c)σ'(S+b)X] = (∂H/∂b)Σw + QΣw_k", "sheet E", Verdict::holds,
     value_times_slope_times_input},
    {"E.4", "Kτ dw₁/dt = Σ_c ½{Y_c E_c[σ'X] − (1/K)Σ_k E_c[σ_kσ'X]}; biases: X → 1", "sheet E",
     Verdict::holds, network_flow},
    {"E.5", "E σ(S+b) = erf(b/√(2(1+a))); E[σσ] by Φ₂, without biases (2/π) arcsin ρ̄", "sheet E",
     Verdict::holds, values},
    {"E.6", "symmetric law, no bias: E[σ'(S)X] = 0", "sheet E", Verdict::holds, no_signal_without_bias},
};

}  // namespace
}  // namespace of_erf_network

std::span<const Claim> erf_network() { return of_erf_network::kClaims; }

}  // namespace sluice::theory::claims
