/// Where somebody wants a file: one rule for all that is written outside of run folders, so that nothing is lost by a name.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <string_view>

namespace sluice::file {

/// Throws InputError when the name has none of the endings (".npz"; no endings: any will do), its folder is not there, it is a
/// folder, or it exists and may not be overwritten. Looks only.
void require_place(const std::filesystem::path& place, std::initializer_list<std::string_view> endings,
                   bool overwrite);

}  // namespace sluice::file
