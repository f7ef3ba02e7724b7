/// Fourier sums over the sites of a ring or of a torus, of one field at a time.
///   ring    X_k     = Σ_x C_x e^(2πi kx/n)
///   torus   X_k₁,k₂ = Σ_x,y C_x,y e^(2πi(k₁x + k₂y)/N)
#pragma once

#include <complex>
#include <cstdint>
#include <span>

#include "sluice/math/fourier.hpp"

namespace sluice::math {

class LatticeFourier {
 public:
  /// `side` = 0: a ring of n sites; else a torus of side × side = n.
  explicit LatticeFourier(std::int64_t sites, std::int64_t side = 0)
      : side_(side), plan_(side == 0 ? sites : side) {}

  /// In place, n numbers.
  void sum(std::span<std::complex<double>> values) const;

 private:
  std::int64_t side_;
  FourierPlan<double> plan_;
};

}  // namespace sluice::math
