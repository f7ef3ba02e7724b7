// Compiled once per instruction set: Highway includes this file again for each target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sluice/math/fourier_kernels.cpp"
#include <hwy/foreach_target.h>
// Highway
#include <hwy/highway.h>

#include "sluice/math/fourier.hpp"
#include "sluice/math/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace sluice::math::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// A complex number per lane.
template <class D>
struct Complex {
  hn::Vec<D> re, im;
};

template <class D>
using RowsOf = ComplexRows<hn::TFromD<D>>;

template <class D>
HWY_INLINE Complex<D> load(D d, const RowsOf<D>& rows, std::int64_t k) {
  return {hn::LoadU(d, rows.re(k)), hn::LoadU(d, rows.im(k))};
}
template <class D>
HWY_INLINE void store(D d, const Complex<D>& z, const RowsOf<D>& rows, std::int64_t k) {
  hn::StoreU(z.re, d, rows.re(k));
  hn::StoreU(z.im, d, rows.im(k));
}
template <class D>
HWY_INLINE Complex<D> add(const Complex<D>& a, const Complex<D>& b) {
  return {hn::Add(a.re, b.re), hn::Add(a.im, b.im)};
}
template <class D>
HWY_INLINE Complex<D> sub(const Complex<D>& a, const Complex<D>& b) {
  return {hn::Sub(a.re, b.re), hn::Sub(a.im, b.im)};
}
template <class D>
HWY_INLINE Complex<D> add_i(const Complex<D>& a, const Complex<D>& b) {  // a + i b
  return {hn::Sub(a.re, b.im), hn::Add(a.im, b.re)};
}
template <class D>
HWY_INLINE Complex<D> sub_i(const Complex<D>& a, const Complex<D>& b) {  // a − i b
  return {hn::Add(a.re, b.im), hn::Sub(a.im, b.re)};
}
template <class D>
HWY_INLINE Complex<D> add_times(const Complex<D>& a, hn::Vec<D> factor,
                                const Complex<D>& b) {  // a + factor·b
  return {hn::MulAdd(factor, b.re, a.re), hn::MulAdd(factor, b.im, a.im)};
}
/// z·(cos + i sin), `turn` pointing at the two numbers.
template <class D>
HWY_INLINE Complex<D> turned(D d, const Complex<D>& z, const hn::TFromD<D>* turn) {
  const auto c = hn::Set(d, turn[0]);
  const auto s = hn::Set(d, turn[1]);
  return {hn::NegMulAdd(s, z.im, hn::Mul(c, z.re)), hn::MulAdd(s, z.re, hn::Mul(c, z.im))};
}

/// y_j = Σ_i x_i e^(2πi ij/radix), in place.
template <class D>
HWY_INLINE void butterfly(D, Complex<D> (&x)[2]) {
  const Complex<D> first = x[0];
  x[0] = add<D>(first, x[1]);
  x[1] = sub<D>(first, x[1]);
}
template <class D>
HWY_INLINE void butterfly(D d, Complex<D> (&x)[3]) {
  const auto half = hn::Set(d, hn::TFromD<D>(-0.5));
  const auto sine = hn::Set(d, hn::TFromD<D>(0.86602540378443864676));  // sin 2π/3
  const Complex<D> sum = add<D>(x[1], x[2]);
  const Complex<D> difference = sub<D>(x[1], x[2]);
  const Complex<D> middle = add_times<D>(x[0], half, sum);
  const Complex<D> side{hn::Mul(sine, difference.re), hn::Mul(sine, difference.im)};
  x[0] = add<D>(x[0], sum);
  x[1] = add_i<D>(middle, side);
  x[2] = sub_i<D>(middle, side);
}
template <class D>
HWY_INLINE void butterfly(D, Complex<D> (&x)[4]) {
  const Complex<D> even = add<D>(x[0], x[2]);
  const Complex<D> even_difference = sub<D>(x[0], x[2]);
  const Complex<D> odd = add<D>(x[1], x[3]);
  const Complex<D> odd_difference = sub<D>(x[1], x[3]);
  x[0] = add<D>(even, odd);
  x[1] = add_i<D>(even_difference, odd_difference);
  x[2] = sub<D>(even, odd);
  x[3] = sub_i<D>(even_difference, odd_difference);
}
template <class D>
HWY_INLINE void butterfly(D d, Complex<D> (&x)[5]) {
  using T = hn::TFromD<D>;
  const auto cos1 = hn::Set(d, T(0.30901699437494742410));  // cos 2π/5
  const auto cos2 = hn::Set(d, T(-0.80901699437494742410));
  const auto sin1 = hn::Set(d, T(0.95105651629515357212));
  const auto sin2 = hn::Set(d, T(0.58778525229247312917));
  const Complex<D> sum1 = add<D>(x[1], x[4]), difference1 = sub<D>(x[1], x[4]);
  const Complex<D> sum2 = add<D>(x[2], x[3]), difference2 = sub<D>(x[2], x[3]);
  const Complex<D> middle1 = add_times<D>(add_times<D>(x[0], cos1, sum1), cos2, sum2);
  const Complex<D> middle2 = add_times<D>(add_times<D>(x[0], cos2, sum1), cos1, sum2);
  const Complex<D> side1{hn::MulAdd(sin1, difference1.re, hn::Mul(sin2, difference2.re)),
                         hn::MulAdd(sin1, difference1.im, hn::Mul(sin2, difference2.im))};
  const Complex<D> side2{hn::NegMulAdd(sin1, difference2.re, hn::Mul(sin2, difference1.re)),
                         hn::NegMulAdd(sin1, difference2.im, hn::Mul(sin2, difference1.im))};
  x[0] = add<D>(x[0], add<D>(sum1, sum2));
  x[1] = add_i<D>(middle1, side1);
  x[4] = sub_i<D>(middle1, side1);
  x[2] = add_i<D>(middle2, side2);
  x[3] = sub_i<D>(middle2, side2);
}

/// One Stockham pass: `left` numbers are still to be summed over, `done` sums are there already.
///   out[q + done(radix·p + j)] = e^(2πi pj/left) Σ_i in[q + done(p + left/radix·i)] e^(2πi ij/radix)
template <int radix, class D>
HWY_INLINE void pass(D d, const RowsOf<D>& in, const RowsOf<D>& out, std::int64_t left, std::int64_t done,
                     const hn::TFromD<D>* twiddles) {
  const std::int64_t blocks = left / radix;
  for (std::int64_t p = 0; p < blocks; ++p, twiddles += 2 * (radix - 1)) {
    for (std::int64_t q = 0; q < done; ++q) {
      Complex<D> x[radix];
      for (int i = 0; i < radix; ++i) x[i] = load(d, in, q + done * (p + blocks * i));
      butterfly(d, x);
      store(d, x[0], out, q + done * radix * p);
      for (int j = 1; j < radix; ++j) {
        store(d, p == 0 ? x[j] : turned(d, x[j], twiddles + 2 * (j - 1)), out, q + done * (radix * p + j));
      }
    }
  }
}

/// The same for an odd prime: x_j ± x_(radix−j) halve the work. The turns e^(2πij/radix) stand before the twiddles.
template <class D>
HWY_INLINE void prime_pass(D d, std::int64_t radix, const RowsOf<D>& in, const RowsOf<D>& out,
                           std::int64_t left, std::int64_t done, const hn::TFromD<D>* turns,
                           const RowsOf<D>& pairs) {
  const hn::TFromD<D>* twiddles = turns + 2 * radix;
  const std::int64_t blocks = left / radix;
  const std::int64_t half = radix / 2;
  for (std::int64_t p = 0; p < blocks; ++p, twiddles += 2 * (radix - 1)) {
    for (std::int64_t q = 0; q < done; ++q) {
      const Complex<D> first = load(d, in, q + done * p);
      Complex<D> total = first;
      for (std::int64_t i = 1; i <= half; ++i) {
        const Complex<D> a = load(d, in, q + done * (p + blocks * i));
        const Complex<D> b = load(d, in, q + done * (p + blocks * (radix - i)));
        const Complex<D> sum = add<D>(a, b);
        total = add<D>(total, sum);
        store(d, sum, pairs, i);
        store(d, sub<D>(a, b), pairs, half + i);
      }
      store(d, total, out, q + done * radix * p);
      for (std::int64_t j = 1; j <= half; ++j) {
        Complex<D> middle = first;
        Complex<D> side{hn::Zero(d), hn::Zero(d)};
        for (std::int64_t i = 1, at = j; i <= half; ++i) {
          middle = add_times<D>(middle, hn::Set(d, turns[2 * at]), load(d, pairs, i));
          side = add_times<D>(side, hn::Set(d, turns[2 * at + 1]), load(d, pairs, half + i));
          at += j;
          if (at >= radix) at -= radix;
        }
        store(d, turned(d, add_i<D>(middle, side), twiddles + 2 * (j - 1)), out, q + done * (radix * p + j));
        store(d, turned(d, sub_i<D>(middle, side), twiddles + 2 * (radix - j - 1)), out,
              q + done * (radix * p + radix - j));
      }
    }
  }
}

/// Rows of one vector each, cut off the front of the workspace.
template <class D>
HWY_INLINE RowsOf<D> take(D d, hn::TFromD<D>*& workspace, std::int64_t length) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const RowsOf<D> rows{workspace, 2 * lanes, lanes};
  workspace += 2 * length * lanes;
  return rows;
}

template <class D>
HWY_INLINE void passes(D d, const FourierPlan<hn::TFromD<D>>& plan, RowsOf<D> in, const RowsOf<D>& out,
                       hn::TFromD<D>* workspace) {
  if (plan.radices.empty()) return store(d, load(d, in, 0), out, 0);
  RowsOf<D> next = take(d, workspace, plan.length);
  RowsOf<D> other = take(d, workspace, plan.length);
  const hn::TFromD<D>* twiddles = plan.twiddles.data();
  std::int64_t left = plan.length;
  std::int64_t done = 1;
  for (const std::int64_t radix : plan.radices) {
    const RowsOf<D>& to = left == radix ? out : next;
    if (radix == 2) {
      pass<2>(d, in, to, left, done, twiddles);
    } else if (radix == 3) {
      pass<3>(d, in, to, left, done, twiddles);
    } else if (radix == 4) {
      pass<4>(d, in, to, left, done, twiddles);
    } else if (radix == 5) {
      pass<5>(d, in, to, left, done, twiddles);
    } else {
      prime_pass(d, radix, in, to, left, done, twiddles, RowsOf<D>{workspace, other.step, other.imaginary});
      twiddles += 2 * radix;
    }
    twiddles += 2 * (left / radix) * (radix - 1);
    left /= radix;
    done *= radix;
    in = next;
    next = other;
    other = in;
  }
}

template <class D>
void transform(D d, const FourierPlan<hn::TFromD<D>>& plan, const RowsOf<D>& in, const RowsOf<D>& out,
               hn::TFromD<D>* workspace);

/// m = columns·rows, k = k₁ rows + k₂, j = j₂ columns + j₁: columns sum over k₁ and leave j₁ in its place, in place.
template <class D>
HWY_INLINE void grid(D d, const FourierPlan<hn::TFromD<D>>& plan, const RowsOf<D>& in, const RowsOf<D>& out,
                     hn::TFromD<D>* workspace) {
  const std::int64_t columns = plan.parts[0].length;
  const std::int64_t rows = plan.parts[1].length;
  const RowsOf<D> column = take(d, workspace, columns);
  const hn::TFromD<D>* twiddles = plan.twiddles.data();
  for (std::int64_t k = 0; k < rows; ++k) {
    const RowsOf<D> place{in.re(k), rows * in.step, in.imaginary};
    transform(d, plan.parts[0], place, column, workspace);
    for (std::int64_t j = 0; j < columns; ++j, twiddles += 2) {
      store(d, turned(d, load(d, column, j), twiddles), place, j);
    }
  }
  for (std::int64_t j = 0; j < columns; ++j) {
    transform(d, plan.parts[1], RowsOf<D>{in.re(j * rows), in.step, in.imaginary},
              RowsOf<D>{out.re(j), columns * out.step, out.imaginary}, workspace);
  }
}

/// Bluestein: jk = (j² + k² − (j−k)²)/2 makes the sum a convolution with a chirp. Exchanging real and imaginary parts
/// turns the way back, e^(−2πi…), into the way there.
template <class D>
HWY_INLINE void chirp(D d, const FourierPlan<hn::TFromD<D>>& plan, const RowsOf<D>& in, const RowsOf<D>& out,
                      hn::TFromD<D>* workspace) {
  const FourierPlan<hn::TFromD<D>>& convolution = plan.parts[0];
  const RowsOf<D> from = take(d, workspace, convolution.length);
  const RowsOf<D> to = take(d, workspace, convolution.length);
  for (std::int64_t k = 0; k < plan.length; ++k) {
    store(d, turned(d, load(d, in, k), plan.twiddles.data() + 2 * k), from, k);
  }
  for (std::int64_t k = plan.length; k < convolution.length; ++k) {
    store(d, Complex<D>{hn::Zero(d), hn::Zero(d)}, from, k);
  }
  transform(d, convolution, from, to, workspace);
  for (std::int64_t k = 0; k < convolution.length; ++k) {
    const Complex<D> product = turned(d, load(d, to, k), plan.spectrum.data() + 2 * k);
    store(d, Complex<D>{product.im, product.re}, from, k);
  }
  transform(d, convolution, from, to, workspace);
  for (std::int64_t j = 0; j < plan.length; ++j) {
    const Complex<D> exchanged = load(d, to, j);
    store(d, turned(d, Complex<D>{exchanged.im, exchanged.re}, plan.twiddles.data() + 2 * j), out, j);
  }
}

/// `in` may be overwritten; `out` may be `in` for a plan of passes only.
template <class D>
void transform(D d, const FourierPlan<hn::TFromD<D>>& plan, const RowsOf<D>& in, const RowsOf<D>& out,
               hn::TFromD<D>* workspace) {
  using Method = typename FourierPlan<hn::TFromD<D>>::Method;
  if (plan.method == Method::passes) return passes(d, plan, in, out, workspace);
  if (plan.method == Method::grid) return grid(d, plan, in, out, workspace);
  chirp(d, plan, in, out, workspace);
}

using Tag = hn::ScalableTag<float>;
constexpr Tag kTag;
using Z = Complex<Tag>;

/// Modes times their factors.
struct Modes {
  const float* data;
  std::int64_t stride;
  const float* factors;

  HWY_INLINE hn::Vec<Tag> operator()(std::int64_t row) const {
    return hn::Mul(hn::Set(kTag, factors[row]), hn::LoadU(kTag, data + row * stride));
  }
};

/// Even n: sites 2j and 2j+1 are real and imaginary part of a sum of length m = n/2 over
///   C_0 = a_0 + a_m + i(a_0 − a_m)
///   C_k = P + T,  C_(m−k) = conj(P − T),   P = A_k + conj A_(m−k),  T = i e^(2πik/n) (A_k − conj A_(m−k)),  k ≤ m/2
HWY_INLINE Z pack_lowest(const Modes& modes) {
  const auto lowest = modes(0);
  const auto highest = modes(1);
  return {hn::Add(lowest, highest), hn::Sub(lowest, highest)};
}
HWY_INLINE void pack_pair(const Modes& modes, std::int64_t k, std::int64_t m, const float* turns, Z& low,
                          Z& high) {
  const Z a{modes(2 * k), modes(2 * k + 1)};
  const Z b{modes(2 * (m - k)), modes(2 * (m - k) + 1)};
  const Z p{hn::Add(a.re, b.re), hn::Sub(a.im, b.im)};
  const Z t = turned(kTag, Z{hn::Sub(a.re, b.re), hn::Add(a.im, b.im)}, turns + 2 * k);
  low = add_i<Tag>(p, t);
  const Z conjugate = sub_i<Tag>(p, t);
  high = {conjugate.re, hn::Neg(conjugate.im)};
}

HWY_INLINE void even_sites(const RealFourier& fourier, const Modes& modes, const ComplexRows<float>& out,
                           float* workspace) {
  const std::int64_t m = fourier.sites() / 2;
  const ComplexRows<float> packed = take(kTag, workspace, m);
  store(kTag, pack_lowest(modes), packed, 0);
  for (std::int64_t k = 1; 2 * k <= m; ++k) {
    Z low, high;
    pack_pair(modes, k, m, fourier.turns().data(), low, high);
    store(kTag, high, packed, m - k);
    store(kTag, low, packed, k);
  }
  transform(kTag, fourier.plan(), packed, out, workspace);
}

/// The same where it leaves the cache: as grid(), in place of the modes, which are packed on the way. Columns k and
/// rows − k are packed from each other, so they are taken together. Eight rows at a time are collected before they
/// are written, so that neighbouring sites are written together.
HWY_INLINE void even_sites_by_grid(const RealFourier& fourier, const Modes& modes,
                                   const ComplexRows<float>& in_place, const ComplexRows<float>& out,
                                   float* workspace) {
  constexpr std::int64_t kTogether = 8;
  const FourierPlan<float>& plan = fourier.plan();
  const std::int64_t m = plan.length;
  const std::int64_t columns = plan.parts[0].length;
  const std::int64_t rows = plan.parts[1].length;
  const ComplexRows<float> pair[2] = {take(kTag, workspace, columns), take(kTag, workspace, columns)};
  const ComplexRows<float> block = take(kTag, workspace, kTogether * rows);
  for (std::int64_t first = 0; 2 * first <= rows; ++first) {
    const std::int64_t second = first == 0 ? 0 : rows - first;
    for (std::int64_t i = 0; i < columns; ++i) {
      const std::int64_t k = i * rows + first;
      if (k == 0) {
        store(kTag, pack_lowest(modes), pair[0], 0);
        continue;
      }
      Z low, high;
      pack_pair(modes, 2 * k <= m ? k : m - k, m, fourier.turns().data(), low, high);
      const Z& here = 2 * k <= m ? low : high;
      const Z& there = 2 * k <= m ? high : low;
      store(kTag, here, pair[0], i);
      if (second != first) store(kTag, there, pair[1], (m - k) / rows);
    }
    for (int which = 0; which < (second == first ? 1 : 2); ++which) {
      const std::int64_t k = which == 0 ? first : second;
      passes(kTag, plan.parts[0], pair[which], pair[which], workspace);
      for (std::int64_t j = 0; j < columns; ++j) {
        store(kTag, turned(kTag, load(kTag, pair[which], j), plan.twiddles.data() + 2 * (k * columns + j)),
              in_place, j * rows + k);
      }
    }
  }
  for (std::int64_t first = 0; first < columns; first += kTogether) {
    const std::int64_t together = columns - first < kTogether ? columns - first : kTogether;
    for (std::int64_t t = 0; t < together; ++t) {
      transform(kTag, plan.parts[1],
                ComplexRows<float>{in_place.re((first + t) * rows), in_place.step, in_place.imaginary},
                ComplexRows<float>{block.re(t), kTogether * block.step, block.imaginary}, workspace);
    }
    for (std::int64_t j = 0; j < rows; ++j) {
      for (std::int64_t t = 0; t < together; ++t) {
        store(kTag, load(kTag, block, j * kTogether + t), out, j * columns + first + t);
      }
    }
  }
}

/// Odd n: the whole Hermitian spectrum, of which only the real part of the sum is kept.
HWY_INLINE void odd_sites(const RealFourier& fourier, const Modes& modes, const RealFourier::Line& out,
                          float* workspace) {
  const std::int64_t n = fourier.sites();
  const std::int64_t half = n / 2;
  const ComplexRows<float> packed = take(kTag, workspace, n);
  const ComplexRows<float> sums = take(kTag, workspace, n);
  store(kTag, Z{modes(0), hn::Zero(kTag)}, packed, 0);
  for (std::int64_t k = 1; k <= half; ++k) {
    const Z a{modes(k), modes(half + k)};
    store(kTag, a, packed, k);
    store(kTag, Z{a.re, hn::Neg(a.im)}, packed, n - k);
  }
  transform(kTag, fourier.plan(), packed, sums, workspace);
  for (std::int64_t j = 0; j < n; ++j) {
    hn::StoreU(hn::LoadU(kTag, sums.re(j)), kTag, out.data + j * out.stride);
  }
}

/// Odd n, by two products: x_j and x_(n−j) are sum and difference of a cosine and a sine part. All lanes at once.
HWY_INLINE void odd_sites_by_products(const RealFourier& fourier, const Modes& modes,
                                      const RealFourier::Line& out, std::int64_t lanes, float* workspace) {
  const auto width = static_cast<std::int64_t>(hn::Lanes(kTag));
  const std::int64_t n = fourier.sites();
  const std::int64_t half = n / 2;
  float* scaled = workspace;
  float* parts = workspace + n * lanes;  // cosine parts of j = 0 … half, sine parts of 1 … half
  for (std::int64_t row = 0; row < n; ++row) {
    for (std::int64_t r = 0; r < lanes; r += width) {
      const Modes here{modes.data + r, modes.stride, modes.factors};
      hn::StoreU(here(row), kTag, scaled + row * lanes + r);
    }
  }
  const float* cosines = fourier.turns().data();
  const float* sines = cosines + (half + 1) * (half + 1);
  math::multiply(Product<float>{.m = half + 1,
                                .n = lanes,
                                .k = half + 1,
                                .a = cosines,
                                .a_stride = half + 1,
                                .b = scaled,
                                .b_stride = lanes,
                                .c = parts,
                                .c_stride = lanes,
                                .add = false});
  math::multiply(Product<float>{.m = half,
                                .n = lanes,
                                .k = half,
                                .a = sines,
                                .a_stride = half,
                                .b = scaled + (half + 1) * lanes,
                                .b_stride = lanes,
                                .c = parts + (half + 1) * lanes,
                                .c_stride = lanes,
                                .add = false});
  for (std::int64_t r = 0; r < lanes; r += width) {
    hn::StoreU(hn::LoadU(kTag, parts + r), kTag, out.data + r);
    for (std::int64_t j = 1; j <= half; ++j) {
      const auto cosine = hn::LoadU(kTag, parts + j * lanes + r);
      const auto sine = hn::LoadU(kTag, parts + (half + j) * lanes + r);
      hn::StoreU(hn::Sub(cosine, sine), kTag, out.data + j * out.stride + r);
      hn::StoreU(hn::Add(cosine, sine), kTag, out.data + (n - j) * out.stride + r);
    }
  }
}

void synthesize(const RealFourier& fourier, const RealFourier::Line& modes, const RealFourier::Line& sites,
                const float* factors, std::int64_t lanes, float* workspace) {
  if (fourier.method() == RealFourier::Method::products) {
    constexpr std::int64_t kTogether = RealFourier::kLanesOfProducts;
    for (std::int64_t r = 0; r < lanes; r += kTogether) {
      odd_sites_by_products(fourier, Modes{modes.data + r, modes.stride, factors},
                            {sites.data + r, sites.stride}, lanes - r < kTogether ? lanes - r : kTogether,
                            workspace);
    }
    return;
  }
  const auto width = static_cast<std::int64_t>(hn::Lanes(kTag));
  for (std::int64_t r = 0; r < lanes; r += width) {
    const Modes from{modes.data + r, modes.stride, factors};
    const RealFourier::Line to{sites.data + r, sites.stride};
    const ComplexRows<float> pairs{to.data, 2 * to.stride, to.stride};
    switch (fourier.method()) {
      case RealFourier::Method::even:
        even_sites(fourier, from, pairs, workspace);
        break;
      case RealFourier::Method::even_by_grid:
        even_sites_by_grid(fourier, from, {modes.data + r, 2 * modes.stride, modes.stride}, pairs, workspace);
        break;
      default:
        odd_sites(fourier, from, to, workspace);
    }
  }
}

void one_lane(const FourierPlan<double>& plan, double* values, double* workspace) {
  const hn::CappedTag<double, 1> one;
  const ComplexRows<double> out{values, 2, 1};
  const ComplexRows<double> in = take(one, workspace, plan.length);
  for (std::int64_t k = 0; k < plan.length; ++k) store(one, load(one, out, k), in, k);
  transform(one, plan, in, out, workspace);
}

}  // namespace sluice::math::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sluice::math {

HWY_EXPORT(synthesize);
HWY_EXPORT(one_lane);

void fourier(const FourierPlan<double>& plan, std::span<double> values) {
  std::vector<double> workspace(static_cast<std::size_t>(2 * plan.length + plan.workspace));
  HWY_DYNAMIC_DISPATCH(one_lane)(plan, values.data(), workspace.data());
}

void RealFourier::synthesize(const Line& modes, const Line& sites, std::span<const float> factors,
                             std::int64_t lanes) const {
  // One per thread, kept: samplers allocate nothing from the second block on.
  thread_local Aligned<float> workspace;
  if (workspace.size() < workspace_) workspace.resize(workspace_);
  HWY_DYNAMIC_DISPATCH(synthesize)(*this, modes, sites, factors.data(), lanes, workspace.data());
}

}  // namespace sluice::math
#endif  // HWY_ONCE
