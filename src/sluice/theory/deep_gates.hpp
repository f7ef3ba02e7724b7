/// Deep gated networks before training: closed forms of width w, depth d and the share μ of open gates.
/// K_0 is the tangent kernel at ±σ weights that the gates do not depend on (P.A1, P.A2); λ counts the paths that are open for
/// both of two samples.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>

#include "sluice/kernel/matrix.hpp"
#include "sluice/net/deep_options.hpp"

namespace sluice::theory {

/// E K_0 = d σ^(2(d−1)) (x'x)∘λ: this factor.                                        ledger: P.Th2.3a, P.L3.1ii, I.4
inline double mean_kernel_factor(double depth, double sigma) {
  return depth * std::pow(sigma, 2 * (depth - 1));
}

/// Gates open with probability μ, independently: mean overlap of a sample with itself, and with another.   ledger: P.L2.4
inline double mean_self_overlap(double width, double depth, double mu) {
  return std::pow(mu * width, depth - 1);
}
inline double mean_cross_overlap(double width, double depth, double mu) {
  return std::pow(mu * mu * width, depth - 1);
}

/// E K_0/d off the diagonal where ⟨x_s, x_t⟩ = 1 and σ² = 1/(μw); on it stands 1.                   ledger: I.6, P.a8
inline double mean_cross_entry(double depth, double mu) { return std::pow(mu, depth - 1); }

/// Eigenvalues of that matrix over n samples: n − 1 equal ones and the top.                     ledger: P.5, P.a9, I.6
struct EqualOverlapSpectrum {
  double low, top;
};
inline EqualOverlapSpectrum equal_overlap_spectrum(double samples, double depth, double mu) {
  const double off = mean_cross_entry(depth, mu);
  return {1 - off, 1 + (samples - 1) * off};
}

/// Lower edge of the spectrum of K_0/d at d = 2 and finite width: (1−μ)(1 − √(n/w))², Marchenko and Pastur.  ledger: P.a9
inline double finite_width_edge(double samples, double width, double mu) {
  const double root = 1 - std::sqrt(samples / width);
  return (1 - mu) * root * root;
}

/// Leading form of Var K_0 for a linear net, d_in = 1, weights ±1/√w: (2/3w)(d−1)(d−2)(2d−3).      ledger: I.7, P.Th2.3b
inline double kernel_variance(double width, double depth) {
  return 2 / (3 * width) * (depth - 1) * (depth - 2) * (2 * depth - 3);
}
/// At d = 3 exactly.
inline double kernel_variance_of_three_layers(double width) { return 4 / width * (1 - 1 / width); }
/// The order that Theorem 2.3 prints for that net, without its constant: max(d²/w, d³/w²). No constant makes it a bound:
/// the ratio to kernel_variance falls like 1/d.                                             ledger: P.Th2.3b, P.a5
inline double printed_variance_order(double width, double depth) {
  return std::max(depth * depth / width, depth * depth * depth / (width * width));
}

/// Overlap of the gates of two inputs at angle θ_0, relative to that of an input with itself; Gaussian gating weights,
/// w → ∞:                                                                                            ledger: I.8, P.a11
///   Π_(l=0..d−2) (1 − θ_l/π),   cos θ_(l+1) = (sin θ_l + (π − θ_l) cos θ_l)/π
double gate_overlap(double angle, int depth);

/// E K_0/d over the rows of x [n, inputs], where it is known: random or open gates, or hard gates of a gating network with
/// normal weights (w → ∞); weights of deviation "unit-signal".                              ledger: I.6, I.8, P.a8, P.16
std::optional<kernel::SampleMatrix<double>> mean_kernel(const net::DeepOptions& options, std::int64_t inputs,
                                                        std::span<const double> x);

}  // namespace sluice::theory
