/// Plain text on its way into a page.
#pragma once

#include <string>
#include <string_view>

namespace sluice::figure {

/// Plain text as HTML text or as a quoted attribute value, in valid UTF-8.
std::string escaped(std::string_view text);

/// Plain text as <p> elements, one for each block between blank lines.
std::string paragraphs(std::string_view text);

/// A relative path as a URL: what is not a letter, a digit or one of "/-._~=,+" is percent-encoded.
std::string url_of(std::string_view path);

/// True for what a table should align to the right: a number, perhaps with a sign, separators, an exponent, a
/// percent sign or an uncertainty.
bool looks_numeric(std::string_view cell);

}  // namespace sluice::figure
