/// Numbers and titles as figures and pages write them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sluice::figure {

/// The text with malformed UTF-8 and noncharacters replaced by U+FFFD and control characters other than newline and tab
/// removed: titles and labels come from files, and neither cairo nor a web page accepts arbitrary bytes.
std::string clean_text(std::string_view text);

/// The value with a fixed number of decimals, thousands separators and a true minus sign: "−12,345.60".
/// Not finite: an en dash.
std::string fixed(double value, int decimals);

/// A whole number with thousands separators: "5,000".
std::string grouped(std::int64_t value);

/// "10⁻³"
std::string power_of_ten(int exponent);

}  // namespace sluice::figure
