/// Figures as svg, pdf and png in the folder `figures` of a run or sweep, their captions beside them as txt.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "sluice/figure/figure.hpp"
#include "sluice/math/workers.hpp"

namespace sluice::lab {

/// Told the names of files, relative to the folder, before they are written.
using Claim = std::function<void(const std::vector<std::string>& names)>;

/// Drawn by all of the team: a figure's draw() may be called for two formats at once.
void write_figures(const std::vector<figure::Figure>& figures, const std::filesystem::path& folder,
                   const Claim& claim, math::Workers& workers);

}  // namespace sluice::lab
