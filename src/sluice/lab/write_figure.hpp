/// A figure as svg, pdf and png in a folder.
#pragma once

#include <filesystem>

#include "sluice/figure/figure.hpp"

namespace sluice::lab {

void write_figure(const figure::Figure& figure, const std::filesystem::path& folder);

}  // namespace sluice::lab
