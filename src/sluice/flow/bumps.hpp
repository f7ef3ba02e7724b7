/// Exact response to nlgp inputs where the gate sees few sites, X = d erf(gZ)/√Z_g, d the standard deviation of X.
/// With ρ_l the correlation of Z_l with the Gaussian whose sign is the sign of ⟨w,X⟩:
///   w ∝ e_i         ρ_l = r_il                                                  ledger: N0.36, C.4, N0.67, N1.8
///   w ∝ e_i ± e_j   ρ_l = (r_il ± r_jl)/√(2(1 ± r_ij)), because erf is odd and monotone  ledger: C.4, N0.c15, N1.9
///   f_l = d arcsin(√q ρ_l)/(π √Z_g),   q = 2g²/(1+2g²);   g = 0: d ρ_l/√(2π), Gaussian data
///
/// Sign data (g = inf) have ties, which count half (J.2), and their gate is a function of signs. Where it is a function of
/// at most four of them, the Walsh expansion of sgn⟨w,x⟩ over those sites A ends after two orders:
///   f_l = ½ d Σ_(T ⊂ A, |T| = 1, 3) ŝ(T) E[x_T x_l]                     ledger: C.5, N1.10, N1.11, N1.12, N1.20
///   E[x_i x_l] = (2/π) arcsin r_il;  E[x_i x_j x_k x_l] = M4, or the pair that is left when l ∈ T       ledger: B.5
/// e_i → ½ C e_i;  e_i ± e_j → ¼ C(e_i ± e_j), which is not the limit g → ∞;  a dominant entry → ½ C e_i;  three entries
/// of which none dominates → majority. The gate sees only A when Σ_(i∉A) |w_i| < min_x |Σ_(i∈A) w_i x_i|  ledger: N1.13
#pragma once

#include <span>
#include <vector>

#include "sluice/flow/response.hpp"

namespace sluice::flow {

class BumpResponse final : public Response {
 public:
  /// `correlation` is the first row of the latent Gaussian's, r_d; `gain` from 0 to infinity.
  BumpResponse(std::vector<double> correlation, double gain, double deviation = 1);

  std::int64_t inputs() const override { return static_cast<std::int64_t>(r_.size()); }
  /// Whether w is one of the fields above. Weights count as equal, or a sum as a tie, within 1e-12 of Σ|w|.
  bool covers(std::span<const double> w) const;
  /// Throws std::invalid_argument where w is not covered. Three and four sites of sign data cost a quadrature per site of
  /// the ring, 2 ms in all at n = 40.
  void single(std::span<const double> w, std::span<double> f) const override;

 private:
  double r(std::size_t i, std::size_t j) const { return r_[i > j ? i - j : j - i]; }
  double sign_covariance(std::size_t i, std::size_t j) const;
  double triple_moment(std::size_t i, std::size_t j, std::size_t k, std::size_t l) const;
  void add_sites(std::span<const double> w, std::span<const std::size_t> sites, std::span<double> f) const;

  std::vector<double> r_;
  double gain_;
  double deviation_;
};

}  // namespace sluice::flow
