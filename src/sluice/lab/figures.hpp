/// Any figure of a record, again: from the folder of a run or of a sweep, or from an array file alone. `sluice figure`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sluice/figure/figure.hpp"
#include "sluice/spec/keys.hpp"

namespace sluice::lab {

/// Every figure there is, with what it shows and what it needs; the first belong to runs, the last to sweeps.
spec::Choices figure_choices();

/// The names of those that can be drawn of this folder or file, in that order. Throws InputError when it is neither.
std::vector<std::string> figures_of(const std::filesystem::path& source);

/// Throws InputError when there is no such figure, or not of this source, and says what it would need.
figure::Figure draw_figure(const std::filesystem::path& source, const std::string& name);

}  // namespace sluice::lab
