/// A law that can be summed over: all 2⁶ signs, with unequal probabilities.
#pragma once

#include "sluice/theory/vector.hpp"

namespace sluice::theory::claims {

inline constexpr std::size_t kSixSites = 6;
/// Weights for it, none of whose sums vanishes.
inline Vector six_weights() { return {1.2, -0.7, 0.4, 2, 0.3, -0.9}; }

/// visit(x, probability) for each of the 64 inputs; `lean` makes the law differ from that of −x.
template <class Visit>
void six_signs(double lean, const Visit& visit) {
  for (unsigned bits = 0; bits < 1U << kSixSites; ++bits) {
    Vector x(kSixSites);
    for (std::size_t i = 0; i < kSixSites; ++i) x[i] = (bits >> i & 1U) != 0 ? 1 : -1;
    visit(x, (1 + 0.5 * x[0] * x[1] + lean * x[2] - 0.1 * x[4] * x[5]) / 64);
  }
}

/// E h(X) of as many numbers as h gives.
template <class Of>
Vector six_signs_mean(double lean, std::size_t count, const Of& h) {
  Vector mean(count);
  six_signs(lean, [&](const Vector& x, double probability) { mean += probability * Vector(h(x)); });
  return mean;
}

}  // namespace sluice::theory::claims
