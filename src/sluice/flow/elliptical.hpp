/// Response of ReLU units to elliptical inputs: X = √V Z, or any law whose density depends on xᵀC⁻¹x alone.
///   f(w)    = c Cw/√(wᵀCw),   c = ½ E|S|/sd(S), the same for every w                         ledger: N1.E, C.4
///   p(w, v) = the Gaussian's with the same covariance, because both gates ignore √V and E V = 1        ledger: D.1
///
///   law                        c
///   Gaussian                   1/√(2π)
///   Student t, ν > 2           ½ √((ν−2)/π) Γ((ν−1)/2)/Γ(ν/2)
///   shell in n dimensions      ½ √(n/π) Γ(n/2)/Γ((n+1)/2)
///   scale mixture, E V = 1     E√V/√(2π):   lognormal e^(−σ²/8),   exponential √π/2,   two points (√(1−s)+√(1+s))/2
#pragma once

#include <numbers>
#include <optional>

#include "sluice/flow/covariance.hpp"
#include "sluice/flow/gaussian.hpp"
#include "sluice/task/elliptical.hpp"

namespace sluice::flow {

/// c of Gaussian data, 1/√(2π).
constexpr double kGaussianConstant = std::numbers::inv_sqrtpi / std::numbers::sqrt2;

double elliptical_constant(const task::StudentTOptions& options);
double elliptical_constant(const task::ShellOptions& options);
double elliptical_constant(const task::ScaleMixtureOptions& options);
/// Of any task whose two classes are elliptical, Gaussian ones included; nothing for the others.
std::optional<double> elliptical_constant(const task::Options& options);
/// gaussian and gaussian-clone.
bool is_gaussian(const task::Options& options);

class EllipticalResponse final : public Response, public PairResponse {
 public:
  EllipticalResponse(const Covariance& covariance, double c)
      : covariance_(covariance), gaussian_(covariance), c_(c) {}

  std::int64_t inputs() const override { return covariance_.inputs(); }
  void single(std::span<const double> w, std::span<double> f) const override {
    elliptical_single(covariance_, c_, w, f);
  }
  void pair(std::span<const double> w, std::span<const double> v, std::span<double> p) const override {
    gaussian_.pair(w, v, p);
  }

 private:
  Covariance covariance_;
  GaussianResponse gaussian_;
  double c_;
};

}  // namespace sluice::flow
