#include "sluice/theory/fourier.hpp"

#include "sluice/math/circulant.hpp"
#include "sluice/math/fourier_basis.hpp"

namespace sluice::theory {

std::vector<Mode> real_modes(std::size_t n) {
  const math::FourierBasis basis(static_cast<std::int64_t>(n));
  std::vector<Mode> modes;
  for (std::size_t k = 0; k < n; ++k) {
    modes.push_back({static_cast<std::size_t>(math::FourierBasis::frequency(static_cast<std::int64_t>(k))),
                     vector_of(basis.synthesise(view(unit(n, k))))});
  }
  return modes;
}

Vector eigenvalues(const Ring& m) { return vector_of(math::circulant_eigenvalues(view(m.row))); }

Ring ring_with(const Vector& eigenvalues) { return {vector_of(math::circulant_row(view(eigenvalues)))}; }

Vector to_modes(const std::vector<Mode>& modes, const Vector& w) {
  Vector u(modes.size());
  for (std::size_t k = 0; k < modes.size(); ++k) u[k] = dot(modes[k].shape, w);
  return u;
}

Vector from_modes(const std::vector<Mode>& modes, const Vector& u) {
  Vector w(modes.size());
  for (std::size_t k = 0; k < modes.size(); ++k) w += u[k] * modes[k].shape;
  return w;
}

Vector mode_eigenvalues(const std::vector<Mode>& modes, const Ring& m) {
  const Vector by_frequency = eigenvalues(m);
  Vector lambda(modes.size());
  for (std::size_t k = 0; k < modes.size(); ++k) lambda[k] = by_frequency[modes[k].frequency];
  return lambda;
}

}  // namespace sluice::theory
