#include "sluice/file/idx.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>

#include "sluice/file/array.hpp"
#include "sluice/file/byte_source.hpp"
#include "sluice/file/errors.hpp"

namespace sluice::file {
namespace {

/// One of the two kinds of file.
struct Kind {
  std::uint32_t magic;
  std::size_t dimensions;
  const char* name;
};
constexpr Kind kImages{0x00000803, 3, "images"};
constexpr Kind kLabels{0x00000801, 1, "labels"};

constexpr std::size_t kFirstPiece = std::size_t{1} << 20;

struct Elements {
  Shape shape;
  std::vector<std::uint8_t> bytes;
};

[[noreturn]] void reject(const ByteSource& source, const std::string& why) {
  throw InputError(fmt::format("{}: {}", source.name(), why));
}

std::uint32_t big_endian(const std::uint8_t* at) {
  return std::uint32_t{at[0]} << 24 | std::uint32_t{at[1]} << 16 | std::uint32_t{at[2]} << 8 | at[3];
}

Shape read_shape(ByteSource& source, const Kind& kind) {
  std::array<std::uint8_t, 16> header{};
  const std::size_t length = 4 + 4 * kind.dimensions;
  const std::size_t got = source.read(std::span(header).first(length));
  if (got >= 4 && big_endian(header.data()) != kind.magic) {
    reject(source, fmt::format("magic number {}, expected {} (IDX {})", big_endian(header.data()), kind.magic,
                               kind.name));
  }
  if (got < length) {
    reject(source, fmt::format("{} bytes, expected an IDX header of {} ({})", got, length, kind.name));
  }
  Shape shape;
  for (std::size_t d = 0; d < kind.dimensions; ++d) shape.push_back(big_endian(header.data() + 4 + 4 * d));
  return shape;
}

/// Elements of the shape, when the file can hold them.
std::size_t checked_count(const ByteSource& source, const Shape& shape) {
  if (std::ranges::count(shape, 0) > 0)
    reject(source, fmt::format("shape {}, expected no zero", to_string(shape)));
  std::uint64_t count = 1;
  for (const auto extent : shape) {
    const auto factor = static_cast<std::uint64_t>(extent);
    if (count > source.most() / factor) {  // by division: the product may exceed 64 bits
      reject(source, fmt::format("shape {}, which needs more than the file's {} bytes{}: truncated?",
                                 to_string(shape), source.size(), source.gzip() ? " of gzip" : ""));
    }
    count *= factor;
  }
  return count;
}

Elements read_elements(const std::filesystem::path& path, const Kind& kind) {
  ByteSource source(path);
  Elements elements{.shape = read_shape(source, kind), .bytes = {}};
  const std::size_t count = checked_count(source, elements.shape);
  // gzip may still promise a thousand times what it holds: memory grows with what really comes.
  std::vector<std::uint8_t>& bytes = elements.bytes;
  if (!source.gzip()) bytes.reserve(count);
  while (bytes.size() < count) {
    const std::size_t before = bytes.size();
    bytes.resize(std::min(count, std::max(2 * before, kFirstPiece)));
    const std::size_t got = before + source.read(std::span(bytes).subspan(before));
    if (got < bytes.size()) {
      reject(source, fmt::format("{} bytes after the header, expected {} for shape {}: truncated", got, count,
                                 to_string(elements.shape)));
    }
  }
  std::array<std::uint8_t, 1> more{};
  if (source.read(more) > 0) {
    reject(source, fmt::format("more bytes after the header than the {} of shape {}", count,
                               to_string(elements.shape)));
  }
  return elements;
}

}  // namespace

IdxImages read_idx_images(const std::filesystem::path& path) {
  Elements elements = read_elements(path, kImages);
  return {elements.shape[0], elements.shape[1], elements.shape[2], std::move(elements.bytes)};
}

std::vector<std::uint8_t> read_idx_labels(const std::filesystem::path& path, int classes) {
  std::vector<std::uint8_t> labels = read_elements(path, kLabels).bytes;
  const auto wrong = std::ranges::find_if(labels, [&](std::uint8_t label) { return label >= classes; });
  if (wrong != labels.end()) {
    throw InputError(fmt::format("{}: label {} in row {}, expected 0 to {}", path.string(), *wrong,
                                 std::distance(labels.begin(), wrong), classes - 1));
  }
  return labels;
}

LabelledImages read_labelled_images(const std::filesystem::path& images, const std::filesystem::path& labels,
                                    int classes) {
  LabelledImages both{read_idx_images(images), read_idx_labels(labels, classes)};
  if (both.images.count != static_cast<std::int64_t>(both.labels.size())) {
    throw InputError(fmt::format("{}: {} labels, expected {}, one for each image of {}", labels.string(),
                                 both.labels.size(), both.images.count, images.string()));
  }
  return both;
}

}  // namespace sluice::file
