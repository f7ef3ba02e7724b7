/// Deep gated networks: closed forms of width w and depth d.
#pragma once

#include <cmath>
#include <numbers>

namespace sluice::theory {

/// Leading form of Var K_0 for a linear net, d_in = 1, weights ±1/√w: (2/3w)(d−1)(d−2)(2d−3).      ledger: I.7
inline double kernel_variance(double width, double depth) {
  return 2 / (3 * width) * (depth - 1) * (depth - 2) * (2 * depth - 3);
}

/// Overlap of the gates of two inputs at angle θ_0, Gaussian gating weights, w → ∞:                  ledger: I.8
///   Π_(l=0..d−2) (1 − θ_l/π),   cos θ_(l+1) = (sin θ_l + (π − θ_l) cos θ_l)/π
inline double gate_overlap(double angle, int depth) {
  double product = 1;
  for (int layer = 0; layer <= depth - 2; ++layer) {
    product *= 1 - angle / std::numbers::pi;
    angle = std::acos((std::sin(angle) + (std::numbers::pi - angle) * std::cos(angle)) / std::numbers::pi);
  }
  return product;
}

}  // namespace sluice::theory
