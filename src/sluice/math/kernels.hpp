/// The vector loops everything else is made of: one source, compiled for every instruction set (Highway), chosen once
/// at run time. AVX2, AVX-512 and NEON give the same bits: every sum runs in one order and every product that feeds a
/// sum is fused. Plain SSE has no fused product and differs in the last bit.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "sluice/math/lanes.hpp"
#include "sluice/math/random.hpp"

namespace sluice::math {

/// C[m,n] (+)= A[m,k] · B[k,n], all row-major with the given strides (rows of B, which is only read, may overlap: a ring from every site on); n is a multiple of kWidestVector. Each element of C
/// is summed over k in increasing order. Hand-written because a BLAS packs its operands, which costs more than the
/// product at the sizes of a block (100 × 40 × 48), and does not promise an order of additions.
template <class Real>
struct Product {
  std::int64_t m, n, k;
  const Real* a;
  std::int64_t a_stride;
  const Real* b;
  std::int64_t b_stride;
  Real* c;
  std::int64_t c_stride;
  bool add;  ///< C += instead of C =
  std::int64_t a_step =
      1;  ///< from one k to the next in A: with a_stride = 1 and a_step = stride, A is read transposed
};
void multiply(const Product<float>& product);
void multiply(const Product<double>& product);  ///< plain loops, for gradient checks and theory

/// rows[i, ·] ← factors · rows[i, ·] for each of `count` rows of factors.size() values.
void scale_rows(float* rows, std::int64_t count, std::span<const float> factors);
void scale_rows(double* rows, std::int64_t count, std::span<const double> factors);

/// sums[i] ← sums[i] + ⟨factors, rows[i, ·]⟩ for each of `count` rows, `stride` apart; a row beyond factors.size() is not
/// read. Always 16 partial sums and one order of adding them, so that bits do not depend on the width of vectors.
void dot_rows(const float* rows, std::int64_t count, std::int64_t stride, std::span<const float> factors,
              float* sums);
void dot_rows(const double* rows, std::int64_t count, std::int64_t stride, std::span<const double> factors,
              double* sums);

/// sums ← sums + parts, in double.
void accumulate(std::span<const float> parts, std::span<double> sums);

/// out[r·out_stride + i] = x(i, r): sites of one sample next to each other.
template <class From, class Real>
void transpose(const LanesOf<From>& x, Real* out, std::int64_t out_stride) {
  // Eight sites at a time: reads run along lanes, writes stay within a cache line of each sample.
  for (std::int64_t i = 0; i < x.sites; i += 8) {
    const std::int64_t end = i + 8 < x.sites ? i + 8 : x.sites;
    for (std::int64_t r = 0; r < x.samples; ++r) {
      for (std::int64_t s = i; s < end; ++s) out[r * out_stride + s] = x.data[s * x.stride + r];
    }
  }
}

/// values ← scale · erf(factor · values); relative error below 1e-6 (test/math/kernels_test.cpp). The number of values is
/// a multiple of kWidestVector here and below. Saturates to exactly ±scale (notes: J.1).
void erf(std::span<float> values, float factor, float scale);

/// values ← scale/(1 + e^(−factor · values)), relative error below 1e-6.
void logistic(std::span<float> values, float factor, float scale);

/// Which instruction set was chosen: "AVX3" (AVX-512), "AVX2", "NEON", …
std::string_view instruction_set();

}  // namespace sluice::math
