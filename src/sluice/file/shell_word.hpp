/// A path as a POSIX shell needs it typed.
#pragma once

#include <string>

namespace sluice::file {

/// In quotes where it has characters that a shell would not take as they are.
std::string shell_word(const std::string& text);

}  // namespace sluice::file
