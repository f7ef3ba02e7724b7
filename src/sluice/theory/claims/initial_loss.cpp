/// The loss before training.
#include "sluice/theory/initial_loss.hpp"

#include <algorithm>
#include <array>
#include <numbers>

#include "sluice/math/statistics.hpp"
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

/// One ReLU unit, averaged over w ~ N(0, vI): 1 + nv − √(2v/π) E₁‖X‖. The mean over 40000 draws of w of the closed loss,
/// plus the sampled E‖X‖, must give 1 + nv.
Finding mean_over_weights(const Sampler& sampler) {
  const Data data = gaussian_data(n, 1.6, 0.8);
  constexpr double v = 0.2;
  constexpr std::uint32_t kDraws = 40000;
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

/// N2.18: by class, beside the moments of the output: two erf units with biases, labels ±1.
Finding split_by_class(const Sampler& sampler) {
  const Data data = gaussian_data(n, 1.6, 0.8);
  const std::array<Vector, 2> units{0.3 * trial_weights(n, 1), 0.3 * trial_weights(n, 2)};
  const std::array<double, 2> biases{-0.8, 0.5};
  const Means measured = finer(sampler).mixture_mean(data, 1, [&](Label label, Row x, Out out) {
    double y = 0;
    for (std::size_t k = 0; k < 2; ++k)
      y += std::erf((dot(view(units[k]), x) + biases[k]) / std::numbers::sqrt2) / 2;
    const double error = y - (label == Label::one ? 1 : -1);
    out[0] = error * error / 2;
  });
  const OutputMoments one = erf_output(data.one, units, biases), zero = erf_output(data.zero, units, biases);
  return sampled(measured, {(1 - 2 * one.mean + one.square + 1 + 2 * zero.mean + zero.square) / 4});
}

/// The chain from N2.19 on: one erf unit without bias; each line of the chain is sampled, all of them are 2 + Σ_c (2/π) arcsin(s²/(1+s²)).
Finding erf_chain(const Sampler& sampler) {
  const Data data = gaussian_data(n, 1.6, 0.8);
  const Vector w = 0.3 * trial_weights(n, 1);
  const auto of_class = [&](Label label, double y) {
    return finer(sampler).mean(data, label, 4, [&w, y](Row x, Out out) {
      const double s = dot(view(w), x), answer = std::erf(s / std::numbers::sqrt2);
      const double off = answer - y, other = answer + y;
      out[0] = off * off;                                          // (19), (20)
      out[1] = (s > 0 ? off * off : 0) + (s < 0 ? off * off : 0);  // (21)
      out[2] = s > 0 ? off * off + other * other : 0;              // (22), (23)
      out[3] = s > 0 ? 2 * (answer * answer + 1) : 0;              // (24)
    });
  };
  const auto square = [&](const Ring& covariance) {
    const double s = form(w, covariance, w);
    return 2 / std::numbers::pi * std::asin(s / (1 + s));
  };
  return sampled(of_class(Label::one, 1) + of_class(Label::zero, -1),
                 Vector(2 + square(data.one) + square(data.zero), 4));
}

/// N2.25: three erf units on Gaussian data.
Finding erf_network_loss(const Sampler& sampler) {
  const Data data = gaussian_data(n, 1.6, 0.8);
  const std::array<Vector, 3> units{0.3 * trial_weights(n, 1), 0.3 * trial_weights(n, 2),
                                    0.3 * trial_weights(n, 3)};
  const Means measured = finer(sampler).mixture_mean(data, 1, [&](Label label, Row x, Out out) {
    double error = label == Label::one ? -1 : 1;
    for (const Vector& unit : units) error += std::erf(dot(view(unit), x) / std::numbers::sqrt2) / 3;
    out[0] = 2 * error * error;
  });
  double stated = 2;
  for (const Ring* covariance : {&data.one, &data.zero})
    for (const Vector& k : units)
      for (const Vector& l : units)
        stated += 2 / std::numbers::pi / 9 *
                  std::asin(form(k, *covariance, l) /
                            std::sqrt((1 + form(k, *covariance, k)) * (1 + form(l, *covariance, l))));
  return sampled(measured, {stated});
}

/// N2.c6: weights ±w drawn with every sample, w ~ N(0, vI), v = 2/(n+1), at three gains: ReLU 4L(0) + √(2v/π) E₁‖X‖ = 1 + nv, with ‖X‖ growing
/// to √n; erf 4L(0) moves by less than that.
Finding start_against_gain(const Sampler& sampler) {
  constexpr double v = 2.0 / (n + 1);
  const double root = std::sqrt(v), factor = std::sqrt(2 * v / std::numbers::pi);
  const std::array<double, 3> gains{0.01, 1, kSigns};
  Means sums{Vector(gains.size()), Vector(gains.size())};
  Vector lengths(gains.size()), of_erf(gains.size());
  for (std::size_t i = 0; i < gains.size(); ++i) {
    const Data data = nlgp_data(n, 1.6, 0.8, gains[i]);
    const auto loss = [&](Label label) {
      return math::Statistics(sampler.values(data, label, [&](std::int64_t draw, Row x) {
        const double s = root * dot(view(trial_weights(n, static_cast<std::uint32_t>(draw))), x);
        const double y = label == Label::one ? 1 : 0;
        return (std::pow(relu(s) - y, 2) + std::pow(relu(-s) - y, 2)) / 2;
      }));
    };
    const math::Statistics one = loss(Label::one), zero = loss(Label::zero);
    const Means of_class = sampler.mean(data, Label::one, 2, [&](Row x, Out out) {
      const double u = v * dot(x, x);
      out[0] = std::sqrt(dot(x, x));
      out[1] = 2 / std::numbers::pi * std::asin(u / (1 + u));
    });
    lengths[i] = of_class.mean[0];
    of_erf[i] = of_class.mean[1];
    sums.mean[i] = one.mean() + zero.mean() + factor * lengths[i];
    sums.standard_error[i] = one.error() + zero.error() + factor * of_class.standard_error[0];
  }
  const double fall = factor * (lengths[2] - lengths[0]);
  return provided(
      lengths[0] < lengths[1] && lengths[1] < lengths[2] && std::abs(of_erf[2] - of_erf[0]) < fall,
      "the start does not fall with the gain, or erf's does as well",
      sampled(sums, Vector(1 + n * v, gains.size())));
}

constexpr Claim kClaims[] = {
    {"N2.15", "X ~ p(ξ, g)", "002, eq. (15)", Verdict::definition, nullptr},
    {"N2.16", "ŷ = (1/K)Σσ(⟨w_k,x⟩+b_k)", "002, eq. (16)", Verdict::definition, nullptr},
    {"N2.17", "L = ½E(ŷ−Y)²", "002, eq. (17)", Verdict::definition, nullptr},
    {"N2.18", "L = ¼(E₁(ŷ−Y₁)² + E₀(ŷ−Y₀)²)", "002, eq. (18)", Verdict::holds, split_by_class},
    {"N2.19", "erf units, labels ±1: 4L(0) = E₁(ŷ−1)² + E₀(ŷ+1)²", "002, eq. (19)", Verdict::holds,
     erf_chain},
    {"N2.20", "… with ŷ = σ⟨w₁,X⟩", "002, eq. (20)", Verdict::holds, erf_chain},
    {"N2.21", "… split by the sign of ⟨w₁,X⟩", "002, eq. (21)", Verdict::holds, erf_chain},
    {"N2.22", "… with the sign flipped: X ~ −X", "002, eq. (22)", Verdict::holds, erf_chain},
    {"N2.23", "… collected", "002, eq. (23)", Verdict::holds, erf_chain},
    {"N2.24", "= 2(E₁[1(S>0)(σ²+1)] + E₀[1(S>0)(σ²+1)])", "002, eq. (24)", Verdict::holds, erf_chain},
    {"N2.25",
     "4L(0) = 2 + Σ_c E_cŷ², Gaussian: E_cŷ² = (1/K²)Σ_kl (2/π) arcsin(ρ_kl/√((1+ρ_kk)(1+ρ_ll))); the notes "
     "have no right side",
     "002, eq. (25)", Verdict::corrected, erf_network_loss},
    {"N2.26", "ReLU, labels 1 and 0: 4L = E₁(ŷ−1)² + E₀ŷ²", "002, eq. (26)", Verdict::holds, network_loss},
    {"N2.27", "… with the model; Gaussian data: D.3", "002, eq. (27)", Verdict::holds, network_loss},
    {"N2.c6",
     "at the start ReLU's loss falls with the gain: 1 + nv − √(2v/π)E₁‖X‖, and E‖X‖ grows to √n; erf's stays",
     "002, §3", Verdict::holds, start_against_gain},
    {"D.3", "L = ¼{1 − (2/K)Σ s_1k/√(2π) + (1/K²)Σ_kl[κ₁+κ₀]}", "sheet D", Verdict::holds, network_loss},
    {"H.1",
     "4L(0) = 1 + ½w'(C₀+C₁)w − E₁|S| for one ReLU, 2 + E₁ŷ² + E₀ŷ² for erf with labels ±1; means over w",
     "sheet H", Verdict::holds, loss_before_training},
};

}  // namespace
}  // namespace of_initial_loss

std::span<const Claim> initial_loss() { return of_initial_loss::kClaims; }

}  // namespace sluice::theory::claims
