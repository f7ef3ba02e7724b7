/// The discrete Fourier transform of every length in O(n log n), in double.
///   X_k = Σ_j x_j exp(−2πi jk/n)                                                                    ledger: N0.33
/// Lengths whose prime factors are 2, 3, 5 and 7 are transformed directly (Stockham's ordering, no bit reversal); all
/// others as a convolution with a chirp of twice the length (Bluestein 1970). Written by hand because FFTW is copyleft,
/// kissfft takes O(n²) for a prime length, and Debian packages no other in double.
#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace sluice::math {

class Fft {
 public:
  using Complex = std::complex<double>;

  /// `length` ≥ 1.
  explicit Fft(std::size_t length);

  std::size_t length() const { return length_; }
  std::size_t scratch_length() const;

  /// values ← their transform. `scratch` has scratch_length() numbers; a plan may be used by several threads at once.
  void forward(std::span<Complex> values, std::span<Complex> scratch) const;

 private:
  void direct(std::span<Complex> values, std::span<Complex> scratch) const;
  void by_convolution(std::span<Complex> values, std::span<Complex> scratch) const;

  std::size_t length_;
  std::vector<std::size_t> factors_;  // empty when the length has a prime factor above 7
  std::vector<Complex> roots_;        // exp(−2πit/n)
  // For the convolution: a plan whose length is a power of two, the chirp exp(−πij²/n), and the transform of its conjugate.
  std::shared_ptr<const Fft> power_of_two_;
  std::vector<Complex> chirp_;
  std::vector<Complex> filter_;
};

}  // namespace sluice::math
