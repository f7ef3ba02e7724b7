/// How many files this process may have open at once. A lock of a folder is one for as long as it is held (lock.hpp), and a sweep may hold thousands.
#pragma once

#include <cstddef>

namespace sluice::file {

/// What the system grants, once this process has asked for all that it may have: the usual limit of 1024 is for programs that `select`.
std::size_t most_open_files();

}  // namespace sluice::file
