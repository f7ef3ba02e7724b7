#include "sluice/figure/text.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <string_view>

namespace sluice::figure {
namespace {

TEST(CleanText, KeepsWellFormedTextAsItIs) {
  for (const std::string_view text :
       {"", "plain", "tab\tand\nnewline", "ŷ − ½⟨Σ⟩ ⁴ 漢 🧠", "\xEF\xBF\xBD"})
    EXPECT_EQ(clean_text(text), text);
}

TEST(CleanText, ReplacesEveryKindOfMalformedSequence) {
  const std::string mark = "\uFFFD";
  EXPECT_EQ(clean_text("a\xff"
                       "b"),
            "a" + mark + "b");
  EXPECT_EQ(clean_text("\xc3"), mark);                                   // cut off
  EXPECT_EQ(clean_text("\xc0\xaf"), mark + mark);                        // overlong
  EXPECT_EQ(clean_text("\xe0\x80\xaf"), mark + mark + mark);             // overlong
  EXPECT_EQ(clean_text("\xed\xa0\x80"), mark + mark + mark);             // a surrogate
  EXPECT_EQ(clean_text("\xf4\x90\x80\x80"), mark + mark + mark + mark);  // past U+10FFFF
}

TEST(CleanText, ReplacesWhatUnicodeHasAndNoTextMayHold) {
  const std::string mark = "\uFFFD";
  EXPECT_EQ(clean_text("a\uFDD0\uFDEF\uFFFE\uFFFF"), "a" + mark + mark + mark + mark);
  EXPECT_EQ(clean_text("\U0001FFFE\U0003FFFF\U0010FFFF"), mark + mark + mark);
  for (const std::string neighbour :
       {"\uFDCF", "\uFDF0", "\uFFFD", "\u0FFF", "\U00010000", "\U0001FFFD", "\U0001F9FE", "\U0002FABF"})
    EXPECT_EQ(clean_text(neighbour), neighbour);
}

TEST(CleanText, RemovesControlCharacters) {
  EXPECT_EQ(clean_text(std::string_view("a\0b\x1b[1mc\x7f\xc2\x85", 11)), "ab[1mc");
}

TEST(CleanText, IsIdempotentOnAnyBytes) {
  std::string bytes;
  for (int i = 0; i < 65536; ++i) bytes += {static_cast<char>(i / 256), static_cast<char>(i % 256)};
  EXPECT_EQ(clean_text(clean_text(bytes)), clean_text(bytes));
}

TEST(Numbers, HaveSeparatorsAndATrueMinus) {
  EXPECT_EQ(fixed(0, 0), "0");
  EXPECT_EQ(fixed(999, 0), "999");
  EXPECT_EQ(fixed(-1234.5, 1), "−1,234.5");
  EXPECT_EQ(fixed(1234567.891, 2), "1,234,567.89");
  EXPECT_EQ(fixed(-0.001, 2), "0.00");
  EXPECT_EQ(fixed(std::numeric_limits<double>::quiet_NaN(), 2), "–");
  EXPECT_EQ(grouped(5000), "5,000");
  EXPECT_EQ(grouped(-1000000), "−1,000,000");
  EXPECT_EQ(grouped(std::numeric_limits<std::int64_t>::min()), "−9,223,372,036,854,775,808");
  EXPECT_EQ(power_of_ten(-12), "10⁻¹²");
}

}  // namespace
}  // namespace sluice::figure
