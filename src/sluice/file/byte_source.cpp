#include "sluice/file/byte_source.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <new>

#include "sluice/file/errors.hpp"
#include "sluice/file/system.hpp"

namespace sluice::file {
namespace {

constexpr std::size_t kPiece = 1 << 18;
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

ByteSource::ByteSource(const std::filesystem::path& path) : name_(path.string()) {
  // Non-blocking: to open a pipe that nobody writes to would wait for ever.
  descriptor_ = system::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat facts {};
  if (descriptor_ < 0 || ::fstat(descriptor_, &facts) != 0) {
    const int error = errno;
    if (descriptor_ >= 0) ::close(descriptor_);
    throw InputError(fmt::format("{}: cannot be read: {}", name_, std::strerror(error)));
  }
  if (!S_ISREG(facts.st_mode)) {
    ::close(descriptor_);
    throw InputError(fmt::format("{}: expected a file, found {}", name_,
                                 S_ISDIR(facts.st_mode) ? "a folder" : "a device or pipe"));
  }
  file_size_ = static_cast<std::uint64_t>(facts.st_size);
  std::array<std::uint8_t, 2> magic{};
  if (system::pread(descriptor_, magic.data(), magic.size(), 0) == 2 && magic[0] == 0x1f &&
      magic[1] == 0x8b) {
    unpacking_ = std::make_unique<Unpacking>();
  }
}

ByteSource::~ByteSource() { ::close(descriptor_); }

bool ByteSource::gzip() const { return unpacking_ != nullptr; }

std::uint64_t ByteSource::most() const { return gzip() ? kMostPerPackedByte * file_size_ : file_size_; }

std::size_t ByteSource::read(std::span<std::uint8_t> out) {
  return gzip() ? read_unpacked(out) : read_raw(out);
}

std::size_t ByteSource::read_raw(std::span<std::uint8_t> out) const {
  std::size_t made = 0;
  while (made < out.size()) {
    const ssize_t got = system::read(descriptor_, out.data() + made, out.size() - made);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw InputError(fmt::format("{}: cannot be read: {}", name_, std::strerror(errno)));
    if (got == 0) break;
    made += static_cast<std::size_t>(got);
  }
  return made;
}

std::size_t ByteSource::read_unpacked(std::span<std::uint8_t> out) {
  z_stream& stream = unpacking_->stream;
  std::size_t made = 0;
  while (made < out.size() && !unpacking_->ended) {
    if (stream.avail_in == 0) {
      const std::size_t got = read_raw(unpacking_->packed);
      if (got == 0) throw InputError(fmt::format("{}: truncated gzip: the stream has no end", name_));
      stream.next_in = unpacking_->packed.data();
      stream.avail_in = static_cast<uInt>(got);
    }
    const auto room = static_cast<uInt>(std::min(out.size() - made, kPiece));
    stream.next_out = out.data() + made;
    stream.avail_out = room;
    const int state = inflate(&stream, Z_NO_FLUSH);
    if (state != Z_OK && state != Z_STREAM_END) {
      throw InputError(fmt::format("{}: damaged gzip: {}", name_,
                                   stream.msg != nullptr ? stream.msg : "cannot be unpacked"));
    }
    made += room - stream.avail_out;
    unpacking_->ended = state == Z_STREAM_END;
    std::uint8_t after = 0;
    if (unpacking_->ended && (stream.avail_in > 0 || read_raw({&after, 1}) > 0)) {
      throw InputError(fmt::format("{}: damaged gzip: bytes after the end of the stream", name_));
    }
  }
  return made;
}

}  // namespace sluice::file
