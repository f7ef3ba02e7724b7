/// What was asked for, on standard output. Throws IoError where it cannot be written; whoever reads it no longer ends the program quietly.
#pragma once

#include <string_view>

namespace sluice::cli {

/// As it is, into files and pipes; on a terminal what others wrote into it is shown, not obeyed (file/printable.hpp).
void print(std::string_view text);
/// As it is on a terminal, too: text of ours with colours in it; what others wrote has to be printable by then.
void print_coloured(std::string_view text);
/// Now, and not at the end.
void flush();

}  // namespace sluice::cli
