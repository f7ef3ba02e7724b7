/// The absolute loss of erf units (document 002 §3), E|Y − ŷ| with labels ±1, |ŷ| ≤ 1, on Gaussian data, where its gradient is closed.
#include <array>
#include <cmath>
#include <numbers>

#include "sluice/theory/claims/normal_mean.hpp"
#include "sluice/theory/claims/tables.hpp"
#include "sluice/theory/evidence.hpp"
#include "sluice/theory/initial_loss.hpp"

namespace sluice::theory::claims {
namespace of_absolute_loss {
namespace {

using Row = std::span<const double>;
using Out = std::span<double>;

constexpr std::size_t n = 16;
constexpr std::size_t kUnits = 2;
constexpr std::array<double, kUnits> kBiases{-0.8, 0.5};
constexpr double kConstant = 0.7978845608028654;  // √(2/π): σ'(h) = √(2/π) e^(−h²/2) of σ = erf(h/√2)

const Data& data() {
  static const Data both_classes = gaussian_data(n, 1.6, 0.8);
  return both_classes;
}
const std::array<Vector, kUnits>& units() {
  static const std::array<Vector, kUnits> weights{0.3 * trial_weights(n, 1), 0.3 * trial_weights(n, 2)};
  return weights;
}

/// ŷ(x) with `more` added to ⟨w₁,x⟩.
double output(Row x, double more = 0) {
  double sum = 0;
  for (std::size_t k = 0; k < kUnits; ++k)
    sum += std::erf((dot(view(units()[k]), x) + kBiases[k] + (k == 0 ? more : 0)) / std::numbers::sqrt2);
  return sum / kUnits;
}

/// E[e^(−(S+b)²/2) X] = −b (1+s²)^(−3/2) e^(−b²/(2(1+s²))) Σw, s² = w'Σw                            ledger: N2.33
Vector bell_response(const Ring& covariance, const Vector& w, double b) {
  const double spread = 1 + form(w, covariance, w);
  return Vector(-b * std::pow(spread, -1.5) * std::exp(-b * b / (2 * spread)) * (covariance * w));
}

/// N2.29: ½(E₁[1−ŷ] + E₀[1+ŷ]); printed without the ½ of the class probabilities.
Finding split_by_class(const Sampler& sampler) {
  const Means measured = sampler.mixture_mean(data(), 1, [](Label label, Row x, Out out) {
    out[0] = std::abs((label == Label::one ? 1 : -1) - output(x));
  });
  const double sum =
      2 - erf_output(data().one, units(), kBiases).mean + erf_output(data().zero, units(), kBiases).mean;
  return sampled(measured, {sum / 2}, {sum});
}

/// Central differences of a function of the output, by the first unit's weights: that of site i adds its step times x_i to ⟨w₁,x⟩.
template <class Of>
Statistic differences(const Of& of) {
  return [of](Row x, Out out) {
    constexpr double kStep = 1e-4;
    for (std::size_t i = 0; i < n; ++i)
      out[i] = (of(output(x, kStep * x[i])) - of(output(x, -kStep * x[i]))) / (2 * kStep);
  };
}

/// The gradient of E_c of a function of the output by the first unit's weights, by differences: sampled, and integrated over the plane of the
/// two pre-activations.
template <class Of>
Means sampled_gradient(const Sampler& sampler, Label label, const Of& of) {
  return sampler.mean(data(), label, n, differences(of));
}
template <class Of>
Vector integrated_gradient(Label label, const Of& of) {
  return normal_response(data().covariance(label), units()[0], units()[1], [&](double s, double t) {
    constexpr double kStep = 1e-4;
    const auto at = [&](double first) {
      const double sum = std::erf((first + kBiases[0]) / std::numbers::sqrt2) +
                         std::erf((t + kBiases[1]) / std::numbers::sqrt2);
      return of(sum / kUnits);
    };
    return (at(s + kStep) - at(s - kStep)) / (2 * kStep);
  });
}
constexpr double kDifferences = 1e-8;  // step² of numbers of order 1

/// (1/K) √(2/π) E_c[e^(−(S+b)²/2) X] of the first unit.
Vector output_gradient(const Ring& covariance) {
  return Vector(kConstant / kUnits * bell_response(covariance, units()[0], kBiases[0]));
}

/// N2.30: differences of the loss.
Finding gradient(const Sampler& sampler) {
  const Vector stated = 0.5 * (output_gradient(data().zero) - output_gradient(data().one));
  const auto loss = [](double y) { return [y](double answer) { return std::abs(y - answer); }; };
  return twice(
      sampled(0.5 * (sampled_gradient(sampler, Label::one, loss(1)) +
                     sampled_gradient(sampler, Label::zero, loss(-1))),
              stated, 2.0 * stated),
      computed(0.5 * (integrated_gradient(Label::one, loss(1)) + integrated_gradient(Label::zero, loss(-1))),
               stated, kDifferences, "quadrature"));
}

/// E₁[∂ŷ/∂w₁]
Finding of_output_gradient(const Finding& by_samples, const Vector& stated) {
  const auto itself = [](double answer) { return answer; };
  return twice(by_samples,
               computed(integrated_gradient(Label::one, itself), stated, kDifferences, "quadrature"));
}
Means sampled_output_gradient(const Sampler& sampler) {
  return sampled_gradient(sampler, Label::one, [](double answer) { return answer; });
}
Finding chain_rule(const Sampler& sampler) {  // N2.31
  const Vector stated = output_gradient(data().one);
  return of_output_gradient(sampled(sampled_output_gradient(sampler), stated), stated);
}
/// N2.32: printed with 1/√π for √(2/π).
Finding prefactor(const Sampler& sampler) {
  const Vector stated = output_gradient(data().one);
  return of_output_gradient(sampled(sampled_output_gradient(sampler), stated, stated / std::numbers::sqrt2),
                            stated);
}

/// N2.33, and N2.34 with the square written out: Σ w_j²x_j² + 2Σ_(k>j) w_k w_j x_k x_j + 2bΣ w_j x_j + b².
template <class Exponent>
Finding bell(const Sampler& sampler, const Exponent& exponent) {
  const Vector& w = units()[0];
  const Vector stated = bell_response(data().one, w, kBiases[0]);
  const Statistic entries = [&](Row x, Out out) {
    const double weight = std::exp(-exponent(w, x) / 2);
    for (std::size_t i = 0; i < n; ++i) out[i] = weight * x[i];
  };
  const Vector integrated =
      normal_response(data().one, w, [](double s) { return std::exp(-std::pow(s + kBiases[0], 2) / 2); });
  return twice(sampled(sampler.mean(data(), Label::one, n, entries), stated),
               computed(integrated, stated, 1e-10, "quadrature"));
}
Finding one_entry(const Sampler& sampler) {
  return bell(sampler, [](const Vector& w, Row x) { return std::pow(dot(view(w), x) + kBiases[0], 2); });
}
Finding expanded_square(const Sampler& sampler) {
  return bell(sampler, [](const Vector& w, Row x) {
    double sum = kBiases[0] * kBiases[0];
    for (std::size_t j = 0; j < n; ++j) {
      sum += w[j] * w[j] * x[j] * x[j] + 2 * kBiases[0] * w[j] * x[j];
      for (std::size_t k = j + 1; k < n; ++k) sum += 2 * w[k] * w[j] * x[k] * x[j];
    }
    return sum;
  });
}

constexpr Claim kClaims[] = {
    {"N2.28", "L = E|Y − ŷ|", "002, eq. (28)", Verdict::definition, nullptr},
    {"N2.29", "L = ½(E₁[1−ŷ] + E₀[1+ŷ]) for labels ±1 and |ŷ| ≤ 1; printed without ½", "002, eq. (29)",
     Verdict::holds_up_to_a_constant, split_by_class},
    {"N2.30", "∂L/∂w = ½(−E₁[∂ŷ/∂w] + E₀[∂ŷ/∂w]); printed without ½", "002, eq. (30)",
     Verdict::holds_up_to_a_constant, gradient},
    {"N2.31", "E₁[∂ŷ/∂w₁] = (1/K) E₁[σ'(⟨w₁,X⟩+b₁) X]", "002, eq. (31)", Verdict::holds, chain_rule},
    {"N2.32", "= (1/K) √(2/π) E₁[e^(−(⟨w₁,X⟩+b₁)²/2) X]; printed 1/√π", "002, eq. (32)",
     Verdict::holds_up_to_a_constant, prefactor},
    {"N2.33", "Gaussian data: E[e^(−(S+b)²/2) X] = −b(1+s²)^(−3/2) e^(−b²/(2(1+s²))) Σw; the notes leave it",
     "002, eq. (33)", Verdict::holds, one_entry},
    {"N2.34", "the square may be written out", "002, eq. (34)", Verdict::holds, expanded_square},
};

}  // namespace
}  // namespace of_absolute_loss

std::span<const Claim> absolute_loss() { return of_absolute_loss::kClaims; }

}  // namespace sluice::theory::claims
