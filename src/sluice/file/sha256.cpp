#include "sluice/file/sha256.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "sluice/file/byte_source.hpp"

namespace sluice::file {
namespace {

using Word = std::uint32_t;
constexpr std::size_t kBlock = 64;  // bytes

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
constexpr auto kRounds = root_fractions_of_primes<64>(3);

class Digest {
 public:
  void add(std::span<const std::uint8_t> bytes) {
    length_ += bytes.size();
    if (held_ > 0) {  // fill the block that was begun
      const std::size_t taken = std::min(kBlock - held_, bytes.size());
      std::ranges::copy(bytes.first(taken), block_.begin() + static_cast<std::ptrdiff_t>(held_));
      held_ += taken;
      bytes = bytes.subspan(taken);
      if (held_ < kBlock) return;
      compress(block_.data());
    }
    for (; bytes.size() >= kBlock; bytes = bytes.subspan(kBlock)) compress(bytes.data());
    std::ranges::copy(bytes, block_.begin());
    held_ = bytes.size();
  }

  /// A bit 1, zeros up to 8 bytes before the end of a block, the length in bits (§5.1.1).
  std::string finish() {
    const std::uint64_t bits = 8 * length_;
    std::array<std::uint8_t, kBlock + 8> padding{0x80};
    const std::size_t zeros_end = (held_ < kBlock - 8 ? kBlock - 8 : 2 * kBlock - 8) - held_;
    for (std::size_t i = 0; i < 8; ++i)
      padding[zeros_end + i] = static_cast<std::uint8_t>(bits >> (56 - 8 * i));
    add(std::span(padding).first(zeros_end + 8));
    std::string text;
    for (const Word word : state_) text += fmt::format("{:08x}", word);
    return text;
  }

 private:
  void compress(const std::uint8_t* block) {  // §6.2.2
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
    auto [a, b, c, d, e, f, g, h] = state_;
    for (std::size_t t = 0; t < 64; ++t) {
      const Word sum1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
      const Word sum0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
      const Word t1 = h + sum1 + ((e & f) ^ (~e & g)) + kRounds[t] + w[t];
      const Word t2 = sum0 + ((a & b) ^ (a & c) ^ (b & c));
      h = g, g = f, f = e, e = d + t1;
      d = c, c = b, b = a, a = t1 + t2;
    }
    const std::array<Word, 8> change{a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < 8; ++i) state_[i] += change[i];
  }

  std::array<Word, 8> state_ = kStart;
  std::array<std::uint8_t, kBlock> block_{};
  std::size_t held_ = 0;  // bytes of a block that is not full
  std::uint64_t length_ = 0;
};

}  // namespace

std::string sha256(std::span<const std::uint8_t> bytes) {
  Digest digest;
  digest.add(bytes);
  return digest.finish();
}

std::string sha256_of_content(const std::filesystem::path& path) {
  ByteSource source(path);
  Digest digest;
  std::vector<std::uint8_t> piece(1 << 20);
  while (const std::size_t got = source.read(piece)) digest.add(std::span(piece).first(got));
  return digest.finish();
}

}  // namespace sluice::file
