#include "sluice/math/fft.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>

namespace sluice::math {
namespace {

using Complex = Fft::Complex;

/// exp(−2πi t/n).
Complex root_of_unity(std::size_t t, std::size_t n) {
  const double angle = 2 * std::numbers::pi * static_cast<double>(t) / static_cast<double>(n);
  return {std::cos(angle), -std::sin(angle)};
}

/// Without the library's care for infinities, which makes std::complex's product a function call.
Complex times(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// 4 first, then the small primes; empty when something else is left.
std::vector<std::size_t> small_factors(std::size_t n) {
  std::vector<std::size_t> factors;
  for (const std::size_t p : {4, 2, 3, 5, 7}) {
    for (; n % p == 0; n /= p) factors.push_back(p);
  }
  if (n != 1) factors.clear();
  return factors;
}

/// Transforms of length P of P numbers.
template <std::size_t P>
struct Butterfly {
  std::array<Complex, P> roots;
  Butterfly() {
    for (std::size_t t = 0; t < P; ++t) roots[t] = root_of_unity(t, P);
  }
  std::array<Complex, P> operator()(const std::array<Complex, P>& a) const {
    std::array<Complex, P> b{};
    for (std::size_t r = 0; r < P; ++r) {
      b[r] = a[0];
      for (std::size_t j = 1; j < P; ++j) b[r] += times(a[j], roots[j * r % P]);
    }
    return b;
  }
};
template <>
struct Butterfly<2> {
  std::array<Complex, 2> operator()(const std::array<Complex, 2>& a) const {
    return {a[0] + a[1], a[0] - a[1]};
  }
};
template <>
struct Butterfly<4> {
  std::array<Complex, 4> operator()(const std::array<Complex, 4>& a) const {
    const Complex even = a[0] + a[2];
    const Complex odd = a[1] + a[3];
    const Complex minus = a[0] - a[2];
    const Complex turned = {(a[1] - a[3]).imag(), -(a[1] - a[3]).real()};  // −i(a₁ − a₃)
    return {even + odd, minus + turned, even - odd, minus - turned};
  }
};

/// One stage: transforms of length P over what is `stride · m` apart, turned and written side by side.
template <std::size_t P>
void stage(const Complex* x, Complex* y, std::size_t m, std::size_t stride,
           const std::vector<Complex>& roots) {
  const Butterfly<P> butterfly;
  std::array<Complex, P> turn;
  for (std::size_t q = 0; q < m; ++q) {
    for (std::size_t r = 0; r < P; ++r) turn[r] = roots[q * r * stride];
    for (std::size_t k = 0; k < stride; ++k) {
      std::array<Complex, P> a;
      for (std::size_t j = 0; j < P; ++j) a[j] = x[k + stride * (q + m * j)];
      const std::array<Complex, P> b = butterfly(a);
      for (std::size_t r = 0; r < P; ++r) y[k + stride * (P * q + r)] = times(b[r], turn[r]);
    }
  }
}

}  // namespace

Fft::Fft(std::size_t length) : length_(length), factors_(small_factors(length)) {
  if (length == 1) return;
  if (!factors_.empty()) {
    roots_.reserve(length);
    for (std::size_t t = 0; t < length; ++t) roots_.push_back(root_of_unity(t, length));
    return;
  }
  // jk = (j² + k² − (k−j)²)/2 turns the sum into a convolution with exp(πi j²/n).
  power_of_two_ = std::make_shared<const Fft>(std::bit_ceil(2 * length - 1));
  for (std::size_t j = 0; j < length; ++j) chirp_.push_back(root_of_unity(j * j % (2 * length), 2 * length));
  filter_.assign(power_of_two_->length(), 0.0);
  for (std::size_t j = 0; j < length; ++j) {
    filter_[j] = std::conj(chirp_[j]);
    filter_[(filter_.size() - j) % filter_.size()] = std::conj(chirp_[j]);
  }
  std::vector<Complex> scratch(power_of_two_->scratch_length());
  power_of_two_->forward(filter_, scratch);
  for (Complex& value : filter_) value /= static_cast<double>(filter_.size());  // of the inverse transform
}

std::size_t Fft::scratch_length() const { return power_of_two_ ? 2 * power_of_two_->length() : length_; }

void Fft::forward(std::span<Complex> values, std::span<Complex> scratch) const {
  if (length_ == 1) return;
  if (power_of_two_) {
    by_convolution(values, scratch);
  } else {
    direct(values, scratch);
  }
}

void Fft::direct(std::span<Complex> values, std::span<Complex> scratch) const {
  Complex* x = values.data();
  Complex* y = scratch.data();
  std::size_t left = length_;
  std::size_t stride = 1;
  for (const std::size_t p : factors_) {
    left /= p;
    switch (p) {
      case 2:
        stage<2>(x, y, left, stride, roots_);
        break;
      case 3:
        stage<3>(x, y, left, stride, roots_);
        break;
      case 4:
        stage<4>(x, y, left, stride, roots_);
        break;
      case 5:
        stage<5>(x, y, left, stride, roots_);
        break;
      default:
        stage<7>(x, y, left, stride, roots_);
        break;
    }
    stride *= p;
    std::swap(x, y);
  }
  if (x != values.data()) std::copy_n(x, length_, values.data());
}

void Fft::by_convolution(std::span<Complex> values, std::span<Complex> scratch) const {
  const std::span<Complex> work = scratch.first(filter_.size());
  const std::span<Complex> rest = scratch.subspan(filter_.size());
  for (std::size_t j = 0; j < length_; ++j) work[j] = times(values[j], chirp_[j]);
  std::fill(work.begin() + static_cast<std::ptrdiff_t>(length_), work.end(), 0.0);
  power_of_two_->forward(work, rest);
  // The inverse transform is the conjugate of the transform of the conjugate.
  for (std::size_t k = 0; k < work.size(); ++k) work[k] = std::conj(times(work[k], filter_[k]));
  power_of_two_->forward(work, rest);
  for (std::size_t k = 0; k < length_; ++k) values[k] = times(std::conj(work[k]), chirp_[k]);
}

}  // namespace sluice::math
