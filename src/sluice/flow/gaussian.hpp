/// Response of ReLU units to Gaussian inputs of covariance C.
///   f(w)    = Cw/√(2π wᵀCw)                                                      ledger: N0.12, N1.G, C.4
///   p(w, v) = √(1−γ²)/2π · √(ρ_vv/ρ_ww) Cw + (π − arccos γ)/2π · Cv             ledger: N0.16, D.1
///   ρ_wv    = wᵀCv,  γ = ρ_wv/√(ρ_ww ρ_vv)                                       ledger: N0.15
/// At w = 0 the gate is half open (J.2): f = 0, p = ¼ Cv.
#pragma once

#include "sluice/flow/covariance.hpp"
#include "sluice/flow/response.hpp"

namespace sluice::flow {

/// p(w, v) = with_w · Cw + with_v · Cv. A network's flow needs these for every pair, and one product with C for the sum.
struct PairCoefficients {
  double with_w;
  double with_v;
};
PairCoefficients gaussian_pair(double rho_ww, double rho_wv, double rho_vv);

/// c Cw/√(wᵀCw), 0 where wᵀCw = 0: f of every elliptical law.                                ledger: N1.E
void elliptical_single(const Covariance& covariance, double c, std::span<const double> w,
                       std::span<double> f);

class GaussianResponse final : public Response, public PairResponse {
 public:
  explicit GaussianResponse(Covariance covariance) : covariance_(std::move(covariance)) {}

  std::int64_t inputs() const override { return covariance_.inputs(); }
  void single(std::span<const double> w, std::span<double> f) const override;
  void pair(std::span<const double> w, std::span<const double> v, std::span<double> p) const override;

 private:
  Covariance covariance_;
};

}  // namespace sluice::flow
