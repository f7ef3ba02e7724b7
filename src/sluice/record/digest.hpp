/// The last array of files that are to be trusted whole: an archive's own checksums say nothing of names and of what is missing.
#pragma once

#include <string>

#include "sluice/file/array.hpp"

namespace sluice::record {

/// SHA-256 over the list of all arrays: name, element type, shape and the SHA-256 of the numbers of each.
file::Array digest_of(const file::NamedViews& arrays);
void add_digest(file::NamedArrays& arrays, const std::string& name);
/// Is the array of this name there, and is it that of all the others?
bool is_whole(const file::NamedArrays& arrays, const std::string& name);

}  // namespace sluice::record
