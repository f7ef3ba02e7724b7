/// Moments of signs of Gaussian variables.                                               ledger: B.4, B.5, N1.12
#pragma once

#include <array>

namespace sluice::math {

/// Correlations of four standard Gaussian variables, in the order 12, 13, 14, 23, 24, 34.
using FourCorrelations = std::array<double, 6>;

/// E[sgn U₁ sgn U₂] = (2/π) arcsin ρ.                                                    ledger: B.4
double sign_pair_moment(double rho);

/// M4(R) = E[sgn U₁ sgn U₂ sgn U₃ sgn U₄].                                               ledger: B.5
/// With t = sin φ / |R_ab| the sheet's integral loses its endpoint singularity:
///   M4 = (4/π²) Σ_(a<b) sgn(R_ab) ∫_0^arcsin|R_ab| arcsin(p_cd(sin φ / |R_ab|)) dφ,
/// p_cd(t) the partial correlation of the other two given U_a, U_b in I + t(R−I). Every |R_ab| must be below 1.
double sign_quadruple_moment(const FourCorrelations& r);

}  // namespace sluice::math
