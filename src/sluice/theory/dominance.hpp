/// Which class moves a unit more? Of independent draws X₁ and X₀ of the two classes, how often is the first's answer the larger?
///   P(|⟨w,X₁⟩| > |⟨w,X₀⟩|)                                                                              ledger: N2.9
/// Gaussian data: (2/π) arctan(s₁/s₀), s_c² = w'C_c w, largest for the wave of largest λ₁/λ₀.             ledger: G.1, N2.G
/// A network averages over positions before it compares, and that is another probability, with another best w:
///   P(∫σ(|w∗X₁|+b) > ∫σ(|w∗X₀|+b)),   σ = erf(·/√2)                                                     ledger: N2.6, N2.7
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "sluice/theory/sampling.hpp"
#include "sluice/theory/vector.hpp"

namespace sluice::theory {

struct Probability {
  double value = 0;
  double standard_error = 0;
};

/// P(T₁ > T₀) + ½P(T₁ = T₀) over all pairs of the two samples (Mann and Whitney's statistic). Its standard error is that of two
/// independent means: of how many of the others each number exceeds (DeLong).
Probability exceeds(std::vector<double> one, std::vector<double> zero);

/// The same of a statistic of the draws of either class.
Probability exceeds(const Sampler& sampler, const Data& data,
                    const std::function<double(std::span<const double> x)>& statistic);

/// (2/π) arctan √(w'C₁w / w'C₀w)
double gaussian_dominance(const Vector& w, const Ring& one, const Ring& zero);

/// P(|⟨w,X₁⟩| > |⟨w,X₀⟩|), sampled.
Probability dominance(const Sampler& sampler, const Data& data, const Vector& w);

/// mean over τ of σ(|(w∗x)(τ)| + b)
double position_average(const Vector& w, double bias, std::span<const double> x);
/// P(T₁ > T₀) of that, sampled.
Probability averaged_dominance(const Sampler& sampler, const Data& data, const Vector& w, double bias);

}  // namespace sluice::theory
