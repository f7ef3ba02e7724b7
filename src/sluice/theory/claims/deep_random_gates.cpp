/// Document 004: what random gates do to the spectrum of the tangent kernel, and the gates of GaLU networks.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "sluice/kernel/paths.hpp"
#include "sluice/kernel/spectrum.hpp"
#include "sluice/theory/claims/normal_mean.hpp"
#include "sluice/theory/claims/small_network.hpp"
#include "sluice/theory/claims/tables.hpp"
#include "sluice/theory/deep_gates.hpp"
#include "sluice/theory/evidence.hpp"

namespace sluice::theory::claims {
namespace of_deep_random_gates {
namespace {

net::DeepOptions random_gates(std::int64_t depth, std::int64_t width) {
  net::DeepOptions options;
  options.depth = depth;
  options.width = width;
  options.gates = "random";
  return options;
}

/// The mean on the diagonal of a matrix over samples, and off it.
void diagonal_and_off(const kernel::SampleMatrix<float>& matrix, double scale, std::span<double> out) {
  double on = 0;
  double sum = 0;
  for (std::int64_t s = 0; s < matrix.n; ++s) {
    on += static_cast<double>(matrix.at(s, s));
    for (std::int64_t t = 0; t < matrix.n; ++t) sum += static_cast<double>(matrix.at(s, t));
  }
  const auto n = static_cast<double>(matrix.n);
  out[0] = on / n / scale;
  out[1] = (sum - on) / (n * (n - 1)) / scale;
}

/// P.L2.4, P.L7.4: w = 400, d = 4, μ = ½, 400 draws of the gates of 60 samples.
Finding mean_overlaps(const Sampler& sampler) {
  constexpr double kWidth = 400;
  const Ensemble nets{.options = random_gates(4, 400),
                      .x = std::vector<float>(60, 1.0F),
                      .networks = 400,
                      .seed = sampler.seed()};
  const std::vector<Vector> rows = over_networks(
      nets, 2,
      [](const kernel::Passage<float>& passage, std::span<double> out) {
        diagonal_and_off(passage.overlap(), 1, out);
      },
      sampler.workers());
  return sampled(means_of(rows), {mean_self_overlap(kWidth, 4, 0.5), mean_cross_overlap(kWidth, 4, 0.5)});
}

/// P.a8, P.a7, I.6: K_0/d on and off the diagonal, x = 1, w = 200, d = 2, 4, 8.
Finding mean_entries(const Sampler& sampler) {
  Means measured{Vector(6), Vector(6)};
  Vector stated(6);
  std::size_t place = 0;
  for (const std::int64_t depth : {2, 4, 8}) {
    const Ensemble nets{.options = random_gates(depth, 200),
                        .x = std::vector<float>(48, 1.0F),
                        .networks = 60,
                        .seed = sampler.seed()};
    const Means means = means_of(over_networks(
        nets, 2,
        [depth](const kernel::Passage<float>& passage, std::span<double> out) {
          diagonal_and_off(passage.tangent(), static_cast<double>(depth), out);
        },
        sampler.workers()));
    measured.mean[std::slice(place, 2, 1)] = means.mean;
    measured.standard_error[std::slice(place, 2, 1)] = means.standard_error;
    stated[place] = 1;
    stated[place + 1] = mean_cross_entry(static_cast<double>(depth), 0.5);
    place += 2;
  }
  return sampled(measured, stated);
}

/// 1 on the diagonal, μ^(d−1) off it.
kernel::SampleMatrix<double> expected_matrix(std::int64_t samples, double depth) {
  kernel::SampleMatrix<double> matrix(samples);
  for (std::int64_t s = 0; s < samples; ++s) {
    for (std::int64_t t = 0; t < samples; ++t) matrix.at(s, t) = s == t ? 1 : mean_cross_entry(depth, 0.5);
  }
  return matrix;
}

/// P.5: its eigenvalues, n = 60, d = 4.
Finding expected_spectrum(const Sampler& /*sampler*/) {
  constexpr std::size_t kSize = 60;
  const EqualOverlapSpectrum closed = equal_overlap_spectrum(kSize, 4, 0.5);
  Vector stated(closed.low, kSize);
  stated[kSize - 1] = closed.top;
  return computed(vector_of(kernel::eigenvalues(expected_matrix(kSize, 4))), stated, 1e-12,
                  "exact, n = 60, d = 4");
}

/// P.a9: cumulative eigenvalues k(1−μ^(d−1)) of the expected matrix. Of networks of width 500 with 200 samples, d = 2, the
/// smallest lies at the edge of Marchenko and Pastur instead: within 15 %, of which 7 are the shift of a smallest eigenvalue of 200 (Tracy and
/// Widom's).
Finding cumulative_spectrum(const Sampler& sampler) {
  constexpr std::size_t kSize = 60;
  const EqualOverlapSpectrum closed = equal_overlap_spectrum(kSize, 4, 0.5);
  Vector stated(kSize);
  for (std::size_t k = 0; k < kSize; ++k)
    stated[k] = static_cast<double>(k + 1) * closed.low + (k + 1 == kSize ? closed.top - closed.low : 0);
  const Vector measured = vector_of(kernel::cumulative(kernel::eigenvalues(expected_matrix(kSize, 4))));
  const Ensemble nets{.options = random_gates(2, 500),
                      .x = std::vector<float>(200, 1.0F),
                      .networks = 6,
                      .seed = sampler.seed()};
  const std::vector<Vector> smallest = over_networks(
      nets, 1,
      [](const kernel::Passage<float>& passage, std::span<double> out) {
        const kernel::SampleMatrix<float> tangent = passage.tangent();
        kernel::SampleMatrix<double> half(tangent.n);
        std::ranges::transform(tangent.values, half.values.begin(),
                               [](float k) { return static_cast<double>(k) / 2; });
        out[0] = kernel::eigenvalues(half).front();
      },
      sampler.workers());
  const double edge = finite_width_edge(200, 500, 0.5);
  const Means found = means_of(smallest);
  const bool at_edge = std::abs(found.mean[0] / edge - 1) + 3 * found.standard_error[0] / edge < 0.15;
  return provided(
      at_edge,
      fmt::format(
          "the smallest eigenvalue at w = 500 is {:.4f} ± {:.4f}, not at the finite-width edge {:.4f}",
          found.mean[0], found.standard_error[0], edge),
      computed(measured, stated, 1e-11, "exact, n = 60, d = 4; edge at w = 500 sampled"));
}

net::DeepOptions galu(std::vector<std::int64_t> widths) {
  net::DeepOptions options;
  options.widths = std::move(widths);
  options.gates = "network";
  options.init.law = "normal";
  return options;
}

/// P.a10: λ_self is (w/2)^(d−1) in the mean, w = 2, d = 5. A row of gating weights with its sign turned turns the gate of its unit: all 2⁸
/// choices of signs of the rows of one gating network, whatever the weights, sum to it.
Finding galu_self_overlap(const Sampler& /*sampler*/) {
  constexpr std::int64_t kWidth = 2, kHidden = 4, kInputs = 3;
  SmallNetwork small(galu(std::vector<std::int64_t>(kHidden, kWidth)), kInputs, 1);
  const std::vector<double> drawn = small.parameters;
  double sum = 0;
  constexpr unsigned kRows = kWidth * kHidden;
  for (unsigned signs = 0; signs < 1U << kRows; ++signs) {
    small.parameters = drawn;
    for (unsigned row = 0; row < kRows; ++row) {
      const std::int64_t layer = 1 + row / kWidth;
      const std::int64_t fan_in = layer == 1 ? kInputs : kWidth;
      const std::size_t first =
          small.network().gate_weights(layer).offset + static_cast<std::size_t>(row % kWidth * fan_in);
      if ((signs >> row & 1U) == 0) continue;
      for (std::size_t i = 0; i < static_cast<std::size_t>(fan_in); ++i) small.parameters[first + i] *= -1;
    }
    sum += small.passage().overlap().at(0, 0) / (1U << kRows);
  }
  return computed({sum}, {mean_self_overlap(kWidth, kHidden + 1, 0.5)}, 1e-12,
                  "exact, all 2^8 signs of gating rows, w = 2, d = 5");
}

/// Two inputs at angle 1.1, d = 5.
constexpr double kAngle = 1.1;
constexpr std::int64_t kDeep = 5;
Ensemble galu_pair(const Sampler& sampler) {
  return {.options = galu(std::vector<std::int64_t>(kDeep - 1, 400)),
          .inputs = 2,
          .x = {1, 0, static_cast<float>(std::cos(kAngle)), static_cast<float>(std::sin(kAngle))},
          .networks = 120,
          .seed = sampler.seed()};
}

/// Π(1−θ_l/π) by quadrature, layer by layer: units of an infinite layer see two normal variables at angle θ; both gates are open for a share of
/// them, and what they send on has the next angle.
double integrated_overlap(double angle, std::int64_t depth) {
  double product = 1;
  for (std::int64_t layer = 1; layer < depth; ++layer) {
    const NormalPair law{1, std::cos(angle), 1};
    product *= 2 * normal_mean(law, [](double s, double t) { return gate(s) * gate(t); });
    angle = std::acos(2 * normal_mean(law, [](double s, double t) { return relu(s) * relu(t); }));
  }
  return product;
}

/// I.8: λ_cross/λ_self tends to the recursion: networks of width 400, and the limit by quadrature.
Finding galu_cross_overlap(const Sampler& sampler) {
  const std::vector<Vector> rows = over_networks(
      galu_pair(sampler), 1,
      [](const kernel::Passage<float>& passage, std::span<double> out) {
        const kernel::SampleMatrix<float> overlap = passage.overlap();
        out[0] = static_cast<double>(overlap.at(0, 1)) / static_cast<double>(overlap.at(0, 0));
      },
      sampler.workers());
  const Vector stated{gate_overlap(kAngle, kDeep)};
  return twice(sampled(means_of(rows), stated),
               computed({integrated_overlap(kAngle, kDeep)}, stated, 1e-9, "quadrature, layer by layer"));
}

/// P.a11: the bound η^(d−1), η the largest share of open gates that a layer has in common: how much room it leaves (it is attained where
/// all layers share alike), and the limit I.8. λ counts paths, Σ_p A_s A_t, one by one.
Finding bound_of_galu_cross_overlap(const Sampler& sampler) {
  constexpr std::size_t kUnits = 10;
  SmallNetwork small(galu({kUnits, kUnits, kUnits}), 2, 2);
  const kernel::Passage<double> passage = small.passage();
  const kernel::Paths paths(passage, small.parameters);
  double self = 0, cross = 0;
  for (std::size_t p = 0; p < paths.size(); ++p) {
    if (paths.unit(p, 0) != 0) continue;
    self += paths.activity(0, p) * paths.activity(0, p);
    cross += paths.activity(0, p) * paths.activity(1, p);
  }
  double eta = 0;
  for (std::size_t layer = 1; layer <= 3; ++layer) {
    double own = 0, shared = 0;
    for (std::size_t i = 0; i < kUnits; ++i) {
      own += kernel::gate_of(passage, 0, layer, i);
      shared += kernel::gate_of(passage, 0, layer, i) * kernel::gate_of(passage, 1, layer, i);
    }
    eta = std::max(eta, shared / own);
  }
  const double bound = std::pow(eta, 3);
  return provided(
      eta < 1 && cross > 0 && cross / self <= bound && cross / self > 0.1 * bound,
      fmt::format("not below η^(d−1), or far below it: {} of {}, η = {}", cross / self, bound, eta),
      galu_cross_overlap(sampler));
}

constexpr Claim kClaims[] = {
    {"P.a7", "σ = √(1/(μw)) keeps the signal: E K_0/d = ⟨x,x⟩ at every depth", "004, §2", Verdict::holds,
     mean_entries},
    {"P.L2.4", "E λ_self = (μw)^(d−1), E λ_cross = (μ²w)^(d−1)", "004, lemma 2.4", Verdict::holds,
     mean_overlaps},
    {"P.a8", "E K_0/d = ⟨x_s,x_s⟩ on, μ^(d−1)⟨x_s,x_t⟩ off the diagonal", "004, §2", Verdict::holds,
     mean_entries},
    {"P.5", "experiment 1: eigenvalues 1−μ^(d−1) (n−1 times) and 1+(n−1)μ^(d−1)", "004, eq. (5)",
     Verdict::holds, expected_spectrum},
    {"P.a9",
     "cumulative spectrum k(1−μ^(d−1)) of the expected matrix; at width w the lower edge is far below",
     "004, §2", Verdict::holds, cumulative_spectrum},
    {"P.a10", "GaLU: E λ_self = (w/2)^(d−1), Gaussian gating weights", "004, §2", Verdict::holds,
     galu_self_overlap},
    {"P.a11", "λ_cross/λ_self ≤ η^(d−1); for w → ∞ Π(1−θ_l/π)", "004, §2", Verdict::holds,
     bound_of_galu_cross_overlap},
    {"P.L7.4", "lemma 2.4 again", "004, lemma 7.4", Verdict::holds, mean_overlaps},
    {"I.6", "random gates, σ² = 1/(μw): E K/d = ⟨x_s,x_s⟩, off the diagonal μ^(d−1)⟨x_s,x_t⟩", "sheet I",
     Verdict::holds, mean_entries},
    {"I.8", "GaLU overlap, w → ∞: Π_(l=0..d−2)(1−θ_l/π), cos θ_(l+1) = (sin θ_l + (π−θ_l) cos θ_l)/π",
     "sheet I", Verdict::holds, galu_cross_overlap},
};

}  // namespace
}  // namespace of_deep_random_gates

std::span<const Claim> deep_random_gates() { return of_deep_random_gates::kClaims; }

}  // namespace sluice::theory::claims
