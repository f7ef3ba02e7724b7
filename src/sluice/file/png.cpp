#include "sluice/file/png.hpp"

#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <array>
#include <csetjmp>
#include <exception>
#include <new>
#include <span>
#include <string>
#include <string_view>

#include "sluice/file/byte_source.hpp"
#include "sluice/file/errors.hpp"

namespace sluice::file {
namespace of_png {
namespace {

constexpr std::uint64_t kChannels = 3;
constexpr std::size_t kFirstRows = std::size_t{1} << 20;
constexpr std::size_t kSignature = 8;

/// What libpng calls back, and what became of it. Its errors leave by longjmp, which no destructor and no exception may meet:
/// both functions hold nothing that has one, and what they have to say waits here.
struct Reading {
  ByteSource& source;
  std::array<char, 160> problem = {};
  std::exception_ptr thrown = nullptr;  ///< by the source

  /// Bytes of the file, all of them or an exception that is kept; false then.
  bool fill(std::span<std::uint8_t> out) noexcept {
    try {
      if (source.read(out) == out.size()) return true;
      note("truncated");
    } catch (...) {
      thrown = std::current_exception();
    }
    return false;
  }
  void note(const char* message) {
    const std::string_view text(message);
    problem = {};
    std::ranges::copy(text.substr(0, problem.size() - 1), problem.begin());
  }
};

void on_error(png_structp png, png_const_charp message) {
  auto* reading = static_cast<Reading*>(png_get_error_ptr(png));
  if (reading->problem[0] == '\0') reading->note(message);
  png_longjmp(png, 1);
}

void on_warning(png_structp, png_const_charp) {}

void on_read(png_structp png, png_bytep out, png_size_t count) {
  if (!static_cast<Reading*>(png_get_io_ptr(png))->fill({out, count})) png_error(png, "cannot be read");
}

/// libpng's two structures, freed at the end whatever happens.
class Decoder {
 public:
  explicit Decoder(ByteSource& source)
      : reading_{source},
        png_(png_create_read_struct(PNG_LIBPNG_VER_STRING, &reading_, on_error, on_warning)),
        info_(png_ == nullptr ? nullptr : png_create_info_struct(png_)) {
    if (info_ != nullptr) return;
    png_destroy_read_struct(&png_, nullptr, nullptr);
    throw std::bad_alloc();
  }
  ~Decoder() { png_destroy_read_struct(&png_, &info_, nullptr); }
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  /// Calls of libpng, which come back from here: an error of theirs is an InputError when they are over.
  template <class Calls>
  void call(const Calls& calls) {
    if (!survives(png_, info_, calls)) reject();
  }
  [[noreturn]] void reject() const {
    if (reading_.thrown) std::rethrow_exception(reading_.thrown);
    throw InputError(fmt::format("{}: damaged PNG: {}", reading_.source.name(), reading_.problem.data()));
  }

 private:
  /// The only frame that longjmp returns to: nothing lives in it, or below it, that has a destructor.
  template <class Calls>
  static bool survives(png_structp png, png_infop info, const Calls& calls) {
    if (setjmp(png_jmpbuf(png)) != 0) return false;  // libpng knows no other way
    calls(png, info);
    return true;
  }

  Reading reading_;
  png_structp png_;
  png_infop info_;
};

[[noreturn]] void refuse(const ByteSource& source, const std::string& why) {
  throw InputError(fmt::format("{}: {}", source.name(), why));
}

void require_signature(ByteSource& source) {
  std::array<std::uint8_t, kSignature> head{};
  const std::size_t got = source.read(head);
  if (png_sig_cmp(head.data(), 0, kSignature) == 0) return;
  refuse(source, got < kSignature ? fmt::format("{} bytes, expected a PNG", got)
                                  : "expected a PNG, found another beginning");
}

const char* name_of(int colors) {
  switch (colors) {
    case PNG_COLOR_TYPE_GRAY:
      return "grey";
    case PNG_COLOR_TYPE_GRAY_ALPHA:
      return "grey and alpha";
    case PNG_COLOR_TYPE_PALETTE:
      return "a palette";
    case PNG_COLOR_TYPE_RGB:
      return "RGB";
    default:
      return "RGB and alpha";
  }
}

struct PngHeader {
  png_uint_32 columns = 0, rows = 0;
  int depth = 0, colors = 0, interlace = 0;
};

void require_fitting(const ByteSource& source, const PngHeader& header, const RgbSize& expected) {
  if (header.colors != PNG_COLOR_TYPE_RGB || header.depth != 8)
    refuse(source,
           fmt::format("PNG of {} with {} bits, expected RGB with 8", name_of(header.colors), header.depth));
  if (header.interlace != PNG_INTERLACE_NONE)
    refuse(source, "interlaced PNG, expected rows one after the other");
  const auto wanted = [](std::int64_t count) { return count > 0 ? std::to_string(count) : "any number of"; };
  if ((expected.columns > 0 && header.columns != expected.columns) ||
      (expected.rows > 0 && header.rows != expected.rows))
    refuse(source, fmt::format("{} columns and {} rows, expected {} columns and {} rows", header.columns,
                               header.rows, wanted(expected.columns), wanted(expected.rows)));
  // By division, for what a row takes: a byte for its filter and three for each pixel.
  const std::uint64_t most = kMostPerPackedByte * source.most();
  if (header.rows > most / (1 + kChannels * std::uint64_t{header.columns}))
    refuse(source, fmt::format("{} columns and {} rows, which need more than the file's {} bytes: truncated?",
                               header.columns, header.rows, source.size()));
}

}  // namespace
}  // namespace of_png

RgbImage read_rgb_png(const std::filesystem::path& path, const RgbSize& expected) {
  using namespace of_png;
  ByteSource source(path);
  require_signature(source);
  Decoder decoder(source);
  PngHeader header;
  decoder.call([&](png_structp png, png_infop info) {
    png_set_read_fn(png, png_get_error_ptr(png), on_read);
    png_set_sig_bytes(png, kSignature);
    png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
    png_set_benign_errors(png, 0);  // too many pixels are an error, too
    png_read_info(png, info);
    png_get_IHDR(png, info, &header.columns, &header.rows, &header.depth, &header.colors, &header.interlace,
                 nullptr, nullptr);
  });
  require_fitting(source, header, expected);

  RgbImage image{header.rows, header.columns, {}};
  const std::size_t row = std::size_t{header.columns} * kChannels;
  const std::size_t all = row * header.rows;
  for (std::size_t at = 0; at < all; at += row) {
    if (at + row > image.pixels.size())
      image.pixels.resize(std::min(all, std::max({2 * at, kFirstRows / row * row, row})));
    decoder.call([&](png_structp png, png_infop) { png_read_row(png, image.pixels.data() + at, nullptr); });
  }
  decoder.call([](png_structp png, png_infop info) { png_read_end(png, info); });
  std::array<std::uint8_t, 1> more{};
  if (source.read(more) > 0) refuse(source, "damaged PNG: bytes after its end");
  return image;
}

}  // namespace sluice::file
