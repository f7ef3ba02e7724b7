/// Two standard normal variables U, V with correlation ρ, |ρ| < 1.
///   Φ₂(h, k; ρ) = P(U ≤ h, V ≤ k)
///   E[sgn(h + U) sgn(k + V)] = 4Φ₂(h,k;ρ) − 2Φ(h) − 2Φ(k) + 1 = 1 − 4T(h, a_h) − 4T(k, a_k) − 4δ
/// with T Owen's function, a_h = (k − ρh)/(h√(1−ρ²)), a_k likewise, and δ = ½ where h and k have opposite signs.
#pragma once

namespace sluice::math {

double bivariate_normal_cdf(double h, double k, double rho);

/// (2/π) arcsin ρ at h = k = 0 (B.4).                                                       ledger: E.5
double shifted_sign_moment(double h, double k, double rho);

}  // namespace sluice::math
