/// The real Fourier basis of the ring, in which every covariance is diagonal.  ledger: A.2, N0.32, N0.33, N0.34, N0.35, N0.c9
///   1/√n;   √(2/n) cos(2πjx/n), √(2/n) sin(2πjx/n) for 0 < j < n/2;   (−1)^x/√n        (n even)
#pragma once

#include <cstddef>
#include <vector>

#include "sluice/theory/vector.hpp"

namespace sluice::theory {

/// One vector of the basis and how often it goes around the ring.
struct Mode {
  std::size_t frequency;
  Vector shape;
};

/// All n of them by frequency: constant, cos 1, sin 1, cos 2, …; the columns of math::FourierBasis.
std::vector<Mode> real_modes(std::size_t n);

/// λ_k = Σ_d c_d cos(2πkd/n), k = 0, …, n−1.
Vector eigenvalues(const Ring& m);

/// The circulant matrix g(M), g applied to the eigenvalues.
template <class G>
Ring function_of(const Ring& m, const G& g);

/// u_k = ⟨mode k, w⟩ and back.
Vector to_modes(const std::vector<Mode>& modes, const Vector& w);
Vector from_modes(const std::vector<Mode>& modes, const Vector& u);

/// The eigenvalues of M in the order of the modes.
Vector mode_eigenvalues(const std::vector<Mode>& modes, const Ring& m);

/// The circulant matrix with these eigenvalues (λ_k = λ_(n−k)).
Ring ring_with(const Vector& eigenvalues);

template <class G>
Ring function_of(const Ring& m, const G& g) {
  Vector lambda = eigenvalues(m);
  for (double& each : lambda) each = g(each);
  return ring_with(lambda);
}
inline Ring inverse(const Ring& m) {
  return function_of(m, [](double lambda) { return 1 / lambda; });
}

}  // namespace sluice::theory
