/// Document 004, section 4: circular convolutions with global average pooling.
#include <algorithm>

#include "sluice/kernel/bundles.hpp"
#include "sluice/theory/claims/small_network.hpp"
#include "sluice/theory/claims/tables.hpp"
#include "sluice/theory/evidence.hpp"

namespace sluice::theory::claims {
namespace of_deep_convolution {
namespace {

constexpr double kSigma = 0.8;
const std::string kEnumerated = "exact, all 2^6 kernels";

/// Three convolutions of kernel 2.
net::DeepOptions convolutions(const std::string& gates, double beta = kHard) {
  net::DeepOptions options = small_options({}, gates, beta, 0);
  options.depth = 4;
  options.layers = "circular";
  options.kernel = 2;
  return options;
}

/// E[z_s(i) z_t(i)] of samples 0 and 1 at every site of the last convolution, over all kernels.
Vector site_correlations(SmallNetwork& small) {
  const auto sites = static_cast<std::size_t>(small.network().inputs());
  return small.mean_over_weights(
      kSigma, sites + 1, [&](const kernel::Passage<double>& passage, std::span<double> out) {
        const net::Trace<double>& trace = passage.blocks().front();
        const math::Aligned<double>& z = trace.layers[3].z;
        out[sites] = 0;
        for (std::size_t i = 0; i < sites; ++i) {
          const double* lanes = z.data() + i * static_cast<std::size_t>(trace.stride);
          out[i] = lanes[0] * lanes[1];
          out[sites] += out[i];
        }
      });
}

/// P.a15, P.7: three sites, all gates open: −11σ⁶ at the first, −8.5σ⁶ at the others; their sum is that of the product.
Finding sites_differ(const Sampler& /*sampler*/) {
  SmallNetwork small(convolutions("open"), 3, 2);
  small.x = {1, 2, -1, 0.5, -1, 2};
  const Vector mean = site_correlations(small);
  const double six = std::pow(kSigma, 6);
  return computed({mean[0], mean[1]}, {-11 * six, -8.5 * six}, {-11 * six, -11 * six}, 1e-12, kEnumerated);
}
Finding sites_add_up(const Sampler& /*sampler*/) {
  SmallNetwork small(convolutions("network", 2), 5, 2);
  const Vector mean = site_correlations(small);
  const double sum = mean[0] + mean[1] + mean[2] + mean[3] + mean[4];
  return computed({mean[5]}, {sum}, 1e-14, kEnumerated);
}

/// P.a16: 3·2³ paths in 2³ bundles, whose strengths are all different.
Finding bundles_of_paths(const Sampler& /*sampler*/) {
  SmallNetwork small(convolutions("open"), 3, 1);
  const kernel::Passage<double> passage = small.passage();
  const kernel::Bundles bundles(passage);
  double equal = 0;
  for (std::size_t a = 0; a < bundles.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b)
      equal += bundles.strength(a, small.parameters) == bundles.strength(b, small.parameters) ? 1 : 0;
  }
  const double output = bundles.output(0, small.parameters);
  return both(computed({static_cast<double>(bundles.paths()), static_cast<double>(bundles.size()), equal},
                       {24, 8, 0}, 0, "exact, d_in = 3, ŵ = 2, three layers"),
              computed(vector_of(passage.outputs()), {output}, 1e-13, "exact, 24 paths"));
}

/// A sample turned by one site.
void turn(std::vector<double>& x, std::size_t sample, std::size_t sites) {
  const auto begin = x.begin() + static_cast<std::ptrdiff_t>(sample * sites);
  std::rotate(begin, begin + 1, begin + static_cast<std::ptrdiff_t>(sites));
}

double correlation(SmallNetwork& small) {
  const kernel::Passage<double> passage = small.passage();
  return kernel::Bundles(passage).correlation(0, 1, kSigma);
}

/// P.L4.1, P.L8.2, I.10: over all kernels. With circular gates turning one sample changes nothing; with fixed ones it does.
Finding pooled_outputs_correlate(const Sampler& /*sampler*/) {
  Vector measured(2);
  Vector stated(2);
  Vector turned(2);
  for (const std::size_t fixed : {0U, 1U}) {
    SmallNetwork small(fixed != 0 ? convolutions("random") : convolutions("network", 2), 5, 2);
    stated[fixed] = correlation(small);
    measured[fixed] =
        small.mean_over_weights(kSigma, 1, [](const kernel::Passage<double>& passage, std::span<double> out) {
          const std::vector<double> y = passage.outputs();
          out[0] = y[0] * y[1];
        })[0];
    turn(small.x, 1, 5);
    turned[fixed] = correlation(small);
  }
  const bool invariant = std::abs(turned[0] - stated[0]) < 1e-14 && std::abs(turned[1] - stated[1]) > 1e-4;
  return provided(invariant, "not invariant by circular gates, or also without them",
                  computed(measured, stated, 1e-14, kEnumerated));
}

/// P.a17: what a bundle adds up to does not change when the sample turns; a single path's part does.
Finding turning_a_sample(const Sampler& /*sampler*/) {
  SmallNetwork small(convolutions("network", 2), 5, 1);
  const auto look = [&] {
    const kernel::Passage<double> passage = small.passage();
    const kernel::Bundles bundles(passage);
    Vector sums(2 * bundles.size());
    for (std::size_t b = 0; b < bundles.size(); ++b) {
      sums[b] = bundles.sum(0, b);
      sums[bundles.size() + b] = bundles.feature(0, b, 0);
    }
    return sums;
  };
  const Vector before = look();
  turn(small.x, 0, 5);
  const Vector after = look();
  const Vector bundle_before = before[std::slice(0, 8, 1)];
  const Vector bundle_after = after[std::slice(0, 8, 1)];
  const Vector path_change = Vector(after[std::slice(8, 8, 1)]) - Vector(before[std::slice(8, 8, 1)]);
  return provided(std::abs(path_change).max() > 1e-2, "single paths do not change either",
                  computed(bundle_after, bundle_before, 1e-13, "exact, 8 bundles of 5 paths"));
}

constexpr Claim kClaims[] = {
    {"P.7", "E⟨x_s(L), x_t(L)⟩ = Σ_i E[x_s(L,i) x_t(L,i)]", "004, eq. (7)", Verdict::holds, sites_add_up},
    {"P.a15", "one site is not enough: without pooling the terms differ from site to site", "004, §4",
     Verdict::corrected, sites_differ},
    {"P.a16", "d_in ŵ^(d−1) paths, ŵ^(d−1) strengths, each d_in times", "004, §4", Verdict::holds,
     bundles_of_paths},
    {"P.L4.1", "pooled: E[x_s x_t] = (σ^(2(d−1))/d_in²) Σ_bundles (Σ x_s A_s)(Σ x_t A_t)", "004, lemma 4.1",
     Verdict::holds, pooled_outputs_correlate},
    {"P.a17", "turning a sample does not change it: the sum over a bundle, with circular gates", "004, §4",
     Verdict::holds, turning_a_sample},
    {"P.L8.2", "lemma 4.1 again", "004, lemma 8.2", Verdict::holds, pooled_outputs_correlate},
    {"I.10", "E[out_s out_t] = (σ^(2(d−1))/d_in²) Σ_bundles (Σ x_s(p0)A_s(p))(Σ x_t(p0)A_t(p))", "sheet I",
     Verdict::holds, pooled_outputs_correlate},
};

}  // namespace
}  // namespace of_deep_convolution

std::span<const Claim> deep_convolution() { return of_deep_convolution::kClaims; }

}  // namespace sluice::theory::claims
