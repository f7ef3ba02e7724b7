/// The response to nlgp inputs from samples, smooth in the weights, the gain and ξ, with its derivative.
///
/// A sampled gate 1(⟨w,x⟩ ≥ 0) has no derivative. So the data are diluted a little with their Gaussian clone: X' = (X + hG)/√(1+h²),
/// G ~ N(0, C) independent of X and of the same covariance C. That is a law like any other (X' ~ −X', stationary, covariance C), its f is the gradient of
/// E ReLU(⟨w,X'⟩), and given X the average over G is closed. With S = ⟨w,X⟩, s² = wᵀCw, v = Cw/s², a = S/(hs):
///   f(w)  = {E[(Φ(a) − ½) X] + h s E[φ(a)] v}/√(1+h²)                                                   ledger: C.3
///   ∂f/∂w = {P E[φ(a) XXᵀ] Pᵀ/(hs) + h E[φ(a)] (C − s² vvᵀ)/s}/√(1+h²),     P = I − v wᵀ
/// Gaussian data stay what they are. Elsewhere all cumulants of order 4 shrink by (1+h²)², so results have a bias of O(h²), which two
/// values of h take out (docs/theory/branches.md).
///
/// E is an average over draws, all their shifts and signs. Beside every x stands the z it was made of, X = erf(gZ)/√Z_g: for it the answer is known (C.4), and
///   f = f̂(X) − β (f̂(Z) − f_Gauss),    β = Cov/Var of the two windows φ(a) for normal numbers with the correlation of X_i and Z_i,
/// is exact as g → 0 and has 10⁻³ of the variance at g = 0.2. A response with another gain or ξ sees the same normals.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sluice/flow/covariance.hpp"
#include "sluice/flow/curved.hpp"
#include "sluice/math/lanes.hpp"
#include "sluice/math/workers.hpp"

namespace sluice::flow {

struct DilutedOptions {
  std::int64_t draws = 1 << 13;  ///< each stands for its negative and all its shifts
  std::uint64_t seed = 1;
  std::int64_t set = 0;   ///< sets of draws with one seed are independent
  double dilution = 0.2;  ///< h
};

class DilutedResponse final : public CurvedResponse {
 public:
  /// Of the class with this ξ and gain on a ring of n sites; `deviation` is that of X. `which_class` sees normals of its own. Workers must
  /// outlive the response.
  DilutedResponse(std::int64_t n, double xi, double gain, double deviation, int which_class,
                  const DilutedOptions& options, math::Workers& workers);

  std::int64_t inputs() const override { return n_; }
  void single(std::span<const double> w, std::span<double> f) const override;
  void derivative(std::span<const double> w, std::span<double> out) const override;

 private:
  /// Averages behind f and its derivative, over one kind of sample: E[φ(a)], E[(Φ(a) − ½) X], and where asked for E[φ(a) XXᵀ].
  struct Averages {
    double window = 0;
    std::vector<double> pull;
    std::vector<double> spread;
  };
  Averages average(const math::Aligned<float>& rows, std::span<const double> w, double width,
                   bool with_spread) const;
  void draw(double xi, double gain, int which_class, const DilutedOptions& options);
  /// [n, n] += factor · ∂f/∂w of the samples `rows` with covariance C.
  void add_derivative(const math::Aligned<float>& rows, const Covariance& covariance,
                      std::span<const double> w, double factor, std::span<double> out) const;
  void add_single(const math::Aligned<float>& rows, const Covariance& covariance, std::span<const double> w,
                  double factor, std::span<double> out) const;

  std::int64_t n_;
  std::int64_t padded_;  // n in whole vectors: what the shifts of a sample take
  std::int64_t stride_;  // from one sample to the next: a ring and its continuation
  std::int64_t draws_;
  double dilution_;
  double deviation_;
  double control_;  // β
  Covariance latent_, covariance_;
  math::Aligned<float> z_, x_;  // [draws, stride]
  math::Workers* workers_;
};

}  // namespace sluice::flow
