/// Exact response to spins on a ring, P(s) ∝ exp(J Σ s_i s_(i+1)): all 2ⁿ states count, few are visited.
///   f(w) = ½ E[sgn(S) s],                      sgn 0 = 0                                  ledger: C.3, C.5; notes: J.2
///   p(w, v) = ½ E[1(S T > 0) T s],             S = 0 counts half;  S = ⟨w,s⟩, T = ⟨v,s⟩               ledger: N0.16
///
/// The ring is cut into two halves that know of each other through the four spins at the cuts only. For f, each half lists
/// its 2^(n/2) sums ⟨w,s⟩ in order (site by site, by merging); one walk along both lists then finds, for every state of one
/// half, the weight of the states of the other that open the gate: O(2^(n/2)), 0.1 ms at 22 sites, 0.2 s at 40. For p every
/// pair of half-states is visited: O(2ⁿ), 4 ms at 22 sites.
/// Sums within 1e-12 of Σ|w| are ties.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sluice/flow/response.hpp"

namespace sluice::flow {

class IsingResponse final : public Response, public PairResponse {
 public:
  static constexpr std::int64_t kMostSites = 40;
  static constexpr std::int64_t kMostSitesOfPairs = 22;

  /// 4 ≤ n ≤ 40.
  IsingResponse(std::int64_t n, double coupling);

  std::int64_t inputs() const override { return n_; }
  void single(std::span<const double> w, std::span<double> f) const override;
  /// Throws std::invalid_argument above 22 sites.
  void pair(std::span<const double> w, std::span<const double> v, std::span<double> p) const override;

 private:
  std::int64_t n_;
  std::array<std::vector<double>, 2> weight_;  // of each state of each half, bonds inside it only; at most 1
  std::array<std::array<double, 4>, 4> bond_;  // weight of the two cut bonds, by the end spins of both halves
  double partition_;                           // Σ over all states
};

}  // namespace sluice::flow
