/// Are they normal? Everything that is found of the normals of a device (normals.hpp), beside what theory says of it.
#pragma once

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "bench/normals.hpp"

namespace sluice::bench {

/// z(h), of the bits of a half; ∞ where it is none.
double normal_of_half(std::uint32_t bits);

struct Finding {
  std::string what;
  double found, expected;
  double known;           ///< so far off it may be, and nothing is wrong
  double standard_error;  ///< known from the law
  double resolution;      ///< the smallest error that is seen: five standard errors beyond what is known
  std::string_view unit;  ///< of the resolution

  /// Beyond what is known, in standard errors.
  double off() const {
    const double error = found - expected, beyond = std::abs(error) - known;
    return beyond <= 0 ? 0 : std::copysign(beyond, error) / standard_error;
  }
  bool holds() const { return std::abs(off()) <= 5; }  // false for NaN
};

/// What is expected is that of a normal z that is rounded to float and then, as z/√(2 ln 2), to a half, ties to even: P(half) by erfc between the ends of what is rounded to it. So
///   moments    Σ P(h) z(h)^k, k = 1, …, 8, with the variance Σ P z^2k − (Σ P z^k)²
///   tails      the sum of P over |z(h)| > 1, …, 6; where few are expected, the standard error is that of 25
///   histogram  χ² over runs of neighbouring halves of which a thousand at least are expected, firsts and seconds of pairs each for themselves; halves below 2⁻¹⁴, which are finer than an angle of
///              23 bits can be, are one
///   products   of what stands beside each other, and of squares: zero, with variances 1 and 4
std::vector<Finding> judge(const NormalSums& drawn);

/// Normals of `precision = "fast"`. Their angles stand evenly on the circle but for 2·10⁻⁴ (quick.cuh), which says how far off these may be:
///   means of cosines and sines of angles, and products in a pair    2·10⁻⁴
///   moments k = 1, 3, 5, 7                                          2·10⁻⁴ E r^k, r the radius
///   histogram                                                       2·10⁻⁴ of shares, root mean square
/// Everything else is held against the same as above, tails up to 5.5 (they end at √(48 ln 2) = 5.77); and
///   histogram  of 63 bins, with a 64th of all or more each: there are some thousand angles, so that next to 0 halves have not the shares of normals
///   words      χ² of pairs of upper bytes of words that follow each other
std::vector<Finding> judge(const StreamSums& drawn);

/// Differences from the normals of the CPU (math::fill_normals) at the same addresses, in units of a half's last place where z/√(2 ln 2) is 1/16 or more, as they are below that.
struct Differences {
  double last_places = 0;   ///< half of one is the rounding itself
  double small = 0;         ///< below 1/16
  double small_radius = 0;  ///< the same, where the radius of the pair is below 1/16, too

  /// By what is rounded on the way: half a last place; an angle to 23 bits and its cosine to 2⁻²⁰·⁵, times radii up to 5.66; the square of a radius to 2·10⁻⁷, which is much of one next to 0.
  bool hold() const { return last_places <= 0.65 && small <= 3e-5 && small_radius <= 5e-4; }
};
Differences compare_with_cpu(const math::Address& first, int rows);

}  // namespace sluice::bench
