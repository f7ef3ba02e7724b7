/// Progress, remarks and how to go on, on standard error. A run must not end because nobody listens: telling never throws,
/// and after the first failure (a closed terminal, a broken pipe, a full disk) it is silent for good.
#pragma once

#include <string_view>

namespace sluice::cli {

/// One line, whatever is in it: what others named is shown, not obeyed, and has its bounds (file/printable.hpp).
void tell(std::string_view line) noexcept;
/// Text of our own that moves the cursor.
void draw(std::string_view text) noexcept;

/// Opens /dev/null on those of the descriptors 0, 1, 2 that are closed, so that no file of a run becomes one of them and
/// takes what is told. Writing to a standard output that was closed still fails.
void occupy_standard_descriptors() noexcept;

}  // namespace sluice::cli
