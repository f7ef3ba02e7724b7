/// Philox4x32-7, the counter-based generator of Salmon, Moraes, Dror and Shaw (SC'11).
///
/// A bijection of the 128-bit counter for every 64-bit key: the random words at an address are computed, not
/// drawn in turn, so results depend neither on the number of threads nor on the order of work.
/// Seven rounds: the fewest that pass all of BigCrush (their table 2); ten would cost a third more of every sample.
/// Written by hand (20 lines) because the vector loop in kernels.cpp needs it inlined; checked against the
/// published Random123 test vectors in test/math/philox_test.cpp.
#pragma once

#include <array>
#include <cstdint>

namespace sluice::math {

using PhiloxCounter = std::array<std::uint32_t, 4>;
using PhiloxKey = std::array<std::uint32_t, 2>;

constexpr int kPhiloxRounds = 7;
constexpr std::uint32_t kPhiloxFirst = 0xD2511F53;
constexpr std::uint32_t kPhiloxSecond = 0xCD9E8D57;
constexpr std::uint32_t kPhiloxStep0 = 0x9E3779B9;
constexpr std::uint32_t kPhiloxStep1 = 0xBB67AE85;

constexpr PhiloxCounter philox(PhiloxCounter c, PhiloxKey key, int rounds = kPhiloxRounds) {
  for (int round = 0; round < rounds; ++round) {
    const std::uint64_t a = std::uint64_t{kPhiloxFirst} * c[0];
    const std::uint64_t b = std::uint64_t{kPhiloxSecond} * c[2];
    c = {static_cast<std::uint32_t>(b >> 32) ^ c[1] ^ key[0], static_cast<std::uint32_t>(b),
         static_cast<std::uint32_t>(a >> 32) ^ c[3] ^ key[1], static_cast<std::uint32_t>(a)};
    key[0] += kPhiloxStep0;
    key[1] += kPhiloxStep1;
  }
  return c;
}

}  // namespace sluice::math
