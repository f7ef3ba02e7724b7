/// erf networks with biases on Gaussian data, σ(h) = erf(h/√2).
#include <array>
#include <numbers>

#include "sluice/flow/erf_units.hpp"
#include "sluice/theory/claims/tables.hpp"
#include "sluice/theory/evidence.hpp"

namespace sluice::theory::claims {
namespace of_erf_network {
namespace {

constexpr std::size_t n = 16;
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
  return sampled(measured, stated);
}

/// E.2
Finding value_times_slope(const Sampler& sampler) {
  const Units units;
  const Means measured = sampler.mean(units.data, Label::one, 1, [&](Row x, Out out) {
    out[0] = sigma(dot(view(units.v), x) + units.c) * slope(dot(view(units.w), x) + units.b);
  });
  return sampled(measured, {flow::erf_value_slope(units.pair(Label::one))});
}

/// E.3, for two units and for a unit with itself.
Finding value_times_slope_times_input(const Sampler& sampler) {
  const Units units;
  const auto against = [&](const Vector& other, double bias) {
    const Means measured = sampler.mean(units.data, Label::one, n, [&](Row x, Out out) {
      const double each = sigma(dot(view(other), x) + bias) * slope(dot(view(units.w), x) + units.b);
      for (std::size_t i = 0; i < n; ++i) out[i] = each * x[i];
    });
    const flow::ErfInput input = flow::erf_value_slope_input(units.pair(Label::one, other, bias));
    return sampled(measured,
                   input.with_w * (units.data.one * units.w) + input.with_v * (units.data.one * other));
  };
  return both(against(units.v, units.c), against(units.w, units.b));
}

/// E.4: the flow of weights and bias of the first of two units, labels ±1.
Finding network_flow(const Sampler& sampler) {
  const Units units;
  const auto label_of = [](Label label) { return label == Label::one ? 1.0 : -1.0; };
  const Means measured = sampler.mixture_mean(units.data, n + 1, [&](Label label, Row x, Out out) {
    const double h = dot(view(units.w), x) + units.b;
    const double y = (sigma(h) + sigma(dot(view(units.v), x) + units.c)) / 2;
    const double each = (label_of(label) - y) * slope(h);
    for (std::size_t i = 0; i < n; ++i) out[i] = each * x[i];
    out[n] = each;
  });
  Vector weights(n);
  double bias = 0;
  for (const Label label : {Label::one, Label::zero}) {
    const Ring& c = units.data.covariance(label);
    const flow::ErfPair self = units.pair(label, units.w, units.b);
    const flow::ErfPair other = units.pair(label);
    const flow::ErfInput by_self = flow::erf_value_slope_input(self);
    const flow::ErfInput by_other = flow::erf_value_slope_input(other);
    const double y = label_of(label);
    weights +=
        0.5 *
            (y * flow::erf_slope_input(self.w) - 0.5 * (by_self.with_w + by_self.with_v + by_other.with_w)) *
            (c * units.w) -
        0.25 * by_other.with_v * (c * units.v);
    bias += 0.5 * (y * flow::erf_slope(self.w) -
                   0.5 * (flow::erf_value_slope(self) + flow::erf_value_slope(other)));
  }
  Vector stated(n + 1);
  stated[std::slice(0, n, 1)] = weights;
  stated[n] = bias;
  return sampled(measured, stated);
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
  return both(sampled(measured, {mean, with_biases, closed}),
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
  const bool needs_bias =
      !sampled_zero(signal(0.7, slope)).passed && !sampled_zero(signal(0.7, logistic)).passed;
  const bool relu_does_not = !sampled_zero(signal(0, gate)).passed;
  return provided(needs_bias && relu_does_not, "a bias changes nothing",
                  both(sampled_zero(signal(0, slope)), sampled_zero(signal(0, logistic))));
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
