/// Text that others chose (keys, names of arrays and files, titles, what npm says), as a terminal may be given it: nothing in it is obeyed, one line stays one.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sluice::file {

/// Control characters (C0, DEL, C1), marks that turn the direction of text or end lines, and bytes that are no UTF-8 as what they are: \n, \x1b, \u202e. Those in `kept` stay.
std::string printable(std::string_view text, std::string_view kept = "");

/// One line, of about `most` bytes at most: what stands in the middle of long words, and then of a long line, gives way to "…". The ends say where, and what was expected.
std::string printable_line(std::string_view line, std::size_t most = 600);

}  // namespace sluice::file
