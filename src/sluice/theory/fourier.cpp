#include "sluice/theory/fourier.hpp"

#include <numbers>

#include "sluice/math/circulant.hpp"

namespace sluice::theory {

std::vector<Mode> real_modes(std::size_t n) {
  const auto wave = [n](std::size_t j, double (*f)(double), double scale) {
    Vector shape(n);
    for (std::size_t x = 0; x < n; ++x) {
      const std::size_t turns = j * x % n;  // exact reduction: the argument stays below 2π
      shape[x] = scale * f(2 * std::numbers::pi * static_cast<double>(turns) / static_cast<double>(n));
    }
    return Mode{j, std::move(shape)};
  };
  const auto cosine = [](double x) { return std::cos(x); };
  const auto sine = [](double x) { return std::sin(x); };
  const double half = 1 / std::sqrt(static_cast<double>(n));
  std::vector<Mode> modes{wave(0, cosine, half)};
  for (std::size_t j = 1; j < n / 2; ++j) {
    modes.push_back(wave(j, cosine, std::numbers::sqrt2 * half));
    modes.push_back(wave(j, sine, std::numbers::sqrt2 * half));
  }
  modes.push_back(wave(n / 2, cosine, half));
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
