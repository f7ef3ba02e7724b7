#include "sluice/figure/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace sluice::figure {
namespace {

unsigned char byte_at(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

// Length of the well-formed UTF-8 sequence at `at`; 0 when there is none. Overlong forms, surrogates and code
// points past U+10FFFF are not well-formed: the first two bytes decide all three.
std::size_t sequence_length(std::string_view text, std::size_t at) {
  const unsigned lead = byte_at(text, at);
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (text.size() - at < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte_at(text, at + i) & 0xC0) != 0x80) return 0;
  const unsigned second = byte_at(text, at + 1);
  const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
  const bool surrogate = lead == 0xED && second >= 0xA0;
  const bool too_large = lead == 0xF4 && second >= 0x90;
  return overlong || surrogate || too_large ? 0 : length;
}

// U+FDD0 … U+FDEF and the last two of every plane: well-formed, and no text. XML has no U+FFFE and U+FFFF, cairo none of them.
bool is_noncharacter(std::string_view sequence) {
  if (sequence.size() < 3) return false;
  const unsigned last = byte_at(sequence, sequence.size() - 1),
                 before = byte_at(sequence, sequence.size() - 2);
  if (before == 0xBF && last >= 0xBE) {  // …FFFE and …FFFF end on 16 ones but one
    const unsigned head = byte_at(sequence, sequence.size() - 3);
    return sequence.size() == 3 ? head == 0xEF : (head & 0xF) == 0xF;
  }
  return sequence.size() == 3 && byte_at(sequence, 0) == 0xEF && before == 0xB7 && last >= 0x90 &&
         last < 0xB0;
}

// C0 (but newline and tab), DEL and C1.
bool is_control(std::string_view sequence) {
  const unsigned lead = byte_at(sequence, 0);
  if (sequence.size() == 1) return (lead < 0x20 && lead != '\n' && lead != '\t') || lead == 0x7F;
  return lead == 0xC2 && byte_at(sequence, 1) < 0xA0;
}

std::string with_separators(std::string_view digits) {
  const std::size_t point = std::min(digits.find('.'), digits.size());
  std::string out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && i < point && (point - i) % 3 == 0) out += ',';
    out += digits[i];
  }
  return out;
}

}  // namespace

std::string clean_text(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = sequence_length(text, at);
    const std::string_view sequence = text.substr(at, length);
    if (length == 0 || is_noncharacter(sequence))
      clean += "\uFFFD";
    else if (!is_control(sequence))
      clean += sequence;
    at += length == 0 ? 1 : length;
  }
  return clean;
}

std::string fixed(double value, int decimals) {
  if (!std::isfinite(value)) return "–";
  const std::string digits = fmt::format("{:.{}f}", std::abs(value), decimals);
  const bool is_zero = digits.find_first_not_of("0.") == std::string::npos;  // "−0.00" says nothing
  return (value < 0 && !is_zero ? "−" : "") + with_separators(digits);
}

std::string grouped(std::int64_t value) {
  const std::string digits = fmt::format("{}", value);
  return value < 0 ? "−" + with_separators(digits.substr(1)) : with_separators(digits);
}

std::string power_of_ten(int exponent) {
  static constexpr std::array superscripts{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = exponent < 0 ? "10⁻" : "10";
  for (const char digit : fmt::format("{}", std::abs(exponent)))
    text += superscripts[static_cast<std::size_t>(digit - '0')];
  return text;
}

}  // namespace sluice::figure
