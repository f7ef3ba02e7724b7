/// Which units and which times are shown where not all can be, by rules that do not look for the prettiest.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sluice/figure/run_view.hpp"

namespace sluice::figure {

/// At most `most` of 0 … count−1, ascending, evenly spaced, first and last included. The choice depends on
/// the count alone, never on the data: nobody can pick the prettiest units.
std::vector<std::size_t> evenly_chosen(std::size_t count, std::size_t most);

/// Those that are asked for; else at most `most`, evenly chosen.
std::vector<std::size_t> some_units(const RunView& view, std::size_t most);

/// "evenly chosen", or "as asked for".
std::string how_chosen(const RunView& view);

/// The units in the order in which their final receptive fields peak along the ring: by the site of the
/// largest |w|, equal sites by unit. Units without a finite weight come last.
std::vector<std::size_t> ordered_by_position(const RunView& view, std::vector<std::size_t> units);

/// Those that are asked for; else at most `most` units, largest final IPR first, equal ones by unit. Without a finite IPR they come last.
std::vector<std::size_t> most_localized(const RunView& view, std::size_t most);
/// "the 4 most localized units (largest final IPR)", or "3 units that were asked for".
std::string most_localized_in_words(const RunView& view, std::size_t shown);

/// At most `most` times, ascending, first and last included, at which the distance of these units' weights to
/// their final values has fallen by equal parts: evenly spaced times would show a fast change once and its
/// end many times. Evenly chosen when there is no finite distance to go.
std::vector<std::size_t> times_of_equal_progress(const RunView& view, const std::vector<std::size_t>& units,
                                                 std::size_t most);

}  // namespace sluice::figure
