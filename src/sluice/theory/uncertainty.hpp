/// The least that spread in space and spread in frequency (probe/uncertainty.hpp) can be together on a ring of n sites. With the
/// lengths a = |Σ p_x e^(2πix/n)| and b = |Σ P_f e^(2πif/n)| of the two resultants of a field, for every angle θ
///   a cos θ + b sin θ ≤ λ(θ),   the largest eigenvalue of H(θ) = cos θ · diag cos(2πx/n) + sin θ · (T + T')/2,
/// T the shift by one site: phases in front of either resultant only lower the eigenvalue. Its eigenvector, positive and even, reaches
/// the bound, so the fields of all θ have the least Δf for their Δx. On a line they would be Gaussians, with 4πΔxΔf/n = 1.
#pragma once

#include <cstdint>
#include <vector>

#include "sluice/theory/quantity.hpp"
#include "sluice/theory/vector.hpp"

namespace sluice::theory {

struct LeastUncertain {
  double spread;       ///< Δx, in sites
  double uncertainty;  ///< 4πΔxΔf/n
  Vector field;
};
/// By angle, 0 < θ < π/2: the larger the angle, the wider the field.
LeastUncertain least_uncertain(std::int64_t n, double angle);

/// 4πΔxΔf/n of exp(−d²/2s²) e^(2πifd/n) for whole f: the same for every f.
struct Packet {
  double spread;
  double uncertainty;
};
Packet gaussian_packet(std::int64_t n, double width);

/// Least uncertainty over the spread, and that of the Gabor function as wide as that.
Table uncertainty_table(const Request& request);

}  // namespace sluice::theory
