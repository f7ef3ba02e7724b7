/// The sums ⟨w,x⟩ over the vertices x ∈ {±1}^k of the hypercube, all 2^k of them without visiting each.
///
/// Weights become integers: w_i = unit · steps_i with unit a power of two. Where the w_i share a unit below which no bit is left and
/// Σ|steps| < 2⁶² (integers up to 2⁵³, floats of similar size), nothing is rounded, and zeros and ties are what they are; else every
/// w_i is rounded to a grid of at most 2⁻⁶¹ Σ|w|.                                                 notes: J.2
///
/// The entries are cut into two halves, and each half lists the absolute values of its sums in ascending order, 2^(k/2−1) numbers:
/// one more entry turns every s into |s − w| and |s + w|, a merge of sorted lists. A walk along both lists then answers
/// questions about all 2^k sums (meet in the middle).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sluice/math/workers.hpp"

namespace sluice::theory {

/// w_i = unit · steps_i.
struct Grid {
  std::vector<std::int64_t> steps;
  int exponent = 0;   ///< unit = 2^exponent
  bool exact = true;  ///< nothing was rounded

  double value(std::int64_t sum) const;  ///< sum · unit
};
/// Throws InputError where a weight is not finite.
Grid grid_of(std::span<const double> w);

class SignSums {
 public:
  /// 52 entries other than zero: lists of 2 × 256 MiB, and half of that while they are made.
  static constexpr std::size_t kMost = 52;

  /// `workers` make the halves at the same time, and must outlive the sums. Throws InputError for more than kMost entries.
  SignSums(std::span<const double> w, math::Workers& workers);

  /// δ(w) = min_x |⟨w,x⟩| and an x that attains it.                                             ledger: N1.13
  struct Margin {
    double value = 0;
    double rounding = 0;             ///< how far the grid may have moved `value`; 0: not at all
    std::vector<std::int8_t> signs;  ///< x, ±1; where w_i = 0 any sign would do, and it is +1
  };
  Margin margin() const;
  std::size_t entries() const { return places_.size(); }  ///< k, those other than zero

  /// At how many vertices |⟨w,x⟩| ≤ tie · Σ|w|, on the cube of the entries other than zero. The default is the rule for ties of every
  /// response operator.
  std::int64_t ties(double tie = 1e-12) const;

 private:
  std::span<const std::int64_t> half(std::size_t which) const;  // of the steps

  std::size_t all_;                                // entries of w, zeros included
  std::vector<std::size_t> places_;                // of those other than zero
  Grid grid_;                                      // likewise
  std::array<std::vector<std::int64_t>, 2> sums_;  // |Σ| of each half, ascending
  math::Workers& workers_;
};

}  // namespace sluice::theory
