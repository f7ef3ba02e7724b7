/// How to make a run again and how to name it: the section of a page after its spec.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sluice/figure/report.hpp"
#include "sluice/record/recording.hpp"

namespace sluice::lab {

/// A path relative to the folder of a page, or nothing where there is none (on two file systems without a common root).
std::string beside_page(const std::filesystem::path& path, const std::filesystem::path& page);

/// The command, the version, the seed and the line to cite, with the title of the page; of several runs, the command of the first as the
/// example.
figure::ReportSection reproduce_section(const std::vector<const record::Recording*>& runs,
                                        const std::string& title, const std::filesystem::path& page);

}  // namespace sluice::lab
