#include "sluice/math/fourier_basis.hpp"

#include <cmath>
#include <numbers>

namespace sluice::math {

FourierBasis::FourierBasis(std::int64_t n, int dim) : n_(n), dim_(dim), fft_(static_cast<std::size_t>(n)) {}

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
  std::vector<Fft::Complex> scratch(static_cast<std::size_t>(n_) + fft_.scratch_length());
  const std::int64_t lines = sites() / n_;
  for (std::int64_t line = 0; line < lines; ++line) (this->*transform)(values.data() + line * n_, 1, scratch);
  if (dim_ == 1) return;
  for (std::int64_t line = 0; line < lines; ++line) (this->*transform)(values.data() + line, n_, scratch);
}

void FourierBasis::analyse_line(double* line, std::int64_t stride, std::span<Fft::Complex> scratch) const {
  const std::span<Fft::Complex> x = scratch.first(fft_.length());
  for (std::int64_t i = 0; i < n_; ++i) x[static_cast<std::size_t>(i)] = line[i * stride];
  fft_.forward(x, scratch.subspan(fft_.length()));
  const double single = 1 / std::sqrt(static_cast<double>(n_));
  const double paired = single * std::numbers::sqrt2;
  line[0] = single * x[0].real();
  for (std::int64_t mode = 1; mode < n_; ++mode) {
    const Fft::Complex& sum = x[static_cast<std::size_t>(frequency(mode))];  // Σ cos − i Σ sin
    const double norm = partner(mode) == mode ? single : paired;
    line[mode * stride] = norm * (mode % 2 == 1 ? sum.real() : -sum.imag());
  }
}

void FourierBasis::synthesise_line(double* line, std::int64_t stride, std::span<Fft::Complex> scratch) const {
  // w_i = Re Σ_k a_k exp(−2πi ki/n) with a_k = norm (u_cos + i u_sin).
  const std::span<Fft::Complex> x = scratch.first(fft_.length());
  for (Fft::Complex& value : x) value = 0;
  const double single = 1 / std::sqrt(static_cast<double>(n_));
  const double paired = single * std::numbers::sqrt2;
  for (std::int64_t mode = 0; mode < n_; ++mode) {
    const double value = (partner(mode) == mode ? single : paired) * line[mode * stride];
    x[static_cast<std::size_t>(frequency(mode))] +=
        mode == 0 || mode % 2 == 1 ? Fft::Complex(value, 0) : Fft::Complex(0, value);
  }
  fft_.forward(x, scratch.subspan(fft_.length()));
  for (std::int64_t i = 0; i < n_; ++i) line[i * stride] = x[static_cast<std::size_t>(i)].real();
}

void FourierBasis::eigenvalues_line(double* line, std::int64_t stride,
                                    std::span<Fft::Complex> scratch) const {
  const std::span<Fft::Complex> x = scratch.first(fft_.length());
  for (std::int64_t i = 0; i < n_; ++i) x[static_cast<std::size_t>(i)] = line[i * stride];
  fft_.forward(x, scratch.subspan(fft_.length()));
  for (std::int64_t mode = 0; mode < n_; ++mode) {
    line[mode * stride] = x[static_cast<std::size_t>(frequency(mode))].real();
  }
}

}  // namespace sluice::math
