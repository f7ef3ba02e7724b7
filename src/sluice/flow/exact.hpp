/// Response to a law on finitely many points x_m with weights p_m: the sums themselves.
///   f(w)    = Σ_m p_m 1(⟨w,x_m⟩ ≥ 0) x_m                 ledger: N1.5, N1.14, N1.15, N1.16, N1.17, N1.18, N1.19
///   p(w, v) = Σ_m p_m 1(⟨w,x_m⟩ ≥ 0) ReLU(⟨v,x_m⟩) x_m                                       ledger: N0.16
/// Nothing is assumed: E X need not vanish, X ~ −X need not hold, and a dataset with weights 1/P is such a law. A sum within
/// 1e-12 of Σ_i |w_i x_i| is a tie and counts half, whatever the order in which rounding would have decided it.  notes: J.2
#pragma once

#include "sluice/flow/response.hpp"
#include "sluice/task/support.hpp"

namespace sluice::flow {

class ExactResponse final : public Response, public PairResponse {
 public:
  explicit ExactResponse(task::FiniteSupport support);

  std::int64_t inputs() const override { return support_.inputs; }
  void single(std::span<const double> w, std::span<double> f) const override;
  void pair(std::span<const double> w, std::span<const double> v, std::span<double> p) const override;

 private:
  task::FiniteSupport support_;
};

}  // namespace sluice::flow
