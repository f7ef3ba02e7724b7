#include "sluice/file/byte_source.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <new>

#include "sluice/file/errors.hpp"

namespace sluice::file {
namespace {

constexpr std::size_t kPiece = 1 << 16;
constexpr int kGzipWindow = 16 + MAX_WBITS;  // zlib: expect a gzip header and check its trailer

}  // namespace

struct ByteSource::Unpacking {
  z_stream stream{};
  std::array<std::uint8_t, kPiece> packed{};
  bool ended = false;

  Unpacking() {
    if (inflateInit2(&stream, kGzipWindow) != Z_OK) throw std::bad_alloc();
  }
  ~Unpacking() { inflateEnd(&stream); }
  Unpacking(const Unpacking&) = delete;
  Unpacking& operator=(const Unpacking&) = delete;
};

ByteSource::ByteSource(const std::filesystem::path& path) : file_(path) {
  std::array<std::uint8_t, 2> magic{};
  if (file_.peek(magic) == 2 && magic[0] == 0x1f && magic[1] == 0x8b)
    unpacking_ = std::make_unique<Unpacking>();
}

ByteSource::~ByteSource() = default;

bool ByteSource::gzip() const { return unpacking_ != nullptr; }

std::uint64_t ByteSource::most() const { return gzip() ? kMostPerPackedByte * size() : size(); }

std::size_t ByteSource::read(std::span<std::uint8_t> out) {
  return gzip() ? read_unpacked(out) : file_.read(out);
}

std::size_t ByteSource::read_unpacked(std::span<std::uint8_t> out) {
  z_stream& stream = unpacking_->stream;
  std::size_t made = 0;
  while (made < out.size() && !unpacking_->ended) {
    if (stream.avail_in == 0) {
      const std::size_t got = file_.read(unpacking_->packed);
      if (got == 0) throw InputError(fmt::format("{}: truncated gzip: the stream has no end", name()));
      stream.next_in = unpacking_->packed.data();
      stream.avail_in = static_cast<uInt>(got);
    }
    const auto room = static_cast<uInt>(std::min(out.size() - made, kPiece));
    stream.next_out = out.data() + made;
    stream.avail_out = room;
    const int state = inflate(&stream, Z_NO_FLUSH);
    if (state != Z_OK && state != Z_STREAM_END) {
      throw InputError(fmt::format("{}: damaged gzip: {}", name(),
                                   stream.msg != nullptr ? stream.msg : "cannot be unpacked"));
    }
    made += room - stream.avail_out;
    unpacking_->ended = state == Z_STREAM_END;
    std::uint8_t after = 0;
    if (unpacking_->ended && (stream.avail_in > 0 || file_.read({&after, 1}) > 0)) {
      throw InputError(fmt::format("{}: damaged gzip: bytes after the end of the stream", name()));
    }
  }
  return made;
}

}  // namespace sluice::file
