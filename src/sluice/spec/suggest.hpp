/// "did you mean": the known name nearest to what was typed.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sluice::spec {

/// Number of single-character insertions, deletions, replacements and swaps of neighbours between two words.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The nearest known word, when it is near enough to be a plausible slip (a third of the longer word, at least 2).
std::optional<std::string> nearest(std::string_view typed, std::span<const std::string> known);

/// "gain, kind, n"; of many the first, and then "…".
std::string listed(std::span<const std::string> words, std::size_t most = 300);

/// "; did you mean 'gain'?", or "; expected one of gain, kind, n" when nothing is near.
std::string hint(std::string_view typed, std::span<const std::string> known);

}  // namespace sluice::spec
