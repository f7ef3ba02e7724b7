#include "sluice/file/sha256_block.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

#include <bit>

#include "sluice/math/assert.hpp"

namespace sluice::file {
namespace {

using Word = std::uint32_t;

// FIPS 180-4 takes its constants from the primes: the first 32 bits behind the point of √p (§5.3.3) and of ∛p (§4.2.2).
// Here the largest integer r with rⁿ ≤ p·2³²ⁿ, without what stands before the point.
constexpr Word root_fraction(std::uint64_t p, int n) {
  std::uint64_t root = 0;
  for (std::uint64_t bit = std::uint64_t{1} << 36; bit > 0; bit /= 2) {
    __extension__ using Wide = unsigned __int128;
    const Wide r = root + bit;
    const bool fits = n == 2 ? r * r <= Wide{p} << 64 : r * r <= (Wide{p} << 96) / r;
    if (fits) root += bit;
  }
  return static_cast<Word>(root);
}

template <std::size_t N>
constexpr std::array<Word, N> root_fractions_of_primes(int n) {
  std::array<Word, N> words{};
  std::size_t found = 0;
  for (std::uint64_t p = 2; found < N; ++p) {
    bool prime = true;
    for (std::uint64_t divisor = 2; divisor * divisor <= p; ++divisor) prime = prime && p % divisor != 0;
    if (prime) words[found++] = root_fraction(p, n);
  }
  return words;
}

constexpr auto kStart = root_fractions_of_primes<8>(2);
alignas(16) constexpr auto kRounds = root_fractions_of_primes<64>(3);

}  // namespace

ShaState sha_start() { return kStart; }

void compress_plainly(ShaState& state, const std::uint8_t* block) {
  std::array<Word, 64> w;
  for (std::size_t t = 0; t < 16; ++t) {
    w[t] = Word{block[4 * t]} << 24 | Word{block[4 * t + 1]} << 16 | Word{block[4 * t + 2]} << 8 |
           Word{block[4 * t + 3]};
  }
  for (std::size_t t = 16; t < 64; ++t) {
    const Word s0 = std::rotr(w[t - 15], 7) ^ std::rotr(w[t - 15], 18) ^ w[t - 15] >> 3;
    const Word s1 = std::rotr(w[t - 2], 17) ^ std::rotr(w[t - 2], 19) ^ w[t - 2] >> 10;
    w[t] = s1 + w[t - 7] + s0 + w[t - 16];
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t t = 0; t < 64; ++t) {
    const Word sum1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const Word sum0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const Word t1 = h + sum1 + ((e & f) ^ (~e & g)) + kRounds[t] + w[t];
    const Word t2 = sum0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1;
    d = c, c = b, b = a, a = t1 + t2;
  }
  const ShaState change{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < 8; ++i) state[i] += change[i];
}

#if defined(__x86_64__)

bool processor_has_sha() {
  static const bool has = [] {
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & bit_SSSE3) == 0 || (c & bit_SSE4_1) == 0) return false;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & bit_SHA) != 0;
  }();
  return has;
}

/// Four rounds at a time. The instructions want the words as (a, b, e, f) and (c, d, g, h), each from its last to its first.
__attribute__((target("sha,ssse3,sse4.1"))) void compress_by_processor(ShaState& state,
                                                                       const std::uint8_t* block) {
  const auto load = [](const void* from) __attribute__((target("sha,ssse3,sse4.1"))) {
    return _mm_loadu_si128(static_cast<const __m128i*>(from));
  };
  const __m128i cdab = _mm_shuffle_epi32(load(state.data()), 0xB1);
  const __m128i hgfe = _mm_shuffle_epi32(load(state.data() + 4), 0x1B);
  const __m128i abef_before = _mm_alignr_epi8(cdab, hgfe, 8), cdgh_before = _mm_blend_epi16(hgfe, cdab, 0xF0);
  __m128i abef = abef_before, cdgh = cdgh_before;
  const __m128i big_endian = _mm_set_epi64x(0x0C0D0E0F08090A0B, 0x0405060700010203);
  __m128i w[4] = {};  // the last sixteen words
  for (std::size_t t = 0; t < 16; ++t) {
    if (t < 4) {
      w[t] = _mm_shuffle_epi8(load(block + 16 * t), big_endian);
    } else {
      const __m128i seven_before = _mm_alignr_epi8(w[(t + 3) % 4], w[(t + 2) % 4], 4);
      w[t % 4] = _mm_sha256msg2_epu32(
          _mm_add_epi32(_mm_sha256msg1_epu32(w[t % 4], w[(t + 1) % 4]), seven_before), w[(t + 3) % 4]);
    }
    const __m128i four = _mm_add_epi32(w[t % 4], load(kRounds.data() + 4 * t));
    cdgh = _mm_sha256rnds2_epu32(cdgh, abef, four);
    abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(four, 0x0E));
  }
  const __m128i feba = _mm_shuffle_epi32(_mm_add_epi32(abef, abef_before), 0x1B);
  const __m128i dchg = _mm_shuffle_epi32(_mm_add_epi32(cdgh, cdgh_before), 0xB1);
  const auto store = [](void* to, __m128i words) __attribute__((target("sha,ssse3,sse4.1"))) {
    _mm_storeu_si128(static_cast<__m128i*>(to), words);
  };
  store(state.data(), _mm_blend_epi16(feba, dchg, 0xF0));
  store(state.data() + 4, _mm_alignr_epi8(dchg, feba, 8));
}

#else

bool processor_has_sha() { return false; }
void compress_by_processor(ShaState& /*state*/, const std::uint8_t* /*block*/) { SLUICE_ASSERT(false); }

#endif

}  // namespace sluice::file
