/// Gates that see one site, 1(x_i ≥ 0), on nlgp data: document 000 §4.2 and document 003; half-spaces on Gaussian data. Expectations are
/// averaged over all shifts of the ring, which cost time and save samples.
#include <algorithm>
#include <array>
#include <boost/math/special_functions/erf.hpp>
#include <numbers>

#include "sluice/flow/bumps.hpp"
#include "sluice/flow/half_spaces.hpp"
#include "sluice/spec/document.hpp"
#include "sluice/task/nlgp.hpp"
#include "sluice/theory/bump_gates.hpp"
#include "sluice/theory/claims/normal_mean.hpp"
#include "sluice/theory/claims/tables.hpp"
#include "sluice/theory/evidence.hpp"
#include "sluice/theory/fourier.hpp"
#include "sluice/theory/respond.hpp"
#include "sluice/theory/trained_unit.hpp"

namespace sluice::theory::claims {
namespace of_bump_gates {
namespace {

constexpr double kPi = std::numbers::pi;
using Row = std::span<const double>;
using Out = std::span<double>;

constexpr std::size_t n = 20;
constexpr double kXi = 2;
constexpr double kGain = 3;
constexpr std::size_t kDistances = 5;  // farther sites are as good as independent

Data nlgp(double gain = kGain) { return nlgp_data(n, kXi, 1, gain); }
double r(std::size_t d) { return latent_covariance(n, kXi).row[d]; }
double target(Label label) { return label == Label::one ? 1 : 0; }

/// Σ^yx(p_i) at the distances 0, 1, …: arcsin(√q r)/(2π√Z_g).
Vector stated_response(double gain) {
  Vector b(kDistances);
  for (std::size_t d = 0; d < kDistances; ++d)
    b[d] = std::asin(std::sqrt(task::nlgp_q(gain)) * r(d)) / (2 * kPi * std::sqrt(task::nlgp_variance(gain)));
  return b;
}
/// arctan(r/√(1/(2g²) + 1 − r²)), the angle of N0.66.
double angle(double gain, double rho) {
  return std::atan(rho / std::sqrt(1 / (2 * gain * gain) + 1 - rho * rho));
}

/// The mean over i of 1(x_i > 0) h(x_(i+d)), h odd, and of the same at −x: X ~ −X.
template <class H>
void gated_mean(Row x, Out out, const H& h) {
  for (std::size_t d = 0; d < out.size(); ++d) {
    out[d] = 0;
    for (std::size_t i = 0; i < n; ++i) out[d] += (gate(x[i]) - 0.5) * h(x[(i + d) % n]) / n;
  }
}

/// E[g_i Y X_(i+d)], sampled.
Means sampled_covariance(const Sampler& sampler, double gain, const Vector& stated) {
  const Statistic statistic = with_length(
      [](Row x, Out out) { gated_mean(x, out, [](double value) { return value; }); }, 2.0 * stated);
  return 0.5 * sampler.mean(nlgp(gain), Label::one, kDistances + 1, statistic);
}

// ---- the input-output covariance -------------------------------------------------------------------------------------

/// N0.60: only the samples with Y = 1 count, and they are half of all.
Finding half_of_the_response(const Sampler& sampler) {
  const Vector stated = stated_response(kGain);
  const Means mixture = sampler.mixture_mean(nlgp(), kDistances, [](Label label, Row x, Out out) {
    gated_mean(x, out, [label](double value) { return target(label) * value; });
  });
  return sampled(mixture, stated);
}

/// N0.61: from the latent Gaussian; 𝒵(g) is a standard deviation.
Finding response_of_the_latent(const Sampler& sampler) {
  const Vector stated = stated_response(kGain);
  const double deviation = std::sqrt(task::nlgp_variance(kGain));
  const Statistic statistic = with_length(
      [deviation](Row z, Out out) {
        gated_mean(z, out, [deviation](double value) { return std::erf(kGain * value) / deviation; });
      },
      2.0 * stated);
  return sampled(0.5 * sampler.mean(gaussian_data(n, kXi, 1), Label::one, kDistances + 1, statistic),
                 with_length(stated));
}

/// N0.62: Z_j = rZ_i + √(1−r²)ε with ε independent of Z_i: the mean, the variance, and the variance where Z_i is large.
Finding conditional_law(const Sampler& sampler) {
  constexpr std::size_t d = 2;
  const double rho = r(d), variance = 1 - rho * rho;
  const Means measured = sampler.mean(gaussian_data(n, kXi, 1), Label::one, 3, [rho](Row z, Out out) {
    std::ranges::fill(out, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      const double rest = z[(i + d) % n] - rho * z[i];
      out[0] += rest * z[i] / n;
      out[1] += rest * rest / n;
      out[2] += rest * rest * z[i] * z[i] / n;
    }
  });
  return sampled(measured, {0, variance, variance});
}

/// N0.63
Finding conditional_mean(const Sampler& /*sampler*/) {
  std::vector<double> integrated, stated;
  for (const double gain : {0.5, 3.0}) {
    for (const double rho : {0.3, 0.9}) {
      for (const double z : {-1.5, 0.4, 2.0}) {
        const double width = std::sqrt(1 - rho * rho);
        integrated.push_back(normal_mean([&](double e) { return std::erf(gain * (rho * z + width * e)); }));
        stated.push_back(std::erf(gain * rho * z / std::sqrt(1 + 2 * gain * gain * width * width)));
      }
    }
  }
  return computed(vector_of(integrated), vector_of(stated), 1e-12, "quadrature");
}

/// N0.64: the outer mean, by sampling Z_i.
Finding outer_mean(const Sampler& sampler) {
  const double slope = kGain * r(1) / std::sqrt(1 + 2 * kGain * kGain * (1 - r(1) * r(1)));
  const double integrated = normal_mean([&](double z) { return z > 0 ? std::erf(slope * z) : 0; });
  const Means measured = finer(sampler).mean(gaussian_data(n, kXi, 1), Label::one, 1, [](Row z, Out out) {
    out[0] = 0;
    for (std::size_t i = 0; i < n; ++i) out[0] += (gate(z[i]) - 0.5) * std::erf(kGain * z[(i + 1) % n]) / n;
  });
  return sampled(measured, {integrated});
}

/// N0.65, N0.66: ∫₀^∞ φ(z) erf(az) dz = arctan(√2 a)/π, printed 2√π times that; = arcsin(√q r)/π.
Finding integral_of_erf(const Sampler& /*sampler*/) {
  const Vector slopes{0.2, 1, 5};
  Vector integrated(slopes.size()), stated(slopes.size());
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    integrated[i] = normal_mean([a = slopes[i]](double z) { return std::abs(std::erf(a * z)) / 2; });
    stated[i] = std::atan(std::numbers::sqrt2 * slopes[i]) / kPi;
  }
  return computed(integrated, stated, 2 * std::sqrt(kPi) * stated, 1e-10, "quadrature");
}
Finding rewritten_integral(const Sampler& /*sampler*/) {
  const Vector rhos{0.1, 0.6, 0.95};
  Vector integrated(rhos.size()), stated(rhos.size()), shorter(rhos.size());
  for (std::size_t i = 0; i < rhos.size(); ++i) {
    const double slope = kGain * rhos[i] / std::sqrt(1 + 2 * kGain * kGain * (1 - rhos[i] * rhos[i]));
    integrated[i] = normal_mean([slope](double z) { return std::abs(std::erf(slope * z)) / 2; });
    stated[i] = angle(kGain, rhos[i]) / kPi;
    shorter[i] = std::asin(std::sqrt(task::nlgp_q(kGain)) * rhos[i]) / kPi;
  }
  return both(computed(integrated, stated, 2 * std::sqrt(kPi) * stated, 1e-10, "quadrature"),
              computed(stated, shorter, 1e-13, "exact"));
}

/// N0.67: as printed 2√π times too large. N3.7: as printed without ½ and 1/√Z_g.
Finding bump_covariance(const Sampler& sampler, double gain, const Vector& printed) {
  const Vector stated = stated_response(gain);
  return sampled(sampled_covariance(sampler, gain, stated), with_length(stated),
                 with_length(printed, stated));
}
Finding bump_response(const Sampler& sampler) {
  return bump_covariance(sampler, kGain, 2 * std::sqrt(kPi) * stated_response(kGain));
}
Finding bump_response_003(const Sampler& sampler) {
  const auto printed = [](double gain) {
    Vector b(kDistances);
    for (std::size_t d = 0; d < kDistances; ++d) b[d] = std::abs(angle(gain, r(d))) / kPi;
    return b;
  };
  return both(bump_covariance(sampler, kGain, printed(kGain)), bump_covariance(sampler, 0.7, printed(0.7)));
}

/// N0.c15: signs of X_i ± X_j are those of Z_i ± Z_j, because x is odd and monotone in z; those of X_i + ½X_j are not.
Finding signs_of_sums(const Sampler& sampler) {
  constexpr double kSmall = 0.7;  // where x can be turned back into z
  const double deviation = std::sqrt(task::nlgp_variance(kSmall));
  const Means same = sampler.mean(nlgp(kSmall), Label::one, 4, [deviation](Row x, Out out) {
    constexpr std::array<double, 4> kFactors{0, 1, -1, 0.5};
    std::array<double, 2> z{};
    for (std::size_t i = 0; i < 2; ++i) {
      const double value = std::clamp(x[3 * i] * deviation, -1 + 1e-9, 1 - 1e-9);
      z[i] = boost::math::erf_inv(value) / kSmall;
    }
    for (std::size_t f = 0; f < kFactors.size(); ++f) {
      const double of_x = x[0] + kFactors[f] * x[3], of_z = z[0] + kFactors[f] * z[1];
      out[f] = std::abs(of_z) < 1e-4 || (of_x > 0) == (of_z > 0) ? 1 : 0;  // float data: no ties
    }
  });
  return provided(same.mean[3] < 0.999, "X_i + ½X_j has the sign of Z_i + ½Z_j too",
                  computed(Vector(same.mean[std::slice(0, 3, 1)]), {1, 1, 1}, 1e-12, "every sample"));
}

// ---- the input-input covariance --------------------------------------------------------------------------------------

/// Sites k ≤ l in order, relative to the gate's.
std::vector<std::pair<std::size_t, std::size_t>> pairs(std::size_t sites) {
  std::vector<std::pair<std::size_t, std::size_t>> all;
  for (std::size_t k = 0; k < sites; ++k)
    for (std::size_t l = k; l < sites; ++l) all.emplace_back(k, l);
  return all;
}

/// E[1(x_i ≥ 0) x_(i+k) x_(i+l)] of one class.
Means sampled_block(const Sampler& sampler, const Data& data, Label label, std::size_t sites,
                    const Vector& stated) {
  const Statistic statistic = with_length(
      [places = pairs(sites)](Row x, Out out) {
        std::ranges::fill(out, 0.0);
        for (std::size_t i = 0; i < n; ++i) {
          if (x[i] < 0) continue;
          const double share = gate(x[i]) / n;
          for (std::size_t p = 0; p < out.size(); ++p)
            out[p] += share * x[(i + places[p].first) % n] * x[(i + places[p].second) % n];
        }
      },
      stated);
  return sampler.mean(data, label, stated.size() + 1, statistic);
}

/// N3.8, N0.c17: E[1(x_i ≥ 0) x x'] = ½C of each class, so ¼(C₀+C₁) of both.
Finding half_of_the_covariance(const Sampler& sampler) {
  const Data data = nlgp();
  const Ring latent = latent_covariance(n, kXi);
  constexpr std::size_t kSites = 4;
  std::vector<double> stated, printed;
  for (const auto& [k, l] : pairs(kSites)) {
    stated.push_back((data.one(k, l) + data.zero(k, l)) / 4);
    const bool defined = k > 0 && l > k;  // not where ρ_ik = 1 or σ² = 0
    printed.push_back(defined ? printed_gate_covariance(latent, kGain, 0, k, l) : stated.back());
  }
  const auto block = [&](Label label) {
    return sampled_block(sampler, data, label, kSites, vector_of(stated));
  };
  return sampled(0.5 * (block(Label::one) + block(Label::zero)), with_length(vector_of(stated)),
                 with_length(vector_of(printed)));
}

/// N0.c17: the row of (C₀+C₁)⁻¹ at n = 40, ξ = (2,1), g = 3, from sampled covariances; the ledger's digits.
Finding differences_of_neighbours(const Sampler& sampler) {
  constexpr std::size_t sites = 40;
  const Data data = nlgp_data(sites, 2, 1, kGain);
  const Means block = sampler.mixture_mean(data, sites / 2 + 1, [](Label, Row x, Out out) {
    for (std::size_t d = 0; d < out.size(); ++d) {
      out[d] = 0;
      for (std::size_t i = 0; i < sites; ++i) out[d] += x[i] * x[(i + d) % sites] / (2.0 * sites);
    }
  });
  Vector stated(block.mean.size());
  for (std::size_t d = 0; d < stated.size(); ++d) stated[d] = (data.one.row[d] + data.zero.row[d]) / 4;
  const Ring whole = inverse(data.one + data.zero);
  const Vector row = whole.row[std::slice(0, 4, 1)];
  return both(sampled(block, stated),
              computed(row, {0.841, -0.380, 0.075, -0.012}, 5e-4, "printed digits of the ledger"));
}

/// N3.c1
Finding opposite_gates(const Sampler& sampler) {
  return sampled_zero(sampler.mean(nlgp(), Label::one, 3,
                                   [](Row x, Out out) {
                                     for (std::size_t k = 0; k < 3; ++k)
                                       out[k] = gate(x[0]) * gate(-x[0]) * x[k] * x[k];  // ¼ at a tie
                                   }),
                      Vector(0.5, 3));  // of each gate alone
}

/// N3.9, N3.10, N3.12, N3.13: Z_l given Z_i and Z_k, for the sites 0, 2, 3. The regression coefficients are measured as
/// Σ⁻¹E[(Z_i,Z_k)'Z_l] with the 2 × 2 covariance Σ of the regressors.
struct Regression {
  double ik = r(2), il = r(3), kl = r(1);
  double open() const { return 1 - ik * ik; }
  double on_i() const { return (il - kl * ik) / open(); }
  double on_k() const { return (kl - il * ik) / open(); }
};
Means sampled_regression(const Sampler& sampler) {
  const Regression at;
  return finer(sampler).mean(gaussian_data(n, kXi, 1), Label::one, 3, [at](Row z, Out out) {
    std::ranges::fill(out, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      const double first = z[i], second = z[(i + 2) % n], third = z[(i + 3) % n];
      out[0] += (first - at.ik * second) * third / at.open() / n;
      out[1] += (second - at.ik * first) * third / at.open() / n;
      out[2] += std::pow(third - at.on_i() * first - at.on_k() * second, 2) / n;
    }
  });
}
Finding regression_coefficients(const Sampler& sampler) {
  const Regression at;
  const Means all = sampled_regression(sampler);
  const Means two{all.mean[std::slice(0, 2, 1)], all.standard_error[std::slice(0, 2, 1)]};
  return sampled(two, {at.on_i(), at.on_k()}, {at.on_k(), at.on_i()});
}
Finding conditional_variance(const Sampler& sampler) {
  const Regression at;
  const Means all = sampled_regression(sampler);
  const double as_12 = 1 - (at.il * at.il - 2 * at.ik * at.il * at.kl + at.kl * at.kl) / at.open();
  const double as_13 =
      (1 - at.ik * at.ik - at.il * at.il - at.kl * at.kl + 2 * at.ik * at.il * at.kl) / at.open();
  return both(sampled({{all.mean[2]}, {all.standard_error[2]}}, {as_12}),
              computed({as_12}, {as_13}, 1e-14, "exact"));
}

/// N3.c2, F.4: gates at the sites 0 and 3, all pairs of the first six sites.
Finding two_bump_gates(const Sampler& sampler) {
  constexpr std::size_t kSites = 6, kOther = 3;
  const Ring latent = latent_covariance(n, kXi);
  Finding finding;
  for (const double gain : {kGain, kSigns, 0.5, 0.0}) {  // 0: Gaussian data
    Vector stated(pairs(kSites).size());
    std::size_t at = 0;
    for (const auto& [k, l] : pairs(kSites)) stated[at++] = two_gate_moment(latent, gain, 0, kOther, k, l);
    const Statistic statistic = with_length(
        [places = pairs(kSites)](Row x, Out out) {
          std::ranges::fill(out, 0.0);
          for (std::size_t i = 0; i < n; ++i) {
            if ((x[i] < 0) != (x[(i + kOther) % n] < 0)) continue;  // open at x or at −x
            for (std::size_t p = 0; p < out.size(); ++p)
              out[p] += x[(i + places[p].first) % n] * x[(i + places[p].second) % n] / (2 * n);
          }
        },
        stated);
    const Finding each = sampled(sampler.mean(gain == 0 ? gaussian_data(n, kXi, 1) : nlgp(gain), Label::one,
                                              stated.size() + 1, statistic),
                                 with_length(stated));
    finding = gain == kGain ? each : both(finding, each);
  }
  return finding;
}

/// F.5: two random half-spaces, by the code that `dynamics.moments = "closed"` uses; Gaussian and Student's t.
Finding two_half_spaces(const Sampler& sampler) {
  constexpr std::size_t sites = 8;
  const Vector u = trial_weights(sites, 1), v = trial_weights(sites, 2);
  const auto of = [&](const std::string& kind) {
    task::Section section;
    spec::Document::from_text("kind = \"" + kind + "\"\nn = 8\nxi = [1.6, 0.8]", "claim F.5")
        .read([&](spec::Keys& keys) { section.describe(keys); });
    const Data data = data_of(section.make());
    const auto closed = flow::closed_half_spaces(section, *data.task, 0);
    std::vector<double> first(sites), second(sites * sites);
    closed->first(view(u), first);
    closed->second(view(u), view(v), second);
    Vector stated(sites + sites * sites);
    for (std::size_t i = 0; i < stated.size(); ++i) stated[i] = i < sites ? first[i] : second[i - sites];
    const Statistic statistic = with_length(
        [&](Row x, Out out) {
          std::ranges::fill(out, 0.0);
          std::array<double, sites> turned{};
          for (std::size_t shift = 0; shift < sites; ++shift) {  // x shifted has the law of x
            for (std::size_t i = 0; i < sites; ++i) turned[i] = x[(i + shift) % sites];
            const double at_u = dot(view(u), turned), at_v = dot(view(v), turned);
            const double open = (gate(at_u) - 0.5) / sites;  // at x and at −x
            const double both_open = (at_u >= 0) == (at_v >= 0) ? 0.5 / sites : 0;
            for (std::size_t i = 0; i < sites; ++i) {
              out[i] += open * turned[i];
              for (std::size_t j = 0; j < sites; ++j)
                out[sites + i * sites + j] += both_open * turned[i] * turned[j];
            }
          }
        },
        stated);
    return sampled(finer(sampler).mean(data, Label::one, stated.size() + 1, statistic), with_length(stated));
  };
  return both(of("gaussian"), of("student-t"));
}

// ---- where the weights go --------------------------------------------------------------------------------------------

/// Σ_k g_k ⟨w_k,x⟩ of the gate 1(x_i ≥ 0) with weights `first`, and of its opposite with `second`, around site i.
double gated_output(Row x, std::size_t i, const Vector& first, const Vector& second) {
  const Vector& w = x[i] >= 0 ? first : second;
  double sum = 0;
  for (std::size_t j = 0; j < n; ++j) sum += w[j] * x[(i + j) % n];
  return sum;
}

/// f = f(e_0), with (C₀+C₁) and its inverse: what F.3 and N3.c3 are made of.
struct OneSite {
  Data data = nlgp();
  Ring sum = data.one + data.zero;
  Vector f = respond(flow::BumpResponse(math::ring_kernel(n, kXi), kGain), unit(n, 0));
  Vector solved = inverse(sum) * f;
  double gained() const { return dot(f, solved); }
};

/// E[(Y − ŷ) g_1 X] and L at given weights of the pair, or of one gate alone (K = 1), averaged over the gate's site.
Means sampled_rest(const Sampler& sampler, const Data& data, const Vector& first, const Vector& second,
                   double units) {
  return sampler.mixture_mean(data, n + 1, [&](Label label, Row x, Out out) {
    std::ranges::fill(out, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      const double error = target(label) - gated_output(x, i, first, second) / units;
      out[n] += error * error / 2 / n;
      if (x[i] < 0) continue;
      for (std::size_t j = 0; j < n; ++j) out[j] += error * x[(i + j) % n] / n;
    }
  });
}
/// The rest of the slope beside b: what least squares would see of Σ^yx, and the loss.
Finding at_rest(const Means& rest, const Vector& b, double loss) {
  Vector stated(n + 1);
  stated[std::slice(0, n, 1)] = b;
  stated[n] = loss;
  Means measured = rest;
  for (std::size_t j = 0; j < n; ++j) measured.mean[j] += b[j];
  return sampled(measured, stated);
}

/// F.3: one gate.
Finding one_gate(const Sampler& sampler) {
  const OneSite at;
  const Vector w = 2.0 * at.solved;
  return at_rest(sampled_rest(sampler, at.data, w, Vector(n), 1), 0.5 * at.f, 0.25 - at.gained() / 2);
}
/// N3.c3, F.3: the pair at its end, W_1 = −W_2 = 4(C₀+C₁)⁻¹f; and on the way at t = 8, where every wave of the ring follows its own
/// exponential: the slope of the stated way against the sampled one.
Finding pair_of_gates(const Sampler& sampler) {
  const OneSite at;
  const Vector end = 4.0 * at.solved;
  constexpr double kTime = 8;
  const Vector way =
      end - function_of(at.sum, [](double lambda) { return std::exp(-lambda * kTime / 16); }) * end;
  const Vector slope =
      function_of(at.sum, [](double lambda) { return lambda / 16 * std::exp(-lambda * kTime / 16); }) * end;
  const Means rest = sampled_rest(sampler, at.data, way, -way, 2);
  const Means moving{0.5 * rest.mean[std::slice(0, n, 1)], 0.5 * rest.standard_error[std::slice(0, n, 1)]};
  return both(at_rest(sampled_rest(sampler, at.data, end, -end, 2), 0.5 * at.f, 0.25 - at.gained()),
              sampled(moving, slope));
}

/// N3.4: at weights of the pair that are not opposite. Printed without the ½ of ŷ.
Finding pair_flow(const Sampler& sampler) {
  const OneSite at;
  const Vector first = 0.3 * trial_weights(n, 7), second = 0.3 * trial_weights(n, 8);
  const Means rest = sampled_rest(sampler, at.data, first, second, 2);
  const Means measured{0.5 * rest.mean[std::slice(0, n, 1)], 0.5 * rest.standard_error[std::slice(0, n, 1)]};
  const Vector decay = 0.25 * (at.sum * first);  // W_1 Σ^xx(p_1,p_1)
  return sampled(measured, 0.5 * (0.5 * at.f - 0.5 * decay), 0.5 * (0.5 * at.f - decay));
}

/// N0.c18: w(∞) = 2K(C₀+C₁)⁻¹f is least squares on samples (F.3) and has the shape of the trained neuron; but the same gate localizes
/// Gaussian data as well (IPR 0.41 at g = 0, 0.76 at 3, 0.82 at ∞: the ledger's digits), so the gate explains it, not Σ^xx.
Finding bump_explains(const Sampler& sampler) {
  const auto solution = [](double gain) { return bump_solution(40, 2, 1, gain).weights; };
  task::NlgpOptions options;
  const Vector trained = trained_field(options);
  const Vector stated = solution(3);
  double cosine = 0;
  for (int shift = 0; shift < 40; ++shift)
    cosine = std::max(cosine, dot(Vector(stated.cshift(shift)), trained) / norm(stated) / norm(trained));
  return provided(
      cosine > 0.98, "the trained neuron has another shape",
      both(one_gate(sampler),
           computed({participation(solution(0)), participation(solution(3)), participation(solution(kSigns))},
                    {0.41, 0.76, 0.82}, 5e-3, "printed digits of the ledger")));
}

const Claim kClaims[] = {
    {"N0.59", "Σ^yx(p_i) = E[g_i Y X]", "000, eq. (59)", Verdict::definition, nullptr},
    {"N0.60", "= P(Y=1) E₁[1(X_i>0)X]", "000, eq. (60)", Verdict::holds, half_of_the_response},
    {"N0.61", "= ½E[1(Z_i>0) erf(gZ)]/√Z_g: the normaliser is a standard deviation", "000, eq. (61)",
     Verdict::holds, response_of_the_latent},
    {"N0.62", "Z_j | Z_i ~ N(rZ_i, 1 − r²), r by the distance on the ring", "000, eq. (62)", Verdict::holds,
     conditional_law},
    {"N0.63", "E[erf(gZ_j) | Z_i = z] = erf(grz/√(1+2g²(1−r²)))", "000, eq. (63)", Verdict::holds,
     conditional_mean},
    {"N0.64", "E[1(Z_i>0) erf(gZ_j)] = ∫₀^∞ φ(z) erf(az) dz", "000, eq. (64)", Verdict::holds, outer_mean},
    {"N0.65", "= arctan(√2 a)/π; printed 2√π times that", "000, eq. (65)", Verdict::holds_up_to_a_constant,
     integral_of_erf},
    {"N0.66", "= arctan(r/√(1/(2g²)+1−r²))/π = arcsin(√q r)/π; printed 2√π times that", "000, eq. (66)",
     Verdict::holds_up_to_a_constant, rewritten_integral},
    {"N0.67", "Σ^yx(p_i)_j = arcsin(√q r_ij)/(2π√Z_g); printed 2√π times that", "000, eq. (67)",
     Verdict::holds_up_to_a_constant, bump_response},
    {"N0.c15", "X_i>0 ⟺ Z_i>0, and X_i ± X_j > 0 ⟺ Z_i ± Z_j > 0; printed: for no other inner product",
     "000, §4.2", Verdict::corrected, signs_of_sums},
    {"N0.c17", "for the small-bump gate (Σ^xx)⁻¹ = 4(C₀+C₁)⁻¹ takes differences of neighbours", "000, §4.2",
     Verdict::holds, differences_of_neighbours},
    {"N0.c18",
     "w(∞) = 2K(C₀+C₁)⁻¹f(e_i) has the trained neuron's shape; it is localized on Gaussian data too: the "
     "gate "
     "explains it",
     "000, §4.2", Verdict::holds, bump_explains},
    {"N0.c19",
     "can one predict where localization occurs: to one site for 86.5 ± 2.4 % of 200 units "
     "(docs/theory/prediction.md); sections 5 "
     "and 6: docs/findings.md",
     "000, §3.2, §5, §6", Verdict::measured, nullptr},
    {"N3.1", "ŷ = ½(g_1W_1 + g_2W_2)x", "003, eq. (1)", Verdict::definition, nullptr},
    {"N3.2", "g_1 = 1(x_i ≥ 0)", "003, eq. (2)", Verdict::definition, nullptr},
    {"N3.3", "g_2 = 1(−x_i ≥ 0)", "003, eq. (3)", Verdict::definition, nullptr},
    {"N3.4", "τ dW_1/dt = ½[Σ^yx − ½W_1Σ^xx_11 − ½W_2Σ^xx_12]; printed without the ½ of the W terms",
     "003, eq. (4)", Verdict::corrected, pair_flow},
    {"N3.5", "Σ^yx(p) = E[g_p y x']", "003, eq. (5)", Verdict::definition, nullptr},
    {"N3.6", "Σ^xx(p,q) = E[g_p g_q x x']", "003, eq. (6)", Verdict::definition, nullptr},
    {"N3.7", "Σ^yx(p_1)_k = arcsin(√q ρ_ik)/(2π√Z_g); printed without ½ and √Z_g", "003, eq. (7)",
     Verdict::holds_up_to_a_constant, bump_response_003},
    {"N3.8",
     "Σ^xx(p_1,p_1) = ¼(C₀+C₁), C_kl = arcsin(qρ_kl)/arcsin q; printed: an arctan that is not symmetric",
     "003, eq. (8)", Verdict::corrected, half_of_the_covariance},
    {"N3.9", "a_i/c = (ρ_il − ρ_klρ_ik)/(1−ρ_ik²), the coefficient of Z_i; printed with a_k's",
     "003, eq. (9)", Verdict::corrected, regression_coefficients},
    {"N3.10", "a_k/c = (ρ_kl − ρ_ilρ_ik)/(1−ρ_ik²), the coefficient of Z_k; printed with a_i's",
     "003, eq. (10)", Verdict::corrected, regression_coefficients},
    {"N3.11", "c = g/√(1+2g²σ²)", "003, eq. (11)", Verdict::definition, nullptr},
    {"N3.12", "σ² = 1 − (ρ_il² − 2ρ_ikρ_ilρ_kl + ρ_kl²)/(1−ρ_ik²), the variance of Z_l given Z_i, Z_k",
     "003, eq. (12)", Verdict::holds, conditional_variance},
    {"N3.13", "= (1 − ρ_ik² − ρ_il² − ρ_kl² + 2ρ_ikρ_ilρ_kl)/(1−ρ_ik²)", "003, eq. (13)", Verdict::holds,
     conditional_variance},
    {"N3.c1", "Σ^xx(p_1,p_2) = 0", "003, §2", Verdict::holds, opposite_gates},
    {"N3.c2",
     "gates at two sites: E[1(x_i≥0)1(x_j≥0)x_kx_l] = ¼(C_kl + M4(R)/Z_g); the note does not have it",
     "003, §2", Verdict::corrected, two_bump_gates},
    {"N3.c3",
     "the equations are decoupled: every wave of W_1 relaxes at (λ0+λ1)/(16τ) to 4f̂/(λ0+λ1), W_2 = −W_1, "
     "L_∞ = ¼ − f'(C₀+C₁)⁻¹f",
     "003, last line", Verdict::corrected, pair_of_gates},
    {"F.3", "one small-bump gate: w(∞) = 2(C₀+C₁)⁻¹f, L_∞ = ¼ − ½f'(C₀+C₁)⁻¹f; a ± pair: N3.c3", "sheet F",
     Verdict::holds, one_gate},
    {"F.4", "two small-bump gates: ¼(C_kl + M4(R)/Z_g), any gain", "sheet F", Verdict::holds, two_bump_gates},
    {"F.5",
     "half-spaces, elliptical data: [¼ + arcsin γ/2π]Σ + [(Σuv'Σ + Σvu'Σ)/√(ρ_uuρ_vv) − γ(Σuu'Σ/ρ_uu + "
     "Σvv'Σ/ρ_vv)]/(2π√(1−γ²))",
     "sheet F", Verdict::holds, two_half_spaces},
};

}  // namespace
}  // namespace of_bump_gates

std::span<const Claim> bump_gates() { return of_bump_gates::kClaims; }

}  // namespace sluice::theory::claims
