#include "sluice/file/npy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <optional>

#include "sluice/file/errors.hpp"

static_assert(std::endian::native == std::endian::little, "npy files are written from memory as it is");

namespace sluice::file {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

struct Header {
  std::string element;  // "<f4"
  bool fortran = false;
  Shape shape;
  std::size_t data_start = 0;

  std::size_t count() const { return static_cast<std::size_t>(element_count(shape)); }
};

[[noreturn]] void reject(const std::string& name, const std::string& why) {
  throw InputError(fmt::format("{}: {}", name, why));
}

/// The text after `'key':` in the header's Python dictionary.
std::string_view value_of(std::string_view header, std::string_view key, const std::string& name) {
  const std::size_t at = header.find(fmt::format("'{}':", key));
  if (at == std::string_view::npos) reject(name, fmt::format("npy header has no '{}'", key));
  std::string_view rest = header.substr(at + key.size() + 3);
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  return rest;
}

Shape parse_shape(std::string_view text, const std::string& name) {
  const std::size_t close = text.find(')');
  if (!text.starts_with('(') || close == std::string_view::npos) reject(name, "npy header has no shape");
  text = text.substr(1, close - 1);
  Shape shape;
  std::int64_t total = 1;
  while (!text.empty()) {
    if (text.front() == ' ' || text.front() == ',') {
      text.remove_prefix(1);
      continue;
    }
    std::int64_t extent = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), extent);
    if (error != std::errc{} || extent < 0) reject(name, "npy header has a malformed shape");
    if (extent > 0 && total > std::numeric_limits<std::int64_t>::max() / 16 / extent) {
      reject(name, "npy header has an impossible shape");
    }
    total *= extent;
    shape.push_back(extent);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  }
  return shape;
}

Header parse_header(std::string_view bytes, const std::string& name) {
  if (bytes.size() < 10 || !bytes.starts_with(kMagic)) reject(name, "not an npy array");
  const int version = static_cast<unsigned char>(bytes[6]);
  if (version < 1 || version > 3) reject(name, fmt::format("npy version {} is not known", version));
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  std::uint32_t length = 0;
  std::size_t start = 8 + length_bytes;
  if (bytes.size() < start) reject(name, "npy header is truncated");
  std::memcpy(&length, bytes.data() + 8, length_bytes);
  if (bytes.size() - start < length) reject(name, "npy header is truncated");
  const std::string_view text = bytes.substr(start, length);

  Header header;
  const std::string_view element = value_of(text, "descr", name);
  if (!element.starts_with('\'')) reject(name, "structured arrays are not supported");
  header.element = element.substr(1, element.find('\'', 1) - 1);
  header.fortran = value_of(text, "fortran_order", name).starts_with("True");
  header.shape = parse_shape(value_of(text, "shape", name), name);
  header.data_start = start + length;
  return header;
}

/// numpy's float16, widened.
float from_half(std::uint16_t half) {
  const int exponent = (half >> 10) & 31;
  const int mantissa = half & 1023;
  const float sign = (half & 0x8000) != 0 ? -1.0F : 1.0F;
  if (exponent == 31) return mantissa != 0 ? std::numeric_limits<float>::quiet_NaN() : sign * INFINITY;
  if (exponent == 0) return sign * std::ldexp(static_cast<float>(mantissa), -24);
  return sign * std::ldexp(static_cast<float>(mantissa + 1024), exponent - 25);
}

template <class Stored, class Kept>
Array::Data read_elements(std::string_view bytes, std::size_t count, Kept (*convert)(Stored)) {
  std::vector<Kept> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    Stored stored;
    std::memcpy(&stored, bytes.data() + i * sizeof(Stored), sizeof(Stored));
    values[i] = convert(stored);
  }
  return values;
}

template <class T>
Array::Data copy_elements(std::string_view bytes, std::size_t count) {
  std::vector<T> values(count);
  if (count > 0) std::memcpy(values.data(), bytes.data(), count * sizeof(T));
  return values;
}

template <class Stored>
Array::Data widen(std::string_view bytes, std::size_t count) {
  return read_elements<Stored, std::int64_t>(bytes, count,
                                             [](Stored x) { return static_cast<std::int64_t>(x); });
}

struct Element {
  std::string_view code;
  std::size_t size;
  std::size_t kept;  // bytes in memory
  Array::Data (*read)(std::string_view bytes, std::size_t count);
};

constexpr Element kElements[] = {
    {"<f4", 4, 4, copy_elements<float>},
    {"<f8", 8, 8, copy_elements<double>},
    {"<i8", 8, 8, copy_elements<std::int64_t>},
    {"<f2", 2, 4,
     [](std::string_view b, std::size_t n) { return read_elements<std::uint16_t, float>(b, n, from_half); }},
    {"<i4", 4, 8, widen<std::int32_t>},
    {"<i2", 2, 8, widen<std::int16_t>},
    {"|i1", 1, 8, widen<std::int8_t>},
    {"<u4", 4, 8, widen<std::uint32_t>},
    {"<u2", 2, 8, widen<std::uint16_t>},
    {"|u1", 1, 8, widen<std::uint8_t>},
    {"|b1", 1, 8, widen<std::uint8_t>},
};

/// How the elements are stored; all that the shape claims are there.
const Element& element_of(const Header& header, std::string_view bytes, const std::string& name) {
  const Element* element = std::ranges::find(kElements, header.element, &Element::code);
  if (element == std::end(kElements))
    reject(name,
           fmt::format("element type '{}' is not supported (expected float32, float64, int64 or smaller)",
                       header.element));
  const std::size_t there = bytes.size() - header.data_start, claimed = header.count() * element->size;
  if (there < claimed) reject(name, fmt::format("truncated: {} of {} bytes", there, claimed));
  return *element;
}

/// Fortran order is C order of the reversed shape: walk the C-order index and gather.
template <class T>
void to_c_order(std::vector<T>& values, const Shape& shape) {
  std::vector<T> ordered(values.size());
  std::vector<std::int64_t> index(shape.size(), 0);
  for (T& value : ordered) {
    std::int64_t at = 0;
    for (std::size_t axis = shape.size(); axis-- > 0;) at = at * shape[axis] + index[axis];
    value = values[static_cast<std::size_t>(at)];
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      if (++index[axis] < shape[axis]) break;
      index[axis] = 0;
    }
  }
  values = std::move(ordered);
}

std::string header_of(const std::string& element, const Shape& shape) {
  std::string extents;
  for (const std::int64_t extent : shape) extents += fmt::format("{}, ", extent);
  if (shape.size() > 1) extents.resize(extents.size() - 2);
  if (shape.size() == 1) extents.resize(extents.size() - 1);
  std::string text =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", element, extents);
  text.append(63 - (10 + text.size()) % 64, ' ');
  text += '\n';
  const auto length = static_cast<std::uint16_t>(text.size());
  std::string header(kMagic);
  header += {'\x01', '\x00', static_cast<char>(length & 255), static_cast<char>(length >> 8)};
  return header + text;
}

/// The characters of UTF-8; U+FFFD for each byte that is none.
std::u32string characters_of(std::string_view text) {
  std::u32string characters;
  while (!text.empty()) {
    const auto first = static_cast<unsigned char>(text[0]);
    const std::size_t bytes = first < 0x80   ? 1
                              : first < 0xC2 ? 0
                              : first < 0xE0 ? 2
                              : first < 0xF0 ? 3
                              : first < 0xF5 ? 4
                                             : 0;
    char32_t character = bytes == 1 ? first : first & (0x7F >> bytes);
    bool whole = bytes > 0 && bytes <= text.size();
    for (std::size_t i = 1; whole && i < bytes; ++i) {
      const auto next = static_cast<unsigned char>(text[i]);
      whole = (next & 0xC0) == 0x80;
      character = character << 6 | (next & 0x3F);
    }
    characters += whole ? character : U'\uFFFD';
    text.remove_prefix(whole ? bytes : 1);
  }
  return characters;
}

}  // namespace

std::string npy_header(const Array& array) {
  constexpr const char* codes[] = {"<f4", "<f8", "<i8"};  // in the order of Array::Data
  return header_of(codes[array.data.index()], array.shape);
}

std::string npy_of_texts(std::span<const std::string> texts) {
  std::vector<std::u32string> wide;
  std::size_t longest = 1;  // numpy has no texts of length 0
  for (const std::string& text : texts)
    longest = std::max(longest, wide.emplace_back(characters_of(text)).size());
  std::string npy = header_of(fmt::format("<U{}", longest), {static_cast<std::int64_t>(texts.size())});
  for (std::u32string& text : wide) {
    text.resize(longest);
    npy.append(reinterpret_cast<const char*>(text.data()), longest * sizeof(char32_t));
  }
  return npy;
}

std::string_view raw_bytes(const Array& array) {
  return std::visit(
      [](const auto& values) {
        return std::string_view(reinterpret_cast<const char*>(values.data()),
                                values.size() * sizeof(values[0]));
      },
      array.data);
}

Array parse_npy(std::string_view bytes, const std::string& name) {
  const Header header = parse_header(bytes, name);
  const Element& element = element_of(header, bytes, name);
  Array array{header.shape, element.read(bytes.substr(header.data_start), header.count())};
  if (header.fortran) std::visit([&](auto& values) { to_c_order(values, header.shape); }, array.data);
  return array;
}

std::uint64_t bytes_in_memory(std::string_view npy, const std::string& name) {
  const Header header = parse_header(npy, name);
  return header.count() * element_of(header, npy, name).kept;
}

}  // namespace sluice::file
