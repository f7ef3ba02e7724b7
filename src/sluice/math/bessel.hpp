/// The modified Bessel function I₀(x) = (1/2π) ∫ e^(x cos θ) dθ, as its logarithm, which does not overflow.
/// Abramowitz & Stegun 9.8.1 and 9.8.2: |error of ln I₀| < 5·10⁻⁷ for all x ≥ 0.
#pragma once

#include <cmath>

namespace sluice::math {

inline double log_i0(double x) {
  constexpr double kMiddle = 3.75;
  if (x < kMiddle) {
    const double t = (x / kMiddle) * (x / kMiddle);
    return std::log1p(
        t *
        (3.5156229 + t * (3.0899424 + t * (1.2067492 + t * (0.2659732 + t * (0.0360768 + t * 0.0045813))))));
  }
  const double u = kMiddle / x;
  const double scaled =
      0.39894228 +
      u * (0.01328592 +
           u * (0.00225319 +
                u * (-0.00157565 +
                     u * (0.00916281 +
                          u * (-0.02057706 + u * (0.02635537 + u * (-0.01647633 + u * 0.00392377)))))));
  return x + std::log(scaled / std::sqrt(x));
}

}  // namespace sluice::math
