/// Fourier sums of any length, over lanes: each butterfly acts on a vector of samples.
///
///   X_j = Σ_k C_k e^(2πi jk/m)                                       complex, `Fourier`
///   x_j = a_0 + (−1)^j a_(n/2) + 2 Re Σ_(0<k<n/2) A_k e^(2πi jk/n)   real sites from n real modes, `RealFourier`
///
/// Written by hand because Debian's permissive library (kissfft) has no transform over lanes and FFTW is GPL.
/// Every lane goes through the same operations in the same order: its result does not depend on its neighbours.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sluice/math/lanes.hpp"

namespace sluice::math {

/// Complex numbers as rows of lanes: the real parts of element k stand at data + k·step, the imaginary ones `imaginary`
/// further on.
template <class Real>
struct ComplexRows {
  Real* data = nullptr;
  std::int64_t step = 0;
  std::int64_t imaginary = 0;

  Real* re(std::int64_t k) const { return data + k * step; }
  Real* im(std::int64_t k) const { return data + k * step + imaginary; }
};

/// What the sum of one length needs. One of three methods:
///   passes   Stockham's self-sorting passes of radix 4, 2, 3, 5 or another prime up to kLargestPrime
///   grid     m = columns × rows for lengths that leave the cache: columns, twiddles, rows, each in the cache
///   chirp    Bluestein's convolution, where a prime factor is larger
template <class Real>
struct FourierPlan {
  static constexpr std::int64_t kLargestPrime = 100;
  static constexpr std::int64_t kLongestInCache = 1024;
  enum class Method { passes, grid, chirp };

  explicit FourierPlan(std::int64_t length);

  std::int64_t length;
  Method method;
  std::vector<std::int64_t> radices;  ///< of the passes
  std::vector<Real> twiddles;      ///< passes: in the order of use; grid: e^(2πi jk/m); chirp: e^(πi j²/m)
  std::vector<Real> spectrum;      ///< chirp: the transform of the conjugate chirp
  std::vector<FourierPlan> parts;  ///< grid: columns and rows; chirp: the convolution
  std::int64_t workspace = 0;      ///< Reals per lane
};

/// In place, one lane: values are re, im, re, im, …
void fourier(const FourierPlan<double>& plan, std::span<double> values);

/// n real modes to n real sites. The modes of frequency k are, as rows,
///   even n   0: k = 0,   1: k = n/2,   2k, 2k+1: Re A_k, Im A_k
///   odd n    0: k = 0,   k: Re A_k,    (n−1)/2 + k: Im A_k
/// They are orthogonal; norm() is the length of each.
///
/// Even n are a complex sum of half the length. Odd n take a complex sum of the whole length, twice the work, except where
/// two products of half the size are faster: up to 99 sites, and up to 599 when a prime above kLargestPrime divides n.
/// Measured, single thread of an EPYC with AVX-512, ns per sample (dense is one n × n product):
///   n            10    20    40    64   100   200    400    1000   |   37    97   401
///   dense         3   7.5    28    71   172   700   2800   18000   |   24   162  2830
///   this          2     5    10    23    32    70    190     470   |   14    86  1420
class RealFourier {
 public:
  explicit RealFourier(std::int64_t sites);

  std::int64_t sites() const { return sites_; }
  std::int64_t frequency(std::int64_t mode) const;
  double norm(std::int64_t mode) const;

  /// Where the sites (modes) of one ring stand: site j of lane r at data + j·stride + r.
  struct Line {
    float* data;
    std::int64_t stride;
  };
  /// sites = Σ_mode factors[mode] · modes[mode] · (mode's wave), for `lanes` lanes (a multiple of kWidestVector). The modes
  /// may be overwritten; up to kLongestInPlace sites the two lines may be the same.
  static constexpr std::int64_t kLongestInPlace = 2 * FourierPlan<float>::kLongestInCache;
  void synthesize(const Line& modes, const Line& sites, std::span<const float> factors,
                  std::int64_t lanes) const;

  // For the vector code in fourier_kernels.cpp.
  enum class Method { even, even_by_grid, odd, products };
  static constexpr std::int64_t kLanesOfProducts = 48;
  Method method() const { return method_; }
  const FourierPlan<float>& plan() const { return plan_; }
  std::span<const float> turns() const { return turns_; }

 private:
  std::int64_t sites_;
  FourierPlan<float> plan_;  // of length n/2 for even n, n for odd n
  Method method_;
  std::vector<float>
      turns_;  // even n: cos, sin of 2πk/n for k ≤ n/4; products: the matrices of cosines and of sines
  std::size_t workspace_;  // floats
};

}  // namespace sluice::math
