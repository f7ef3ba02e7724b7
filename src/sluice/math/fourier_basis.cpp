#include "sluice/math/fourier_basis.hpp"

#include <algorithm>
#include <cmath>

namespace sluice::math {

FourierBasis::FourierBasis(std::int64_t n, std::int64_t dim) : n_(n), dim_(dim), plan_(n) {}

std::int64_t FourierBasis::partner(std::int64_t mode) const {
  if (mode == 0 || (n_ % 2 == 0 && mode == n_ - 1)) return mode;
  return mode % 2 == 1 ? mode + 1 : mode - 1;
}

std::vector<double> FourierBasis::analyse(std::span<const double> w) const {
  std::vector<double> u(w.begin(), w.end());
  along_every_axis(&FourierBasis::analyse_line, u);
  return u;
}

std::vector<double> FourierBasis::synthesise(std::span<const double> u) const {
  std::vector<double> w(u.begin(), u.end());
  along_every_axis(&FourierBasis::synthesise_line, w);
  return w;
}

std::vector<double> FourierBasis::eigenvalues(std::span<const double> row) const {
  std::vector<double> lambda(row.begin(), row.end());
  along_every_axis(&FourierBasis::eigenvalues_line, lambda);
  return lambda;
}

void FourierBasis::along_every_axis(Line transform, std::span<double> values) const {
  std::vector<double> sums(static_cast<std::size_t>(2 * n_));
  const std::int64_t lines = sites() / n_;
  for (std::int64_t line = 0; line < lines; ++line) (this->*transform)(values.data() + line * n_, 1, sums);
  if (dim_ == 1) return;
  for (std::int64_t line = 0; line < lines; ++line) (this->*transform)(values.data() + line, n_, sums);
}

double FourierBasis::norm(std::int64_t mode) const {
  return std::sqrt((partner(mode) == mode ? 1 : 2) / static_cast<double>(n_));
}

/// Σ_i x_i cos(2πki/n), Σ_i x_i sin(2πki/n) side by side for every k.
void FourierBasis::fourier_sums(const double* line, std::int64_t stride, std::span<double> sums) const {
  for (std::int64_t i = 0; i < n_; ++i) {
    sums[static_cast<std::size_t>(2 * i)] = line[i * stride];
    sums[static_cast<std::size_t>(2 * i + 1)] = 0;
  }
  fourier(plan_, sums);
}

void FourierBasis::analyse_line(double* line, std::int64_t stride, std::span<double> sums) const {
  fourier_sums(line, stride, sums);
  for (std::int64_t mode = 0; mode < n_; ++mode) {
    const bool sine = mode > 0 && mode % 2 == 0;
    line[mode * stride] = norm(mode) * sums[static_cast<std::size_t>(2 * frequency(mode) + (sine ? 1 : 0))];
  }
}

void FourierBasis::synthesise_line(double* line, std::int64_t stride, std::span<double> sums) const {
  // w_i = Re Σ_k a_k exp(2πi ki/n) with a_k = norm (u_cos − i u_sin).
  std::fill(sums.begin(), sums.end(), 0.0);
  for (std::int64_t mode = 0; mode < n_; ++mode) {
    const bool sine = mode > 0 && mode % 2 == 0;
    const double value = norm(mode) * line[mode * stride];
    sums[static_cast<std::size_t>(2 * frequency(mode) + (sine ? 1 : 0))] = sine ? -value : value;
  }
  fourier(plan_, sums);
  for (std::int64_t i = 0; i < n_; ++i) line[i * stride] = sums[static_cast<std::size_t>(2 * i)];
}

void FourierBasis::eigenvalues_line(double* line, std::int64_t stride, std::span<double> sums) const {
  fourier_sums(line, stride, sums);
  for (std::int64_t mode = 0; mode < n_; ++mode) {
    line[mode * stride] = sums[static_cast<std::size_t>(2 * frequency(mode))];
  }
}

}  // namespace sluice::math
