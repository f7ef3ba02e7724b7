// Compiled once per instruction set: Highway includes this file again for each target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sluice/math/kernels.cpp"
#include <hwy/foreach_target.h>
// Highway
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include "sluice/math/kernels.hpp"
#include "sluice/math/vector_functions.inc"

HWY_BEFORE_NAMESPACE();
namespace sluice::math::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::ScalableTag<float>;
using Vec = hn::Vec<Tag>;
constexpr Tag kTag;

// Rows × vectors of C held in registers: 24 of AVX-512's 32, 12 of the others' 16; the rest hold a row of B and a factor.
constexpr int kVectors = 3;
constexpr int kTile = HWY_TARGET <= HWY_AVX3 ? 24 : 12;

template <int rows, int vectors>
HWY_INLINE void tile(const Product<float>& p, std::int64_t i, std::int64_t j) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(kTag));
  Vec sum[rows][vectors];
  for (int r = 0; r < rows; ++r) {
    for (int v = 0; v < vectors; ++v) {
      sum[r][v] = p.add ? hn::LoadU(kTag, p.c + (i + r) * p.c_stride + j + v * lanes) : hn::Zero(kTag);
    }
  }
  const float* a = p.a + i * p.a_stride;
  const float* b = p.b + j;
  for (std::int64_t k = 0; k < p.k; ++k, a += p.a_step, b += p.b_stride) {
    Vec row[vectors];
    for (int v = 0; v < vectors; ++v) row[v] = hn::LoadU(kTag, b + v * lanes);
    for (int r = 0; r < rows; ++r) {
      const Vec factor = hn::Set(kTag, a[r * p.a_stride]);
      for (int v = 0; v < vectors; ++v) sum[r][v] = hn::MulAdd(factor, row[v], sum[r][v]);
    }
  }
  for (int r = 0; r < rows; ++r) {
    for (int v = 0; v < vectors; ++v) hn::StoreU(sum[r][v], kTag, p.c + (i + r) * p.c_stride + j + v * lanes);
  }
}

template <int vectors>
HWY_INLINE void columns(const Product<float>& p, std::int64_t j) {
  constexpr int kRows = vectors == 1 ? 8 : kTile / vectors;
  std::int64_t i = 0;
  for (; i + kRows <= p.m; i += kRows) tile<kRows, vectors>(p, i, j);
  if constexpr (kRows > 4) {
    for (; i + 4 <= p.m; i += 4) tile<4, vectors>(p, i, j);
  }
  for (; i + 2 <= p.m; i += 2) tile<2, vectors>(p, i, j);
  for (; i < p.m; ++i) tile<1, vectors>(p, i, j);
}

/// One stretch of the sum over k, for all of C.
HWY_INLINE void stretch(const Product<float>& p) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(kTag));
  std::int64_t j = 0;
  std::int64_t left = p.n / lanes;  // four are 2 + 2: a tile of one vector spends its time on factors
  for (; left > 4 || left == kVectors; left -= kVectors, j += kVectors * lanes) columns<kVectors>(p, j);
  for (; left >= 2; left -= 2, j += 2 * lanes) columns<2>(p, j);
  if (left == 1) columns<1>(p, j);
}

void multiply(const Product<float>& p) {
  // B is read once per kRows rows of C: in stretches of 128 rows (24 KiB at 48 lanes) it stays in the first-level cache.
  // C is float in registers and in memory, so cutting the sum does not change its bits.
  constexpr std::int64_t kStretch = 128;
  Product<float> part = p;
  for (std::int64_t first = 0; first == 0 || first < p.k; first += kStretch) {
    part.k = p.k - first < kStretch ? p.k - first : kStretch;
    part.a = p.a + first * p.a_step;
    part.b = p.b + first * p.b_stride;
    part.add = p.add || first > 0;
    stretch(part);
  }
}

void scale_rows(float* rows, std::int64_t count, const float* factors, std::int64_t size) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(kTag));
  for (std::int64_t j = 0; j < size; j += lanes) {
    const Vec factor = hn::LoadU(kTag, factors + j);
    for (std::int64_t i = 0; i < count; ++i) {
      float* at = rows + i * size + j;
      hn::StoreU(hn::Mul(factor, hn::LoadU(kTag, at)), kTag, at);
    }
  }
}

void dot_rows(const float* rows, std::int64_t count, std::int64_t stride, const float* factors,
              std::int64_t size, float* sums) {
  constexpr auto kLanes = static_cast<std::int64_t>(hn::MaxLanes(kTag));
  constexpr std::int64_t kParts = kWidestVector / kLanes;
  const std::int64_t whole = size / kWidestVector * kWidestVector;
  for (std::int64_t i = 0; i < count; ++i) {
    const float* row = rows + i * stride;
    Vec sum[kParts];
    for (Vec& part : sum) part = hn::Zero(kTag);
    for (std::int64_t j = 0; j < whole; j += kWidestVector) {
      for (std::int64_t p = 0; p < kParts; ++p) {
        const std::int64_t at = j + p * kLanes;
        sum[p] = hn::MulAdd(hn::LoadU(kTag, factors + at), hn::LoadU(kTag, row + at), sum[p]);
      }
    }
    for (std::int64_t p = 0; p < kParts && whole + p * kLanes < size; ++p) {
      const std::int64_t at = whole + p * kLanes;
      const auto here = hn::FirstN(kTag, static_cast<std::size_t>(size - at));
      sum[p] =
          hn::MulAdd(hn::MaskedLoad(here, kTag, factors + at), hn::MaskedLoad(here, kTag, row + at), sum[p]);
    }
    HWY_ALIGN float folded[kWidestVector];
    for (std::int64_t p = 0; p < kParts; ++p) hn::StoreU(sum[p], kTag, folded + p * kLanes);
    for (std::int64_t half = kWidestVector / 2; half > 0; half /= 2) {
      for (std::int64_t j = 0; j < half; ++j) folded[j] += folded[j + half];
    }
    sums[i] += folded[0];
  }
}

void accumulate(const float* parts, double* sums, std::int64_t count) {
  const hn::ScalableTag<double> wide;
  const hn::Rebind<float, decltype(wide)> narrow;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(wide));
  for (std::int64_t i = 0; i < count; i += lanes) {
    const auto more = hn::PromoteTo(wide, hn::LoadU(narrow, parts + i));
    hn::StoreU(hn::Add(hn::LoadU(wide, sums + i), more), wide, sums + i);
  }
}

void erf(float* values, std::int64_t count, float factor, float scale) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(kTag));
  const Vec f = hn::Set(kTag, factor);
  const Vec s = hn::Set(kTag, scale);
  for (std::int64_t i = 0; i < count; i += lanes) {
    const Vec x = hn::Mul(f, hn::LoadU(kTag, values + i));
    hn::StoreU(hn::Mul(s, vector_erf(kTag, x)), kTag, values + i);
  }
}

void logistic(float* values, std::int64_t count, float factor, float scale) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(kTag));
  const Vec f = hn::Set(kTag, factor);
  const Vec s = hn::Set(kTag, scale);
  for (std::int64_t i = 0; i < count; i += lanes) {
    const Vec x = hn::Mul(f, hn::LoadU(kTag, values + i));
    hn::StoreU(hn::Mul(s, vector_logistic(kTag, x)), kTag, values + i);
  }
}

/// Four sites of `out.stride` samples per pass over j; sample r of the block has the address first.row + r. `law` turns
/// the four random words of a counter into the numbers of its four sites.
template <class Law>
HWY_INLINE void fill(const Address& first, const Lanes& out, Law law) {
  const hn::RebindToUnsigned<Tag> words;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(kTag));
  const auto key0 = static_cast<std::uint32_t>(first.seed);
  const auto key1 = static_cast<std::uint32_t>(first.seed >> 32);
  const auto step = hn::Set(words, static_cast<std::uint32_t>(first.step));
  const auto tag = hn::Set(words, address_tag(first));
  const auto lane = hn::Iota(words, 0);  // once: Iota fills a vector through memory
  for (std::int64_t j = 0; 4 * j < out.sites; ++j) {
    for (std::int64_t r = 0; r < out.stride; r += lanes) {
      auto w0 = hn::Set(words, static_cast<std::uint32_t>(j));
      auto w1 = hn::Add(lane, hn::Set(words, first.row + static_cast<std::uint32_t>(r)));
      auto w2 = step;
      auto w3 = tag;
      vector_philox(words, key0, key1, w0, w1, w2, w3);
      Vec z[4];
      law(w0, w1, w2, w3, z);
      const std::int64_t left = out.sites - 4 * j;
      float* at = out.data + 4 * j * out.stride + r;
      hn::StoreU(z[0], kTag, at);
      if (left > 1) hn::StoreU(z[1], kTag, at + out.stride);
      if (left > 2) hn::StoreU(z[2], kTag, at + 2 * out.stride);
      if (left > 3) hn::StoreU(z[3], kTag, at + 3 * out.stride);
    }
  }
}

using Words = hn::Vec<hn::RebindToUnsigned<Tag>>;

void normals(const Address& first, const Lanes& out) {
  fill(first, out, [](Words w0, Words w1, Words w2, Words w3, Vec* z) HWY_ATTR {
    box_muller(kTag, w0, w1, z[0], z[1]);
    box_muller(kTag, w2, w3, z[2], z[3]);
  });
}

void uniforms(const Address& first, const Lanes& out) {
  fill(first, out, [](Words w0, Words w1, Words w2, Words w3, Vec* z) HWY_ATTR {
    z[0] = unit_uniform(kTag, w0);
    z[1] = unit_uniform(kTag, w1);
    z[2] = unit_uniform(kTag, w2);
    z[3] = unit_uniform(kTag, w3);
  });
}

std::string_view name() { return hwy::TargetName(HWY_TARGET); }

}  // namespace sluice::math::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <algorithm>

#include "sluice/math/assert.hpp"

namespace sluice::math {
namespace {

/// Rows of B and C hold their n columns; A[i, k] is A's own element, read along rows or transposed.
template <class Real>
[[maybe_unused]] bool fits(const Product<Real>& p) {
  const bool rows_of_a = p.a_step == 1 && (p.m <= 1 || p.a_stride >= p.k);
  const bool columns_of_a = p.a_stride == 1 && (p.k <= 1 || p.a_step >= p.m);
  return p.m >= 0 && p.n >= 0 && p.k >= 0 && (rows_of_a || columns_of_a) && (p.k <= 1 || p.b_stride >= 1) &&
         (p.m <= 1 || p.c_stride >= p.n);
}

}  // namespace

HWY_EXPORT(multiply);
HWY_EXPORT(scale_rows);
HWY_EXPORT(dot_rows);
HWY_EXPORT(accumulate);
HWY_EXPORT(erf);
HWY_EXPORT(logistic);
HWY_EXPORT(normals);
HWY_EXPORT(uniforms);
HWY_EXPORT(name);

void multiply(const Product<float>& product) {
  SLUICE_ASSERT(fits(product) && product.n % kWidestVector == 0);
  HWY_DYNAMIC_DISPATCH(multiply)(product);
}

void multiply(const Product<double>& p) {
  SLUICE_ASSERT(fits(p) && p.n % kWidestVector == 0);
  for (std::int64_t i = 0; i < p.m; ++i) {
    double* c = p.c + i * p.c_stride;
    if (!p.add) std::fill(c, c + p.n, 0.0);
    for (std::int64_t k = 0; k < p.k; ++k) {
      const double factor = p.a[i * p.a_stride + k * p.a_step];
      const double* b = p.b + k * p.b_stride;
      for (std::int64_t j = 0; j < p.n; ++j) c[j] += factor * b[j];
    }
  }
}

void scale_rows(float* rows, std::int64_t count, std::span<const float> factors) {
  HWY_DYNAMIC_DISPATCH(scale_rows)(rows, count, factors.data(), static_cast<std::int64_t>(factors.size()));
}

void scale_rows(double* rows, std::int64_t count, std::span<const double> factors) {
  for (std::int64_t i = 0; i < count; ++i) {
    for (const double factor : factors) *rows++ *= factor;
  }
}

void dot_rows(const float* rows, std::int64_t count, std::int64_t stride, std::span<const float> factors,
              float* sums) {
  SLUICE_ASSERT(stride >= static_cast<std::int64_t>(factors.size()));
  HWY_DYNAMIC_DISPATCH(dot_rows)
  (rows, count, stride, factors.data(), static_cast<std::int64_t>(factors.size()), sums);
}

void dot_rows(const double* rows, std::int64_t count, std::int64_t stride, std::span<const double> factors,
              double* sums) {
  for (std::int64_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < factors.size(); ++j)
      sums[i] += factors[j] * rows[i * stride + static_cast<std::int64_t>(j)];
  }
}

void accumulate(std::span<const float> parts, std::span<double> sums) {
  SLUICE_ASSERT(parts.size() == sums.size() && parts.size() % kWidestVector == 0);
  HWY_DYNAMIC_DISPATCH(accumulate)(parts.data(), sums.data(), static_cast<std::int64_t>(parts.size()));
}

void erf(std::span<float> values, float factor, float scale) {
  SLUICE_ASSERT(values.size() % kWidestVector == 0);
  HWY_DYNAMIC_DISPATCH(erf)(values.data(), static_cast<std::int64_t>(values.size()), factor, scale);
}

void logistic(std::span<float> values, float factor, float scale) {
  SLUICE_ASSERT(values.size() % kWidestVector == 0);
  HWY_DYNAMIC_DISPATCH(logistic)(values.data(), static_cast<std::int64_t>(values.size()), factor, scale);
}

void fill_normals(const Address& first, const Lanes& out) { HWY_DYNAMIC_DISPATCH(normals)(first, out); }

void fill_uniforms(const Address& first, const Lanes& out) { HWY_DYNAMIC_DISPATCH(uniforms)(first, out); }

std::string_view instruction_set() { return HWY_DYNAMIC_DISPATCH(name)(); }

}  // namespace sluice::math
#endif  // HWY_ONCE
