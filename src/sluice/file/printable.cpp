#include "sluice/file/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace sluice::file {
namespace {

struct Letter {
  std::uint32_t code = 0;
  std::size_t bytes = 0;  ///< 0: no UTF-8
};

/// The letter that the text begins with: the shortest form alone, no surrogates, nothing beyond Unicode.
Letter first_letter(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i]));
  };
  const std::uint32_t head = byte(0);
  if (head < 0x80) return {head, 1};
  const std::size_t bytes = head >= 0xF0 ? 4 : head >= 0xE0 ? 3 : 2;
  if (head < 0xC2 || head > 0xF4 || text.size() < bytes) return {};
  std::uint32_t code = head & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {};
    code = code << 6 | (byte(i) & 0x3FU);
  }
  constexpr std::uint32_t kFirst[]{0, 0, 0x80, 0x800, 0x10000};
  if (code < kFirst[bytes] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return {};
  return {code, bytes};
}

bool acts(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0)  // C0, DEL, C1
         || code == 0x2028 || code == 0x2029           // ends of lines and of paragraphs
         || (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);  // directions
}

std::string escaped(std::uint32_t code) {
  if (code == '\n') return "\\n";
  if (code == '\t') return "\\t";
  if (code == '\r') return "\\r";
  return code < 0x80 ? fmt::format("\\x{:02x}", code) : fmt::format("\\u{:04x}", code);
}

bool is_inside_letter(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

/// Without what is beyond `most` bytes in its middle; the head has two thirds.
std::string shortened(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  std::size_t head = most * 2 / 3;
  std::size_t tail = text.size() - (most - head);
  while (head > 0 && is_inside_letter(text[head])) --head;
  while (tail < text.size() && is_inside_letter(text[tail])) ++tail;
  return fmt::format("{}…{}", text.substr(0, head), text.substr(tail));
}

}  // namespace

std::string printable(std::string_view text, std::string_view kept) {
  std::string shown;
  while (!text.empty()) {
    const Letter letter = first_letter(text);
    const std::size_t bytes = letter.bytes == 0 ? 1 : letter.bytes;
    if (letter.bytes == 0)
      shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
    else if (acts(letter.code) && kept.find(text.front()) == std::string_view::npos)
      shown += escaped(letter.code);
    else
      shown += text.substr(0, bytes);
    text.remove_prefix(bytes);
  }
  return shown;
}

std::string printable_line(std::string_view line, std::size_t most) {
  constexpr std::size_t kLongestWord = 200;
  // What is much too long is cut first: a megabyte need not be escaped letter by letter to be thrown away.
  const std::string whole = printable(shortened(line, 64 * most));
  std::string shown;
  for (std::size_t at = 0; at < whole.size();) {
    const std::size_t end = std::min(whole.find(' ', at), whole.size());
    shown += shortened(std::string_view(whole).substr(at, end - at), kLongestWord);
    if (end < whole.size()) shown += ' ';
    at = end + 1;
  }
  return shortened(shown, most);
}

}  // namespace sluice::file
