/// The loss before training.
#include "sluice/theory/initial_loss.hpp"

#include <array>
#include <numbers>

#include "sluice/theory/claims/tables.hpp"
#include "sluice/theory/evidence.hpp"

namespace sluice::theory::claims {
namespace of_initial_loss {
namespace {

constexpr std::size_t n = 16;
using Row = std::span<const double>;
using Out = std::span<double>;

/// One ReLU unit on any symmetric law: 4L + E₁|S| = 1 + ½w'(C₀+C₁)w.
Finding one_relu(const Sampler& sampler) {
  const Data data = nlgp_data(n, 1.6, 0.8, 3);
  const Vector w = 0.2 * trial_weights(n, 1);
  const Means measured = sampler.mixture_mean(data, 1, [&](Label label, Row x, Out out) {
    const double s = dot(view(w), x);
    const double error = relu(s) - (label == Label::one ? 1 : 0);
    out[0] = 2 * error * error + (label == Label::one ? 2 * std::abs(s) : 0);
  });
  return sampled(measured, {1 + 0.5 * form(w, data.one + data.zero, w)});
}

/// Two erf units with labels ±1 and no biases: 4L = 2 + E₁ŷ² + E₀ŷ².
Finding two_erf_units(const Sampler& sampler) {
  const Data data = gaussian_data(n, 1.6, 0.8);
  const std::array<Vector, 2> units{0.3 * trial_weights(n, 1), 0.3 * trial_weights(n, 2)};
  const std::array<double, 2> biases{0, 0};
  const Means measured = sampler.mixture_mean(data, 1, [&](Label label, Row x, Out out) {
    double y = 0;
    for (const Vector& unit : units) y += std::erf(dot(view(unit), x) / std::numbers::sqrt2) / 2;
    const double error = y - (label == Label::one ? 1 : -1);
    out[0] = 2 * error * error;
  });
  const double squares =
      erf_output(data.one, units, biases).square + erf_output(data.zero, units, biases).square;
  return sampled(measured, {2 + squares});
}

/// One ReLU unit, averaged over w ~ N(0, vI): 1 + nv − √(2v/π) E₁‖X‖. The mean over 20000 draws of w of the closed loss,
/// plus the sampled E‖X‖, must give 1 + nv.
Finding mean_over_weights(const Sampler& sampler) {
  const Data data = gaussian_data(n, 1.6, 0.8);
  constexpr double v = 0.2;
  constexpr std::uint32_t kDraws = 20000;
  double first = 0;
  double second = 0;
  for (std::uint32_t draw = 0; draw < kDraws; ++draw) {
    const std::array<Vector, 1> unit{std::sqrt(v) * trial_weights(n, 1000 + draw)};
    const double loss = 4 * half_squared_loss(relu_output(data.one, unit), relu_output(data.zero, unit));
    first += loss / kDraws;
    second += loss * loss / kDraws;
  }
  const Means over_weights{{first}, {std::sqrt((second - first * first) / kDraws)}};
  const Means length =
      sampler.mean(data, Label::one, 1, [](Row x, Out out) { out[0] = std::sqrt(dot(x, x)); });
  return sampled(over_weights + std::sqrt(2 * v / std::numbers::pi) * length, {1 + n * v});
}

Finding loss_before_training(const Sampler& sampler) {
  return both(both(one_relu(sampler), two_erf_units(sampler)), mean_over_weights(sampler));
}

/// D.3: three ReLU units on Gaussian data.
Finding network_loss(const Sampler& sampler) {
  const Data data = gaussian_data(n, 1.6, 0.8);
  const std::array<Vector, 3> units{0.2 * trial_weights(n, 1), 0.2 * trial_weights(n, 2),
                                    0.2 * trial_weights(n, 3)};
  const Means measured = sampler.mixture_mean(data, 1, [&](Label label, Row x, Out out) {
    double error = label == Label::one ? -1 : 0;
    for (const Vector& unit : units) error += relu(dot(view(unit), x)) / 3;
    out[0] = error * error / 2;
  });
  return sampled(measured, {half_squared_loss(relu_output(data.one, units), relu_output(data.zero, units))});
}

constexpr Claim kClaims[] = {
    {"D.3", "L = ¼{1 − (2/K)Σ s_1k/√(2π) + (1/K²)Σ_kl[κ₁+κ₀]}", "sheet D", Verdict::holds, network_loss},
    {"H.1",
     "4L(0) = 1 + ½w'(C₀+C₁)w − E₁|S| for one ReLU, 2 + E₁ŷ² + E₀ŷ² for erf with labels ±1; means over w",
     "sheet H", Verdict::holds, loss_before_training},
};

}  // namespace
}  // namespace of_initial_loss

std::span<const Claim> initial_loss() { return of_initial_loss::kClaims; }

}  // namespace sluice::theory::claims
