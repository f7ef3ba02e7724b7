/// What was asked for, on standard output. Throws where it cannot be written.
#pragma once

#include <string_view>

namespace sluice::cli {

/// As it is, into files and pipes; on a terminal what others wrote into it is shown, not obeyed (file/printable.hpp).
void print(std::string_view text);

}  // namespace sluice::cli
