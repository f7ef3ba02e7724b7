/// The compression of SHA-256 (FIPS 180-4 §6.2.2): a block of 64 bytes goes into a state of eight words.
#pragma once

#include <array>
#include <cstdint>

namespace sluice::file {

using ShaState = std::array<std::uint32_t, 8>;
constexpr std::size_t kShaBlock = 64;  // bytes

/// Where the state begins (§5.3.3).
ShaState sha_start();

void compress_plainly(ShaState& state, const std::uint8_t* block);

/// The same by the processor's own instructions, about eight times as fast; only where it has them.
bool processor_has_sha();
void compress_by_processor(ShaState& state, const std::uint8_t* block);

}  // namespace sluice::file
