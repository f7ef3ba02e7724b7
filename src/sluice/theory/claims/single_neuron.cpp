/// One ReLU unit on any symmetric law: its flow, its loss, and what decides between a flat field and a bump.
#include <algorithm>
#include <array>
#include <numbers>

#include "sluice/flow/bumps.hpp"
#include "sluice/task/nlgp.hpp"
#include "sluice/theory/claims/tables.hpp"
#include "sluice/theory/evidence.hpp"
#include "sluice/theory/fourier.hpp"
#include "sluice/theory/respond.hpp"
#include "sluice/theory/shapes.hpp"

namespace sluice::theory::claims {
namespace of_single_neuron {
namespace {

using Row = std::span<const double>;
using Out = std::span<double>;

constexpr std::size_t n = 16;
Data nlgp() { return nlgp_data(n, 1.6, 0.8, 3); }
double target(Label label) { return label == Label::one ? 1 : 0; }

/// A field whose f is closed on nlgp data, long enough for the decay to show.
Vector one_site() { return 0.6 * unit(n, 3); }
Vector closed_response() { return respond(flow::BumpResponse(math::ring_kernel(n, 1.6), 3), one_site()); }

/// −dL/dw, sampled: at all shifts of the ring, of X and −X, then its length along the stated form.
Means sampled_flow(const Sampler& sampler, const Data& data, const Vector& w, const Vector& stated) {
  const Vector direction = stated / norm(stated);
  return sampler.mixture_mean(data, n + 1, [&](Label label, Row x, Out out) {
    std::array<double, 2 * n> ring{};
    std::ranges::copy(x, std::ranges::copy(x, ring.begin()).out);
    std::ranges::fill(out, 0.0);
    for (std::size_t shift = 0; shift < n; ++shift) {
      const Row moved(ring.data() + shift, n);
      const double s = dot(view(w), moved);
      const auto error = [&](double of) { return (target(label) - relu(of)) * gate(of); };
      const double by = (error(s) - error(-s)) / (2 * n);
      for (std::size_t i = 0; i < n; ++i) out[i] += by * moved[i];
    }
    out[n] = dot(view(direction), out.first(n));
  });
}

/// C.1, N1.4: the printed decay is twice too fast, and has Σ for C.
Finding flow_of_one_unit(const Sampler& sampler) {
  const Data data = nlgp();
  const Vector w = one_site();
  const Vector f = closed_response();
  const Ring latent = latent_covariance(n, 1.6) + latent_covariance(n, 0.8);
  const Vector stated = 0.5 * f - 0.25 * ((data.one + data.zero) * w);
  const Vector printed = 0.5 * f - 0.5 * (latent * w);
  return sampled(sampled_flow(sampler, data, w, stated), with_length(stated), with_length(printed, stated));
}
Finding flow_as_stated(const Sampler& sampler) {
  Finding finding = flow_of_one_unit(sampler);
  finding.notes.reset();
  return finding;
}

/// C.2: the loss at one site, and L + ¼E₁|S| at a random field.
Finding loss_of_one_unit(const Sampler& sampler) {
  const Data data = nlgp();
  const auto quadratic = [&](const Vector& w) { return 0.25 + form(w, data.one + data.zero, w) / 8; };
  const auto loss = [&](const Vector& w, bool with_absolute) {
    return sampler.mixture_mean(data, 1, [&, with_absolute](Label label, Row x, Out out) {
      const double s = dot(view(w), x);
      const double error = relu(s) - target(label);
      out[0] = error * error / 2 + (with_absolute && label == Label::one ? std::abs(s) / 2 : 0);
    });
  };
  const Vector random = 0.2 * trial_weights(n, 1);
  const double absolute = 2 * dot(one_site(), closed_response());  // E₁|S| = 2⟨w,f⟩
  return both(sampled(loss(one_site(), false), {quadratic(one_site()) - absolute / 4}),
              sampled(loss(random, true), {quadratic(random)}));
}

/// N1.c1: for w ~ N(0,I), n = 40, the decay's mean square is Σ((λ0+λ1)/4)², and it exceeds ½f more than tenfold; Gaussian
/// data, where |½f| is closed. The mean square of Aw over w ~ N(0,I) is that over the columns of A: summed over the e_i.
Finding decay_dominates(const Sampler& /*sampler*/) {
  constexpr std::size_t sites = 40;
  const Ring one = latent_covariance(sites, 2);
  const Ring both_classes = one + latent_covariance(sites, 1);
  const flow::GaussianResponse f = gaussian_response(one);
  constexpr std::uint32_t kDraws = 4000;
  double first = 0;
  double second = 0;
  double response = 0;
  for (std::uint32_t draw = 0; draw < kDraws; ++draw) {
    const Vector w = trial_weights(sites, 5000 + draw);
    const double square = std::pow(norm(0.25 * (both_classes * w)), 2);
    first += square / kDraws;
    second += square * square / kDraws;
    response += norm(0.5 * respond(f, w)) / kDraws;
  }
  double over_columns = 0;
  for (std::size_t i = 0; i < sites; ++i)
    over_columns += std::pow(norm(0.25 * (both_classes * unit(sites, i))), 2);
  const Vector rates = eigenvalues(both_classes) / 4.0;
  const Vector stated{dot(rates, rates)};
  return provided(std::sqrt(first) > 10 * response, "½f is not negligible",
                  twice(sampled({{first}, {std::sqrt((second - first * first) / kDraws)}}, stated),
                        computed({over_columns}, stated, 1e-10, "exact")));
}

/// C.6: the loss at the best scale of a shape, ¼ − κ²/(8(1+s₀²/s₁²)), where κ = E₁|S|/s₁ is closed, measured as a loss: n = 40, ξ = (2,1),
/// a flat field and a bump on Gaussian data, one site at gain 3 and on signs.
Finding best_scale(const Sampler& sampler) {
  constexpr std::size_t sites = 40;
  const double gaussian = std::sqrt(2 / std::numbers::pi);
  const auto one_site_kappa = [](double gain) {
    return std::isinf(gain) ? 1
                            : 2 * std::atan(std::numbers::sqrt2 * gain) / std::numbers::pi /
                                  std::sqrt(task::nlgp_variance(gain));
  };
  const auto at_best = [&](const Data& data, const Vector& shape, double kappa) {
    const double one = form(shape, data.one, shape);
    const double size = one + form(shape, data.zero, shape);
    const Vector w = kappa * std::sqrt(one) / size * shape;
    const Means loss = sampler.mixture_mean(data, 1, [&](Label label, Row x, Out out) {
      const double s = dot(view(w), x);
      const auto half_squared = [&](double of) { return std::pow(relu(of) - target(label), 2) / 2; };
      out[0] = (half_squared(s) + half_squared(-s)) / 2;
    });
    return sampled(loss, {0.25 - kappa * kappa * one / (8 * size)});
  };
  const Data normal = gaussian_data(sites, 2, 1);
  return both(both(at_best(normal, flat(sites), gaussian), at_best(normal, bump(sites, 1), gaussian)),
              both(at_best(nlgp_data(sites, 2, 1, 3), unit(sites, 0), one_site_kappa(3)),
                   at_best(nlgp_data(sites, 2, 1, kSigns), unit(sites, 0), one_site_kappa(kSigns))));
}

/// C.6: which shape wins: by its largest κ²/(1+s₀²/s₁²), flat on Gaussian data; a bump, and at last one site alone, on signs. The lead of
/// the bump in loss, with its standard error.
Finding bumps_win_on_signs(const Sampler& sampler) {
  constexpr std::size_t sites = 40;
  const Vector round = bump(sites, 0.7);
  const Vector level = flat(sites);
  const auto lead = [&](const Data& data) {
    const auto per_square = [&](const Vector& shape) {
      return 1 / (8 * form(shape, data.one + data.zero, shape));
    };
    const double of_flat = per_square(level);
    const double of_bump = per_square(round);
    const Means absolute = sampler.mean(data, Label::one, 2, [&](Row x, Out out) {
      out[0] = std::abs(dot(view(round), x));
      out[1] = std::abs(dot(view(level), x));
    });
    const double value = of_bump * std::pow(absolute.mean[0], 2) - of_flat * std::pow(absolute.mean[1], 2);
    const double error = std::hypot(2 * of_bump * absolute.mean[0] * absolute.standard_error[0],
                                    2 * of_flat * absolute.mean[1] * absolute.standard_error[1]);
    return Observation(value, error);
  };
  const Observation on_signs = lead(nlgp_data(sites, 2, 1, kSigns));
  return observed(on_signs, on_signs.above(0) && lead(gaussian_data(sites, 2, 1)).below(0),
                  "sampling, lead of a bump over a flat field in loss, sign data");
}

Finding best_scale_and_winner(const Sampler& sampler) {
  return both(best_scale(sampler), bumps_win_on_signs(sampler));
}

const Claim kClaims[] = {
    {"N1.3", "ŷ = ReLU⟨w,x⟩", "001, eq. (3)", Verdict::definition, nullptr},
    {"N1.4", "τ dw/dt = ½f(w) − ¼(C₀+C₁)w; printed with ½(Σ₀+Σ₁)", "001, eq. (4)", Verdict::corrected,
     flow_of_one_unit},
    {"N1.c1", "early on, from w ~ N(0,I), the decay term dominates", "001, §2", Verdict::holds,
     decay_dominates},
    {"C.1", "τ dw/dt = ½f(w) − ¼(C₀+C₁)w", "sheet C", Verdict::holds, flow_as_stated},
    {"C.2", "L(w) = ¼ + w'(C₀+C₁)w/8 − E₁|S|/4", "sheet C", Verdict::holds, loss_of_one_unit},
    {"C.6",
     "best scale of a shape: L = ¼ − κ²/(8(1+s₀²/s₁²)), κ = E₁|S|/s₁; flat wins on Gaussian, bumps on sign "
     "data",
     "sheet C", Verdict::holds, best_scale_and_winner},
};

}  // namespace
}  // namespace of_single_neuron

std::span<const Claim> single_neuron() { return of_single_neuron::kClaims; }

}  // namespace sluice::theory::claims
