#include "sluice/file/sha256.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "sluice/file/byte_source.hpp"
#include "sluice/file/sha256_block.hpp"

namespace sluice::file {
namespace {

constexpr std::size_t kBlock = kShaBlock;

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
    for (const std::uint32_t word : state_) text += fmt::format("{:08x}", word);
    return text;
  }

 private:
  void compress(const std::uint8_t* block) {
    processor_has_sha() ? compress_by_processor(state_, block) : compress_plainly(state_, block);
  }

  ShaState state_ = sha_start();
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
