/// Mean-field response: ⟨w,X⟩ given one site is taken to be Gaussian, with the mean of linear regression.     ledger: C.7, N1.c8
///   f_i ≈ d φ(a_i),   φ(a) = E[x Φ(a x/√(1−a²))],   a = Cw/(d √(wᵀCw)),   C = Cov X, d² = C_ii, x = X_i/d
/// φ is the localization amplifier. Every law of unit variance has φ'(0) = 1/√(2π) and φ(1) = ½ E|x|: the Gaussian's is the
/// line between them, sub-Gaussian sites end above it (½ on sign data), so that sites which agree with the gate gain on those
/// that do not; super-Gaussian ones end below.
/// Exact for Gaussian data and for w = e_i at i. Elsewhere an approximation, measured in docs/theory/mean-field.md.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sluice/flow/covariance.hpp"
#include "sluice/flow/response.hpp"

namespace sluice::flow {

/// φ of one symmetric law with unit variance, tabulated in θ = arcsin a, where φ = E[x Φ(x tan θ)], by cubics with the exact
/// values and slopes at the knots. Within 1e-9 of the integral for nlgp at every gain and for norta's marginals, 1e-5 for an
/// algebraic law of order 2.5, whose φ has no second derivative at 0.
class Amplifier {
 public:
  /// `x` maps a standard normal number to the site's: odd, increasing, E x(Z)² = 1.
  explicit Amplifier(const std::function<double(double z)>& x);

  /// a in [−1, 1].
  double operator()(double a) const;

 private:
  struct Knot {
    double value;
    double slope;  // dφ/dθ times the distance of knots
  };
  std::vector<Knot> knots_;  // θ from 0 to π/2
};

/// φ of erf(gZ)/√Z_g; gain = 0: the Gaussian's; gain = inf: ½ erf(a/√(2(1−a²))).
Amplifier nlgp_amplifier(double gain);
/// φ of a marginal of task::Norta.
Amplifier norta_amplifier(const std::string& marginal, double order);

class MeanFieldResponse final : public Response {
 public:
  MeanFieldResponse(Covariance covariance, Amplifier amplifier)
      : covariance_(std::move(covariance)), amplifier_(std::move(amplifier)) {}

  std::int64_t inputs() const override { return covariance_.inputs(); }
  void single(std::span<const double> w, std::span<double> f) const override;

 private:
  Covariance covariance_;
  Amplifier amplifier_;
};

}  // namespace sluice::flow
