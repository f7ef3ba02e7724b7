/// How many entries of w its gate 1(⟨w,x⟩ ≥ 0) sees, the largest first.                         ledger: N1.13, N1.c4, N1.c5
///
/// On every vertex of the hypercube: the smallest k with
///   Σ_(i>k) |w_i| < δ_k = min_(x ∈ {±1}^k) |Σ_(i≤k) w_i x_i|,      |w_1| ≥ |w_2| ≥ …
/// the tail then cannot change the gate, whatever the law. On samples of a law: the smallest k whose gate sgn Σ_(i≤k) w_i x_i is that of all
/// entries on a share of at least 1 − ε of them. Gates at a tie are half open, and agree by half with one that is open or closed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sluice/math/lanes.hpp"
#include "sluice/math/workers.hpp"

namespace sluice::theory {

/// Sites in the order of falling |w_i|; sites where w is zero are left out.
template <class Real>
std::vector<std::size_t> by_size(std::span<const Real> w);

/// The k of all vertices; nothing where it is larger than SignSums::kMost, except that all entries together always decide.
std::optional<std::size_t> deciding_entries(std::span<const double> w, math::Workers& workers);

/// Samples of one class as lanes; classes count alike.
using ConstLanes = math::LanesOf<const float>;

/// The share of samples on which the k largest entries have the gate of all of them, k = 1, 2, …; `bias` is added to both sums. Ends
/// with the first share of at least `enough`. Empty when w is zero.
std::vector<double> gate_agreement(std::span<const float> w, float bias, std::span<const ConstLanes> classes,
                                   double enough = 1);

/// The k of samples: the length of gate_agreement at 1 − ε.
std::int64_t seen_entries(std::span<const float> w, float bias, std::span<const ConstLanes> classes,
                          double epsilon);

}  // namespace sluice::theory
